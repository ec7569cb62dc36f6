// Who may write to a session file: one process at a time, because two would mix their lines into a conversation that nobody
// had. The lock is a file beside it that names its owner; a link appears whole or not at all, and never over another file.
// A lock whose owner is gone is replaced, so that a crash locks nobody out.
import { randomBytes } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { basename } from "node:path";
import * as z from "zod";
import { processStat } from "../process-stat.js";

const holderSchema = z.object({
  pid: z.number().int().positive(),
  host: z.string(),
  /** Tells the process from a later one with the same number; null where that cannot be known. */
  started_at: z.string().nullable(),
  since: z.number(),
});

type Holder = z.infer<typeof holderSchema>;

/** The session is open elsewhere; the message says where. */
export class SessionHeldError extends Error {
  override readonly name = "SessionHeldError";
}

/** A lock that always loses the race for a stale one is held by somebody who is alive. */
const TRIES_MAX = 10;

/** The locks of this process: its own number says nothing about whether it still holds one. */
const ownPaths = new Set<string>();

export class SessionLock {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  /** Rejects with a SessionHeldError when somebody else has it, and with the system's words when there is no place for it. */
  static async take(sessionPath: string, nowMs: number): Promise<SessionLock> {
    const path = `${sessionPath}.lock`;
    const own: Holder = { pid: process.pid, host: hostname(), started_at: startedAt(process.pid), since: nowMs };
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      if (await put(path, own)) {
        ownPaths.add(path);
        return new SessionLock(path);
      }
      const holder = await holderIn(path);
      if (holder !== null && isAlive(holder, path)) throw held(sessionPath, holder);
      await removeStale(path, holder);
    }
    throw new SessionHeldError(`${path} cannot be taken; remove it if nobody has the session open`);
  }

  async release(): Promise<void> {
    if (ownPaths.delete(this.#path)) await rm(this.#path, { force: true });
  }
}

async function put(path: string, own: Holder): Promise<boolean> {
  const fresh = beside(path);
  await writeFile(fresh, `${JSON.stringify(own)}\n`, { mode: 0o600 });
  try {
    await link(fresh, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(fresh, { force: true });
  }
}

/** A name that nobody else has. */
function beside(path: string): string {
  return `${path}.${randomBytes(6).toString("hex")}`;
}

/** Null when it is gone, or nobody can be read out of it. */
async function holderIn(path: string): Promise<Holder | null> {
  try {
    return holderSchema.parse(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return null;
  }
}

function isAlive({ pid, host, started_at }: Holder, path: string): boolean {
  // What runs on another machine cannot be seen from here.
  if (host !== hostname()) return true;
  const now = startedAt(pid);
  const isSameProcess = started_at === null || now === null ? "perhaps" : started_at === now;
  if (isSameProcess !== "perhaps") return isSameProcess && isRunning(pid);
  return pid === process.pid ? ownPaths.has(path) : isRunning(pid);
}

function startedAt(pid: number): string | null {
  return processStat(pid)?.startedAt ?? null;
}

function isRunning(pid: number): boolean {
  if (processStat(pid)?.state === "ended") return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process that may not be signalled is there.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

// Between the look at an old lock and its removal somebody else may have put a new one there. So the file is moved aside,
// looked at again, and put back when it is not the one that was meant.
async function removeStale(path: string, old: Holder | null): Promise<void> {
  const aside = beside(path);
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  const found = await holderIn(aside);
  if (found !== null && !isSame(found, old)) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

function isSame(a: Holder, b: Holder | null): boolean {
  return a.pid === b?.pid && a.host === b.host && a.started_at === b.started_at && a.since === b.since;
}

function held(sessionPath: string, { pid, host, since }: Holder): SessionHeldError {
  const session = basename(sessionPath, ".jsonl");
  if (pid === process.pid && host === hostname()) return new SessionHeldError(`session ${session} is open already`);
  const where = host === hostname() ? `pid ${pid}` : `pid ${pid} on ${host}`;
  const moment = new Date(since).toISOString().slice(0, 16).replace("T", " ");
  return new SessionHeldError(
    `session ${session} is open in another process (${where}, since ${moment} UTC); leave it there first`,
  );
}
