// A question in one line, for the home screen and for its heading: the subject, the size of the change, and its dangers.
import type { Ask } from "../../contract/asks.js";
import type { OverviewAsk } from "../../contract/page.js";
import { disguisesIn } from "../../session/approval.js";
import { type ApprovalQuestion, confirmQuestion, permissionQuestion } from "../../session/approval-answers.js";
import { diffStatOf } from "../../text/diff/diff-stat.js";
import { humanSeconds } from "../../text/humanize.js";
import { safeLine } from "../../text/safe.js";

/** Null for a question that is answered with words or choices. */
export function approvalOf({ ask, session }: Pick<OverviewAsk, "ask" | "session">): ApprovalQuestion | null {
  const { question } = ask;
  const conversation = session === null ? undefined : "running";
  if (question.kind === "permission") return permissionQuestion(question.params, conversation);
  return question.kind === "confirm" ? confirmQuestion(question.params, conversation) : null;
}

export interface AskLine {
  readonly title: string;
  /** What would run, in one line; "" when nothing does. */
  readonly command: string;
  /** Added and removed lines; null without a diff. */
  readonly stat: { readonly added: number; readonly removed: number } | null;
  readonly dangers: readonly string[];
}

/** Ages are drawn every second; a diff is counted once. */
const lines = new WeakMap<OverviewAsk, AskLine>();

export function askLine(asked: OverviewAsk): AskLine {
  const line = lines.get(asked) ?? newLine(asked);
  lines.set(asked, line);
  return line;
}

function newLine(asked: OverviewAsk): AskLine {
  const question = approvalOf(asked);
  if (question === null) return { title: titleOf(asked.ask), command: "", stat: null, dangers: [] };
  const { approval } = question;
  return {
    title: safeLine(approval.title) || UNTITLED,
    command: safeLine(approval.command.trim().replace(/\s*\n\s*/g, " ⏎ ")),
    stat: approval.diff === "" ? null : diffStatOf(approval.diff),
    dangers: [approval.danger, ...disguisesIn(approval)].filter(Boolean).map(safeLine),
  };
}

export function titleOf({ question }: Ask): string {
  return safeLine(question.params.title) || UNTITLED;
}

const UNTITLED = "a question without words";

/** `claude · parser · on laptop · 40 s`; the machine only where it is another one. */
export function whereWords(asked: OverviewAsk, nowMs: number, clockOffsetMs: number): string {
  const { ask, session, asked_at_ms, elsewhere } = asked;
  const who = session?.agent ?? ask.origin.name ?? (session === null ? "daemon" : "");
  const folder = session === null ? "" : folderName(session.cwd);
  const name = session === null || session.name === who ? "" : session.name;
  const age = humanSeconds(nowMs - asked_at_ms - clockOffsetMs);
  // A question of a hub names its machine already.
  const isNamed = elsewhere === undefined || who.startsWith(`${elsewhere.machine} in `);
  const machine = isNamed ? "" : `on ${elsewhere.machine}`;
  return [...new Set([who, name, folder, machine])].filter(Boolean).map(safeLine).concat(age).join(" · ");
}

export function folderName(path: string): string {
  return path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;
}
