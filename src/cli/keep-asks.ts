// Where the history of asks is kept, and the writer for one agent of this process.
import { userInfo } from "node:os";
import { join } from "node:path";
import type { AuditRecord } from "../contract/asks.js";
import { askHistoryWriter } from "../host/ask-history.js";
import { stateFolder } from "../session/user-folders.js";
import { createRedactor, secretsIn } from "../text/redact.js";
import { processClock } from "./process-clock.js";

/** Null where the user has no state folder. */
export function askHistoryFolder(): string | null {
  const folder = stateFolder(process.env, () => userInfo().homedir);
  return folder === null ? null : join(folder, "asks");
}

/** `secrets` are those that were typed in this process; `nowMs` is the clock that the records were made with. */
export function keepAsks(
  agent: string,
  secrets: () => Iterable<string>,
  nowMs: () => number = processClock.nowMs,
): (record: AuditRecord) => string | null {
  return askHistoryWriter({
    folder: askHistoryFolder(),
    agent,
    workFolder: process.cwd(),
    nowMs,
    redacted: (value) => createRedactor([...secretsIn(process.env), ...secrets()]).value(value),
  });
}
