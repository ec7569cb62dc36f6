// Sentences that every dialect shows alike: compaction, and retries of the model.
import type { NotifyLevel } from "../../contract/notices.js";
import type { Happening } from "./step-builder.js";

export const COMPACTING = "compacting the conversation";
const COMPACTED = "conversation compacted";

const counted = (count: number) => count.toLocaleString("en-US");

/** Of how many tokens, and to how many, where that is known. */
export function compactedWords(before?: number, after?: number): string {
  if (before === undefined) return COMPACTED;
  const left = after === undefined ? "" : ` → ${counted(after)}`;
  return `${COMPACTED}: ${counted(before)}${left} tokens`;
}

/** The words that are known, the general ones first. */
export function notice(level: NotifyLevel, ...words: readonly (string | undefined)[]): Happening {
  return { type: "notice.shown", level, message: words.filter(Boolean).join(": ") };
}

type Retry = {
  readonly attempt: number;
  readonly attemptsMax: number | undefined;
  readonly delayMs: number;
  readonly isFirst: boolean;
};

export function retryNotices(what: string, { attempt, attemptsMax, delayMs, isFirst }: Retry): Happening[] {
  const of = attemptsMax === undefined ? "" : ` of ${attemptsMax}`;
  return retryWorking(`${what}: attempt ${attempt}${of} in ${Math.ceil(delayMs / 1_000)} s`, { isFirst });
}

/** Only the first of a series stays in the transcript. */
export function retryWorking(message: string, { isFirst }: Pick<Retry, "isFirst">): Happening[] {
  const working: Happening = { type: "working.changed", message };
  return isFirst ? [notice("warn", message), working] : [working];
}
