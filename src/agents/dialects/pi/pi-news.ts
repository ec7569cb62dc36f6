// How pi fares, in words: retries, compaction, queues, extensions that fail. Kinds that say nothing to a person are listed
// as well, so that only what is really unknown is reported.
import type { PiFrame } from "../../../contract/pi.js";
import type { Happening } from "../step-builder.js";

/** Known, and of no use to a person. */
export const quietTypes: ReadonlySet<string> = new Set([
  "entry_appended",
  "session_info_changed",
  "summarization_retry_attempt_start",
]);

const idle: Happening = { type: "working.changed", message: null };

export function compactionBegun(): Happening[] {
  return [{ type: "working.changed", message: "making room: the conversation is being summarised" }];
}

export function compactionEnded({ result, aborted, errorMessage }: PiFrame<"compaction_end">): Happening[] {
  if (aborted === true) return [idle, notice("info", "the conversation was not summarised: it was stopped")];
  if (errorMessage !== undefined)
    return [idle, notice("error", `the conversation was not summarised: ${errorMessage}`)];
  const { tokensBefore, estimatedTokensAfter } = result ?? {};
  const after = estimatedTokensAfter === undefined ? "" : ` became about ${estimatedTokensAfter}`;
  const tokens = tokensBefore === undefined ? "" : `: ${tokensBefore} tokens${after}`;
  return [idle, notice("info", `the conversation was summarised to make room${tokens}`)];
}

// The first of a series stays in the transcript, the others only change the line below it.
export function retryBegun({
  attempt = 1,
  maxAttempts,
  delayMs = 0,
  errorMessage,
}: PiFrame<"auto_retry_start">): Happening[] {
  const of = maxAttempts === undefined ? "" : ` of ${maxAttempts}`;
  const what = errorMessage ?? "the model did not answer";
  const message = `${what}: attempt ${attempt}${of} in ${Math.ceil(delayMs / 1_000)} s`;
  const working: Happening = { type: "working.changed", message };
  return attempt <= 1 ? [notice("warn", message), working] : [working];
}

export function retryEnded({ success, finalError }: PiFrame<"auto_retry_end">): Happening[] {
  if (success === true || finalError === undefined) return [idle];
  return [idle, { type: "agent.failed", message: finalError }];
}

export function extensionFailed({ extensionPath, event, error }: PiFrame<"extension_error">): Happening[] {
  const where = [extensionPath, event].filter(Boolean).join(", ");
  return [notice("error", `an extension failed${where === "" ? "" : ` (${where})`}: ${error}`)];
}

export function queueChanged({ steering, followUp }: PiFrame<"queue_update">): Happening[] {
  const count = steering.length + followUp.length;
  return [{ type: "status.changed", key: "queued", text: count === 0 ? null : `${count} queued` }];
}

function notice(level: "info" | "warn" | "error", message: string): Happening {
  return { type: "notice.shown", level, message };
}
