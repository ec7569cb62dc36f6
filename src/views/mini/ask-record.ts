// The outcome of one ask on standard error: a line of JSON for programs, a short line for people.
// The answer to a secret is in neither.
import type { Ask, AskOutcome } from "../../contract/asks.js";
import { isApproval, toolOf } from "../../session/ask-facts.js";
import { isSecret } from "../../session/asks.js";
import { outcomeWords } from "../../session/outcome-words.js";
import { canonicalTool, isSameTool } from "../../session/tool-names.js";
import { safeLine } from "../../text/safe.js";

export interface AskRecord {
  readonly asked: Ask["question"]["kind"];
  readonly title: string;
  readonly tool?: string;
  /** "declined" is a no that the policy gave; "unanswered" a question that ended the run. */
  readonly outcome: "answered" | "declined" | "cancelled" | "expired" | "withdrawn" | "unanswered";
  /** The source of the answer: a user, a rule, a flag. Missing where the policy declined. */
  readonly by?: string;
  readonly value?: unknown;
  readonly why?: string;
  /** The flag that would have allowed it. */
  readonly allow?: string;
  /** What is dangerous about it: no tool's name in --allowed-tools covers it. */
  readonly danger?: string;
  /** How to resume the session that ended here. */
  readonly resume?: string;
}

export function recordOf(ask: Ask, outcome: AskOutcome, policy: "person" | "alone"): AskRecord {
  const about = aboutAsk(ask);
  switch (outcome.kind) {
    case "answered":
      if (policy === "alone" && isNo(ask, outcome.value)) return { ...about, outcome: "declined" };
      return {
        ...about,
        outcome: "answered",
        by: outcome.by,
        ...(isSecret(ask) ? {} : { value: outcome.value }),
      };
    case "cancelled":
      return policy === "alone"
        ? { ...about, outcome: "declined" }
        : { ...about, outcome: "cancelled", by: outcome.by };
    case "expired":
      return { ...about, outcome: "expired" };
    case "withdrawn":
      return { ...about, outcome: "withdrawn", why: outcome.reason };
  }
}

/** No one could answer, and the run ends. */
export function unansweredRecord(ask: Ask, { why, resume }: { why: string; resume: string | null }): AskRecord {
  return {
    ...aboutAsk(ask),
    outcome: "unanswered",
    ...(why === "" ? {} : { why }),
    ...allowingFlag(ask),
    ...(resume === null ? {} : { resume }),
  };
}

// What is dangerous is never allowed by its tool's name.
function allowingFlag(ask: Ask): { allow?: string; danger?: string } {
  const danger = dangerIn(ask);
  const tool = isApproval(ask) ? toolOf(ask) : null;
  if (danger !== "") return { danger };
  return tool === null ? {} : { allow: `--allowed-tools ${canonicalTool(tool)}` };
}

/** Why --allowed-tools did not help, although it names the tool; otherwise "". */
export function uncoveredWords(ask: Ask, allowedTools: readonly string[]): string {
  const danger = dangerIn(ask);
  const tool = isApproval(ask) ? toolOf(ask) : null;
  if (danger === "" || tool === null || !allowedTools.some((named) => isSameTool(named, tool))) return "";
  return `; --allowed-tools does not cover what is dangerous (${danger})`;
}

function dangerIn({ question }: Ask): string {
  if (question.kind === "permission") return question.params.danger ?? "";
  return question.kind === "confirm" ? (question.params.opts?.danger ?? "") : "";
}

/** `? Which package manager?  pnpm` */
export function outcomeLine(ask: Ask, outcome: AskOutcome): string {
  const shown: AskOutcome = outcome.kind === "answered" && isSecret(ask) ? { ...outcome, value: null } : outcome;
  return `? ${safeLine(ask.question.params.title)}  ${safeLine(outcomeWords(ask, shown))}`;
}

function aboutAsk(ask: Ask): Pick<AskRecord, "asked" | "title" | "tool"> {
  const { kind, params } = ask.question;
  // A tool that only asks is not what the question is about. The kind is that of the answer rules.
  const isPermission = isApproval(ask);
  const tool = isPermission ? toolOf(ask) : null;
  return { asked: isPermission ? "permission" : kind, title: params.title, ...(tool === null ? {} : { tool }) };
}

function isNo({ question }: Ask, value: unknown): boolean {
  if (question.kind === "confirm") return value === false || (value as { ok?: unknown }).ok === false;
  if (question.kind !== "permission") return false;
  const { choiceId } = value as { choiceId?: unknown };
  return question.params.choices.some(({ id, choice }) => id === choiceId && choice.startsWith("reject"));
}
