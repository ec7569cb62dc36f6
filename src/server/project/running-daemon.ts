// Finds the running daemons of a project, and ends one. The lock names its process, checked by start time, and its address must
// prove that it has the token before the token is sent or the process gets a signal.
import type { DaemonAddress, DaemonClaims } from "../../agents/remote/daemon-proof.js";
import { proveDaemon } from "../../agents/remote/daemon-request.js";
import type { DaemonRecord } from "../../contract/daemon.js";
import type { Environment } from "../../session/user-folders.js";
import { type FileLock, type LockAttempt, lockHolder, takeLock } from "../../system/file-lock.js";
import { type Holder, lifeOf, machineFacts } from "../../system/holder.js";
import { createDaemonClient } from "../client/daemon-client.js";
import { DaemonError } from "./daemon-error.js";
import { type DaemonFolder, daemonFoldersOf, PALAVER, readRecord, readToken } from "./daemon-folder.js";

export type DaemonPresence =
  | { readonly kind: "none" }
  | {
      readonly kind: "running";
      readonly record: DaemonRecord;
      readonly address: DaemonAddress;
      readonly claims: DaemonClaims;
      readonly holder: Holder;
    }
  /** Its process runs, but its address does not answer as the daemon. */
  | { readonly kind: "silent"; readonly record: DaemonRecord };

const ANSWER_MS_MAX = 10_000;
const QUIT_MS_MAX = 3_000;
const TERMINATE_MS_MAX = 3_000;
const LOOK_EVERY_MS = 20;

/** Those that run, `palaver serve` first, then the one that has run the longest. */
export async function findDaemons(project: string, environment: Environment): Promise<FoundDaemon[]> {
  const folders = await daemonFoldersOf(project, environment);
  const found = await Promise.all(folders.map(lookAtDaemon));
  const rank = ({ record }: FoundDaemon) => (record.program === PALAVER ? 0 : record.started_at_ms);
  return found.filter((presence) => presence.kind !== "none").sort((one, other) => rank(one) - rank(other));
}

export type RunningDaemon = DaemonPresence & { readonly kind: "running" };
export type FoundDaemon = Exclude<DaemonPresence, { readonly kind: "none" }>;

export async function lookAtDaemon(folder: DaemonFolder): Promise<DaemonPresence> {
  const holder = await lockHolder(folder.lockPath).catch(() => null);
  const record = await readRecord(folder.recordPath);
  const token = await readToken(folder.tokenPath);
  // While a daemon starts, its record is missing, or is that of the previous one.
  if (holder === null || token === null || record === null || record.pid !== holder.pid) return { kind: "none" };
  const address = { url: record.url, token };
  try {
    const claims = await proveDaemon(address, AbortSignal.timeout(ANSWER_MS_MAX));
    return claims.pid === record.pid ? { kind: "running", record, address, claims, holder } : { kind: "none" };
  } catch (error) {
    return isRefused(error) ? { kind: "none" } : { kind: "silent", record };
  }
}

/** Sends the quit action, then SIGTERM. False when it still runs. */
export async function stopDaemon({ address, holder }: RunningDaemon): Promise<boolean> {
  const client = createDaemonClient({ ...address, timeoutMs: QUIT_MS_MAX });
  await client.act("quit", "").catch(() => undefined);
  if (await isGoneWithin(holder, QUIT_MS_MAX)) return true;
  // A process id from another machine names another process here.
  if (lifeOf(holder, machineFacts()) !== "alive") return false;
  try {
    process.kill(holder.pid, "SIGTERM");
  } catch {
    return true;
  }
  return isGoneWithin(holder, TERMINATE_MS_MAX);
}

async function isGoneWithin(holder: Holder, limitMs: number): Promise<boolean> {
  const facts = machineFacts();
  const giveUpAtMs = performance.now() + limitMs;
  while (lifeOf(holder, facts) !== "dead") {
    if (performance.now() > giveUpAtMs) return false;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return true;
}

function isRefused(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ECONNREFUSED";
}

// One daemon for each program of a project, by a lock. A newer version of the program replaces it.

export interface ClaimOptions {
  readonly program: string;
  readonly version: string;
  /** "always" also replaces one of the same version or a newer one, but never one of another program. */
  readonly replace: "older" | "always";
}

/** The caller owns the place of its program in the project until it releases the lock. Throws a `DaemonError`. */
export async function claimProject(folder: DaemonFolder, options: ClaimOptions): Promise<FileLock> {
  const presence = await lookAtDaemon(folder);
  if (presence.kind === "running") await end(presence, options);
  const attempt = await takeLock(folder.lockPath);
  if (attempt.kind === "taken") return attempt.lock;
  throw inTheWay(attempt, presence, folder);
}

async function end(presence: RunningDaemon, options: ClaimOptions): Promise<void> {
  const { record, claims } = presence;
  const { program, version, pid } = claims;
  if (program !== options.program) {
    const words = `${program} ${version} (process ${pid}) has the place of ${options.program} in ${record.project}`;
    throw new DaemonError("other_program", words);
  }
  if (options.replace !== "always" && !isNewer(options.version, version)) throw alreadyRunning(record, options);
  if (await stopDaemon(presence)) return;
  throw new DaemonError("not_stopped", `the daemon (process ${pid}) does not stop`);
}

/** False where the two cannot be compared. */
export function isNewer(version: string, running: string): boolean {
  const [ours, theirs] = [versionParts(version), versionParts(running)];
  if (ours === null || theirs === null) return false;
  const digits = compared(ours.numbers, theirs.numbers, (one, other) => Number(one) - Number(other));
  if (digits !== 0) return digits > 0;
  // 1.0.0-beta.2 comes before 1.0.0.
  if (ours.before.length === 0 || theirs.before.length === 0) return ours.before.length < theirs.before.length;
  return compared(ours.before, theirs.before, comparedWords) > 0;
}

function versionParts(version: string): { numbers: string[]; before: string[] } | null {
  const [, numbers, before = ""] = /^v?(\d+(?:\.\d+)*)(?:-([\w.-]+))?(?:\+.*)?$/.exec(version) ?? [];
  return numbers === undefined ? null : { numbers: numbers.split("."), before: before === "" ? [] : before.split(".") };
}

function compared(ours: string[], theirs: string[], compare: (one: string, other: string) => number): number {
  const length = Math.max(ours.length, theirs.length);
  const signs = Array.from({ length }, (_, index) => compare(ours[index] ?? "", theirs[index] ?? ""));
  return signs.find((sign) => sign !== 0) ?? 0;
}

function comparedWords(one: string, other: string): number {
  const areNumbers = /^\d+$/.test(one) && /^\d+$/.test(other);
  return areNumbers ? Number(one) - Number(other) : Number(one > other) - Number(one < other);
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

function alreadyRunning({ project, url, pid, version }: DaemonRecord, options: ClaimOptions): DaemonError {
  const other = version === options.version ? "" : `, of version ${version}, which ${options.version} does not replace`;
  return new DaemonError(
    "already_running",
    `a daemon of ${project} is already running: ${url} (process ${pid})${other}`,
  );
}
