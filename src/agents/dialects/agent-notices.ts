// Sentences that every dialect shows alike: compaction, and retries of the model.
import type { Happening } from "./step-builder.js";

export const COMPACTING = "making room: the conversation is being summarised";
export const COMPACTED = "the conversation was summarised to make room";

export function notice(level: "info" | "warn" | "error", message: string): Happening {
  return { type: "notice.shown", level, message };
}

type Retry = {
  readonly attempt: number;
  readonly attemptsMax: number | undefined;
  readonly delayMs: number;
  /** Only the first of a series stays in the transcript. */
  readonly isFirst: boolean;
};

export function retryNotices(what: string, { attempt, attemptsMax, delayMs, isFirst }: Retry): Happening[] {
  const of = attemptsMax === undefined ? "" : ` of ${attemptsMax}`;
  const message = `${what}: attempt ${attempt}${of} in ${Math.ceil(delayMs / 1_000)} s`;
  const working: Happening = { type: "working.changed", message };
  return isFirst ? [notice("warn", message), working] : [working];
}
