// Finds the running daemon of a project, and ends it. The lock names its process, checked by start time, and its address must
// prove that it has the token before the token is sent or the process gets a signal.

import type { DaemonClaims } from "../../agents/remote/daemon-proof.js";
import { type DaemonAddress, proveDaemon } from "../../agents/remote/daemon-request.js";
import type { DaemonRecord } from "../../contract/daemon.js";
import type { Environment } from "../../session/user-folders.js";
import { lockHolder } from "../../system/file-lock.js";
import { type Holder, lifeOf, machineFacts } from "../../system/holder.js";
import { createDaemonClient } from "../client/daemon-client.js";
import { type DaemonFolder, daemonFolderOf, readRecord, readToken } from "./daemon-folder.js";

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

const ANSWER_MS_MAX = 2_000;
const QUIT_MS_MAX = 3_000;
const TERMINATE_MS_MAX = 3_000;
const LOOK_EVERY_MS = 20;

export function findDaemon(project: string, environment: Environment): Promise<DaemonPresence> {
  return lookAtDaemon(daemonFolderOf(project, environment));
}

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
export async function stopDaemon({ address, holder }: DaemonPresence & { kind: "running" }): Promise<boolean> {
  const client = createDaemonClient({ ...address, timeoutMs: ANSWER_MS_MAX });
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
