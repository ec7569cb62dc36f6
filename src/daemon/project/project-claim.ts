// One daemon per project. Before a daemon starts, whoever holds the project is looked at: a dead one is followed, one of
// another version is ended and followed, a living one of the same version keeps it. The claim itself is the record,
// which only one can write.
import type { DaemonRecord } from "../../contract/daemon.js";
import type { DaemonFolder } from "./daemon-folder.js";
import { readRecord, removeRecord, writeRecord } from "./daemon-record.js";
import { type DaemonPresence, lookAtDaemon, stopDaemon } from "./running-daemon.js";

export type DaemonErrorCode = "already_running" | "unresponsive" | "not_stopped" | "address_refused" | "port_taken";

export class DaemonError extends Error {
  override readonly name = "DaemonError";
  readonly code: DaemonErrorCode;

  constructor(code: DaemonErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export interface ClaimWishes {
  readonly version: string;
  /** "always" ends a running daemon of the same version too. */
  readonly replace: "other-version" | "always";
}

/** Makes room for a new daemon, or throws a `DaemonError` that says who is in the way. */
export async function clearTheWay(folder: DaemonFolder, { version, replace }: ClaimWishes): Promise<void> {
  const presence = await lookAtDaemon(folder);
  if (presence.kind === "silent") {
    const { pid, url } = presence.record;
    throw new DaemonError("unresponsive", `the daemon at ${url} does not answer; end its process ${pid} first`);
  }
  if (presence.kind === "running") {
    if (presence.health.version === version && replace !== "always") throw alreadyRunning(presence.record);
    await end(presence);
  }
  await removeRecord(folder.recordPath, presence.record);
}

/** Takes the project; throws when somebody else was faster. */
export async function claim(folder: DaemonFolder, record: DaemonRecord): Promise<void> {
  if (await writeRecord(folder.recordPath, record)) return;
  throw alreadyRunning((await readRecord(folder.recordPath)) ?? record);
}

async function end(presence: Extract<DaemonPresence, { kind: "running" }>): Promise<void> {
  if (await stopDaemon(presence)) return;
  throw new DaemonError("not_stopped", `the daemon of process ${presence.record.pid} does not end`);
}

function alreadyRunning({ project, url, pid }: DaemonRecord): DaemonError {
  return new DaemonError("already_running", `a daemon of ${project} runs already: ${url} (process ${pid})`);
}
