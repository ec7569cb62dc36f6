// Keeps the history of asks for one agent of this process.
import type { AuditRecord } from "../contract/asks.js";
import { askHistoryFolder, askHistoryWriter } from "../host/ask-history.js";
import { createRedactor, secretsIn } from "../text/redact.js";
import { processClock } from "./process-clock.js";

/** `secrets` are those that were typed in this process; `nowMs` is the clock that the records were made with. */
export function keepAsks(
  agent: string,
  secrets: () => Iterable<string>,
  nowMs: () => number = processClock.nowMs,
): (record: AuditRecord) => string | null {
  return askHistoryWriter({
    folder: askHistoryFolder(process.env),
    agent,
    workFolder: process.cwd(),
    nowMs,
    redacted: (value) => createRedactor([...secretsIn(process.env), ...secrets()]).value(value),
  });
}
