// Who may write to a session file: one process at a time, because two would mix their lines into a conversation that nobody
// had. The lock is a file beside it that names its owner; a link appears whole or not at all, and never over another file.
// A lock whose owner is gone is replaced, so that a crash locks nobody out:
//
//   s1.jsonl.lock              names its owner, who is gone
//   s1.jsonl.lock.turn         the lock of whoever replaces it; he alone may remove the old one
//   s1.jsonl.lock.turn.turn    and if he is gone as well …
import { randomBytes } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";
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

/** Each try that fails means that somebody else came and went meanwhile. */
const TRIES_MAX = 10;
/** So many crashes in the moment of replacing a lock, one upon the other, do not happen. */
const TURNS_MAX = 5;

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
    const holder = await taken(path, own, TURNS_MAX);
    if (holder === own) return new SessionLock(path);
    if (holder !== null) throw held(sessionPath, holder);
    throw new SessionHeldError(`${path} cannot be taken; remove it if nobody has the session open`);
  }

  async release(): Promise<void> {
    await released(this.#path);
  }
}

/** Who has the lock now: `own` if it was free, else somebody who is alive; null when that cannot be found out. */
async function taken(path: string, own: Holder, turns: number): Promise<Holder | null> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    if (await put(path, own)) return own;
    const content = await contentOf(path);
    const holder = content === null ? null : holderIn(content);
    if (holder !== null && isAlive(holder, path)) return holder;
    if (content !== null) {
      const replacer = await replaced(path, content, own, turns);
      if (replacer !== "nobody") return replacer;
    }
  }
  return null;
}

// Between the look at an old lock and its removal somebody else may have put a new one there. So they take turns, and whoever
// has the turn looks again: now nobody else can change what he sees. Whoever is too late for a turn is too late for the lock.
async function replaced(path: string, old: string, own: Holder, turns: number): Promise<Holder | null | "nobody"> {
  if (turns === 0) return null;
  const turn = `${path}.turn`;
  const holder = await taken(turn, own, turns - 1);
  if (holder !== own) return holder;
  try {
    if ((await contentOf(path)) === old) await rm(path, { force: true });
    return (await put(path, own)) ? own : "nobody";
  } finally {
    await released(turn);
  }
}

async function released(path: string): Promise<void> {
  if (ownPaths.delete(path)) await rm(path, { force: true });
}

async function put(path: string, own: Holder): Promise<boolean> {
  const fresh = beside(path);
  await writeFile(fresh, `${JSON.stringify(own)}\n`, { mode: 0o600 });
  try {
    await link(fresh, path);
    ownPaths.add(path);
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

/** Null when it is gone. */
async function contentOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Null when nobody can be read out of it. */
function holderIn(content: string): Holder | null {
  try {
    return holderSchema.parse(JSON.parse(content));
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

function held(sessionPath: string, { pid, host, since }: Holder): SessionHeldError {
  const session = basename(sessionPath, ".jsonl");
  if (pid === process.pid && host === hostname()) return new SessionHeldError(`session ${session} is open already`);
  const where = host === hostname() ? `pid ${pid}` : `pid ${pid} on ${host}`;
  const moment = new Date(since).toISOString().slice(0, 16).replace("T", " ");
  return new SessionHeldError(
    `session ${session} is open in another process (${where}, since ${moment} UTC); leave it there first`,
  );
}
