// One daemon per project, by a lock. A daemon of the same program and another version is replaced; any other one keeps the
// project.
import type { DaemonRecord } from "../../contract/daemon.js";
import { type FileLock, type LockAttempt, takeLock } from "../../system/file-lock.js";
import type { DaemonFolder } from "./daemon-folder.js";
import { type DaemonPresence, lookAtDaemon, stopDaemon } from "./running-daemon.js";

export type DaemonErrorCode =
  | "already_running"
  | "other_program"
  | "unresponsive"
  | "not_stopped"
  | "address_refused"
  | "port_taken";

export class DaemonError extends Error {
  override readonly name = "DaemonError";
  readonly code: DaemonErrorCode;

  constructor(code: DaemonErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export interface ClaimOptions {
  readonly program: string;
  readonly version: string;
  /** "always" also replaces one of the same version, but never one of another program. */
  readonly replace: "other-version" | "always";
}

/** The caller owns the project until it releases the lock. Throws a `DaemonError`. */
export async function claimProject(folder: DaemonFolder, options: ClaimOptions): Promise<FileLock> {
  const presence = await lookAtDaemon(folder);
  if (presence.kind === "running") await end(presence, options);
  const attempt = await takeLock(folder.lockPath);
  if (attempt.kind === "taken") return attempt.lock;
  throw inTheWay(attempt, presence, folder);
}

async function end(presence: DaemonPresence & { kind: "running" }, options: ClaimOptions): Promise<void> {
  const { record, claims } = presence;
  const { program, version, pid } = claims;
  if (program !== options.program) {
    const words = `${program} ${version} (process ${pid}) is the daemon of ${record.project} and belongs to another program`;
    throw new DaemonError("other_program", words);
  }
  if (version === options.version && options.replace !== "always") throw alreadyRunning(record);
  if (await stopDaemon(presence)) return;
  throw new DaemonError("not_stopped", `the daemon (process ${pid}) does not stop`);
}

function inTheWay(
  attempt: Exclude<LockAttempt, { kind: "taken" }>,
  presence: DaemonPresence,
  { project, lockPath }: DaemonFolder,
): DaemonError {
  if (presence.kind === "silent") {
    const { pid, url } = presence.record;
    return new DaemonError("unresponsive", `the daemon at ${url} does not answer; end its process ${pid} first`);
  }
  if (attempt.kind === "contended") {
    return new DaemonError("already_running", `a daemon of ${project} is already running or just starting`);
  }
  const { pid, host } = attempt.by;
  const where =
    attempt.life === "alive" ? `process ${pid}` : `process ${pid} on ${host}; if it is gone, remove ${lockPath}`;
  return new DaemonError("already_running", `a daemon of ${project} is already running (${where})`);
}

function alreadyRunning({ project, url, pid }: DaemonRecord): DaemonError {
  return new DaemonError("already_running", `a daemon of ${project} is already running: ${url} (process ${pid})`);
}
