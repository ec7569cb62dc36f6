// Looks whether the daemon that a record speaks of is really there, and ends it if need be. A process id alone proves
// nothing, since ids are given again: the process has to live *and* answer at its address, with our token, as itself. Only
// a process that did so is ever sent a signal. One of another version may answer in another shape, and is found all the same.
import { readFileSync } from "node:fs";
import type { DaemonRecord } from "../../contract/daemon.js";
import type { Environment } from "../../core/user-folders.js";
import { askDaemon, type DaemonAddress } from "../../links/daemon/daemon-request.js";
import { createDaemonClient } from "../client/daemon-client.js";
import { type DaemonFolder, daemonFolderOf } from "./daemon-folder.js";
import { readRecord } from "./daemon-record.js";
import { type DaemonSelf, daemonSelf } from "./daemon-self.js";
import { readToken } from "./token-file.js";

export type DaemonPresence =
  | { kind: "none"; record: DaemonRecord | null }
  | { kind: "running"; record: DaemonRecord; token: string; health: DaemonSelf }
  /** Something lives under its process id and holds its port, but does not answer as a daemon does. */
  | { kind: "silent"; record: DaemonRecord };

const ANSWER_MS_MAX = 2_000;
const QUIT_MS_MAX = 3_000;
const TERMINATE_MS_MAX = 3_000;
const LOOK_EVERY_MS = 20;

export function findDaemon(project: string, environment: Environment): Promise<DaemonPresence> {
  return lookAtDaemon(daemonFolderOf(project, environment));
}

export async function lookAtDaemon(folder: DaemonFolder): Promise<DaemonPresence> {
  const record = await readRecord(folder.recordPath);
  const token = await readToken(folder.tokenPath);
  // The token is sent to nobody before the process lives: the port may be somebody else's by now.
  if (record === null || token === null || !isAlive(record.pid)) return { kind: "none", record };
  try {
    const health = await daemonSelf({ url: record.url, token }, ANSWER_MS_MAX);
    if (health === null) return { kind: "silent", record };
    const isOther = health.pid !== null && health.pid !== record.pid;
    return isOther ? { kind: "none", record } : { kind: "running", record, token, health };
  } catch (error) {
    return isRefused(error) ? { kind: "none", record } : { kind: "silent", record };
  }
}

/** Asks the daemon to end, then tells it to. False when it is still there. */
export async function stopDaemon(presence: Extract<DaemonPresence, { kind: "running" }>): Promise<boolean> {
  const { record, token, health } = presence;
  await askToQuit({ url: record.url, token });
  if (await isGoneWithin(record.pid, QUIT_MS_MAX)) return true;
  if (health.pid !== record.pid) return false;
  try {
    process.kill(record.pid, "SIGTERM");
  } catch {
    return true;
  }
  return isGoneWithin(record.pid, TERMINATE_MS_MAX);
}

// The first daemons took the key of an action from the address alone.
async function askToQuit(address: DaemonAddress): Promise<void> {
  const client = createDaemonClient({ ...address, timeoutMs: ANSWER_MS_MAX });
  const isTaken = await client.act("quit", "").then(
    () => true,
    () => false,
  );
  if (isTaken) return;
  const signal = AbortSignal.timeout(ANSWER_MS_MAX);
  await askDaemon(address, "/action?key=quit", { method: "POST", signal }).then(
    (answer) => void answer.resume(),
    () => undefined,
  );
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

// Ended, but nobody has asked for its exit code yet; where there is no /proc, nobody can tell. "12 (a name) Z 1 …"
function isZombie(pid: number): boolean {
  try {
    return /\) Z [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

async function isGoneWithin(pid: number, limitMs: number): Promise<boolean> {
  const giveUpAtMs = Date.now() + limitMs;
  while (isAlive(pid)) {
    if (Date.now() > giveUpAtMs) return false;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return true;
}

function isRefused(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ECONNREFUSED";
}
