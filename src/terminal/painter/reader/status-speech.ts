// The status, plan, fields and widgets as utterances, on request.
import { currentMode, neverAsks } from "../../../session/agent-mode.js";
import type { PlanEntries, SessionFacts } from "../../../session/session-facts.js";
import { humanCount, humanDuration } from "../../../text/humanize.js";
import { safeLine } from "../../../text/safe.js";

export interface StatusMoment {
  readonly agent: string;
  readonly branch: string | null;
  readonly nowMs: number;
  readonly sessions: number;
  readonly questions: number;
}

export function statusSpeech(
  front: SessionFacts,
  { agent, branch, nowMs, sessions, questions }: StatusMoment,
): string[] {
  const { tokens, cost, context } = front.usage;
  const took = front.workingSinceMs === null ? "" : ` for ${humanDuration(nowMs - front.workingSinceMs)}`;
  const parts = [
    safeLine(agent),
    front.model === null ? "" : `model ${safeLine(front.model)}`,
    modeWords(front),
    branch === null ? "" : `branch ${safeLine(branch).replace(/\*$/, ", with changes")}`,
    `${front.phase}${took}`,
    front.phase === "working" ? safeLine(front.workingMessage ?? "") : "",
    tokens === null ? "" : `${humanCount(tokens)} tokens`,
    cost === null ? "" : `${cost.toFixed(2)} dollars`,
    context === null || context.size <= 0
      ? ""
      : `context ${Math.round((100 * context.used) / context.size)} percent full`,
    front.queue.length === 0 ? "" : `${front.queue.length} queued`,
    questions === 0 ? "" : `${questions} ${questions === 1 ? "question" : "questions"} open`,
    sessions < 2 ? "" : `${sessions} sessions`,
  ].filter(Boolean);
  return [
    `Status: ${parts.join(", ")}.`,
    ...front.status.map(({ key, text }) => `${safeLine(key)}: ${safeLine(text)}`),
    ...front.widgets.flatMap(({ lines }) => lines.map((line) => `Agent: ${safeLine(line)}`)),
    ...planSpeech(front.plan),
  ];
}

function modeWords(front: SessionFacts): string {
  const mode = currentMode(front);
  return mode === null ? "" : `mode ${safeLine(mode.label)}${neverAsks(mode) ? ", which never asks" : ""}`;
}

/** "" for an agent without modes. */
export function modeNews(front: SessionFacts): string {
  const words = modeWords(front);
  return words === "" ? "" : `M${words.slice(1)}.`;
}

function planSpeech(plan: PlanEntries): string[] {
  return plan.map(({ text, status }) => `Plan, ${status.replace("_", " ")}: ${safeLine(text)}`);
}

export function planNews(plan: PlanEntries): string {
  if (plan.length === 0) return "";
  const done = plan.filter(({ status }) => status === "completed").length;
  const now = plan.find(({ status }) => status === "in_progress");
  const doing = now === undefined ? "" : `; now: ${safeLine(now.text)}`;
  return `Plan: ${done} of ${plan.length} done${doing}.`;
}
