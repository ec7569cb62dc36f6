// Who may write to a session file: one process at a time, because two would mix their lines into a conversation that never
// took place. The lock itself is `system/file-lock.ts`; this file says in words who has the session open.
import { basename } from "node:path";
import { type FileLock, takeLock } from "../../system/file-lock.js";
import type { Holder } from "../../system/holder.js";

export type SessionLock = FileLock;

/** The session is open elsewhere; the message says where. */
export class SessionHeldError extends Error {
  override readonly name = "SessionHeldError";
}

/** Rejects with a SessionHeldError when another process has it, and with the system's words when no lock can be written. */
export async function lockSession(sessionPath: string, nowMs: () => number): Promise<SessionLock> {
  const path = `${sessionPath}.lock`;
  const attempt = await takeLock(path, { nowMs });
  if (attempt.kind === "taken") return attempt.lock;
  const session = basename(sessionPath, ".jsonl");
  if (attempt.kind === "contended")
    throw new SessionHeldError(`session ${session} is being opened elsewhere; try again`);
  const { by, life } = attempt;
  throw new SessionHeldError(life === "alive" ? openHere(session, by) : openElsewhere(session, by, path));
}

function openHere(session: string, { pid, since }: Holder): string {
  if (pid === process.pid) return `session ${session} is open already`;
  return `session ${session} is open in another process (pid ${pid}, since ${moment(since)}); leave it there first`;
}

function openElsewhere(session: string, { pid, host, since }: Holder, path: string): string {
  return (
    `session ${session} is open in another process (pid ${pid} on ${host}, since ${moment(since)}); leave it there first. ` +
    `If that process is gone, remove ${path}`
  );
}

function moment(sinceMs: number): string {
  const date = new Date(sinceMs);
  return Number.isNaN(date.getTime()) ? "some time" : `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
