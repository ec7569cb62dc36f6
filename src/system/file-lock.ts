// A lock between processes: a file that names its holder. At any moment at most one process holds it, and a holder that is
// gone keeps no one out. A link appears whole or not at all, and never over another file, so taking a free lock is one step.
// Replacing the lock of a dead holder is two (remove, link), and only the holder of a second lock may do them:
//
//   s1.jsonl.lock              names a dead process
//   s1.jsonl.lock.turn         the lock of the process that replaces it
//   s1.jsonl.lock.turn.turn    and if that one died as well …
import { constants } from "node:fs";
import { link, readFile, rename, unlink, writeFile } from "node:fs/promises";
import { type Holder, holderIn, lifeOf, type MachineFacts, machineFacts, thisProcess } from "./holder.js";
import { randomHex } from "./random-hex.js";

export type LockAttempt =
  | { readonly kind: "taken"; readonly lock: FileLock }
  /** `life` is "unknown" when the holder runs where it cannot be looked at. */
  | { readonly kind: "held"; readonly by: Holder; readonly life: "alive" | "unknown" }
  /** Other processes came and went at every try. */
  | { readonly kind: "contended" };

export interface LockOptions {
  /** The wall clock, for people who read the file. */
  nowMs?(): number;
  readonly files?: LockFiles;
  readonly facts?: MachineFacts;
}

/** The steps on disk; tests slow them down. */
export interface LockFiles {
  write(path: string, text: string): Promise<void>;
  /** Fails with EEXIST when there is something at `to`. */
  link(from: string, to: string): Promise<void>;
  /** Null when nothing is there. */
  read(path: string): Promise<string | null>;
  remove(path: string): Promise<void>;
}

/** Every failed try means that another process came and went. */
const TRIES_MAX = 10;
/** So many crashes while replacing a lock, each one at the lock of the one before, do not happen. */
const TURNS_MAX = 5;

/** What this process holds. Where start times are unknown, only this tells an own lock from one of an earlier process. */
const ownIds = new Set<string>();

export class FileLock {
  readonly #path: string;
  readonly #id: string;
  readonly #files: LockFiles;

  constructor(path: string, id: string, files: LockFiles) {
    this.#path = path;
    this.#id = id;
    this.#files = files;
  }

  async release(): Promise<void> {
    if (ownIds.delete(this.#id)) await removeOwn(this.#path, this.#id, this.#files);
  }
}

/** Rejects only when the system refuses a lock at this place. */
export async function takeLock(path: string, options: LockOptions = {}): Promise<LockAttempt> {
  const { nowMs = Date.now, files = filesOnDisk, facts = machineFacts() } = options;
  const id = randomHex(12);
  ownIds.add(id);
  const taker: Taker = { own: thisProcess(id, nowMs(), facts), files, facts };
  const attempt = await attemptAt(path, taker, TURNS_MAX).catch((error: unknown) => {
    ownIds.delete(id);
    throw error;
  });
  if (attempt.kind !== "taken") ownIds.delete(id);
  return attempt;
}

/** The process that holds the lock now; null when it is free or its holder is gone. */
export async function lockHolder(path: string, facts = machineFacts()): Promise<Holder | null> {
  const holder = holderIn((await filesOnDisk.read(path)) ?? "");
  return holder !== null && lifeHere(holder, facts) !== "dead" ? holder : null;
}

interface Taker {
  readonly own: Holder;
  readonly files: LockFiles;
  readonly facts: MachineFacts;
}

async function attemptAt(path: string, taker: Taker, turnsLeft: number): Promise<LockAttempt> {
  const { own, files, facts } = taker;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    if (await put(path, taker)) return { kind: "taken", lock: new FileLock(path, own.id, files) };
    const text = await files.read(path);
    if (text === null) continue;
    const holder = holderIn(text);
    const life = holder === null ? "dead" : lifeHere(holder, facts);
    if (holder !== null && life !== "dead") return { kind: "held", by: holder, life };
    const attempt = await replace(path, text, taker, turnsLeft);
    if (attempt !== "again") return attempt;
  }
  return { kind: "contended" };
}

// Between the look at a dead holder's file and its removal another process may have put its own there. So the look is repeated
// under the second lock, where no one else replaces anything. A process that is too late for it is too late for the lock.
async function replace(path: string, old: string, taker: Taker, turnsLeft: number): Promise<LockAttempt | "again"> {
  if (turnsLeft === 0) return { kind: "contended" };
  const { own, files } = taker;
  const turn = `${path}.turn`;
  const attempt = await attemptAt(turn, taker, turnsLeft - 1);
  if (attempt.kind !== "taken") return attempt;
  try {
    if ((await files.read(path)) === old) await files.remove(path);
    return (await put(path, taker)) ? { kind: "taken", lock: new FileLock(path, own.id, files) } : "again";
  } finally {
    await removeOwn(turn, own.id, files);
  }
}

async function put(path: string, { own, files }: Taker): Promise<boolean> {
  const fresh = `${path}.${randomHex(6)}`;
  await files.write(fresh, `${JSON.stringify(own)}\n`);
  try {
    await files.link(fresh, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await files.remove(fresh);
  }
}

async function removeOwn(path: string, id: string, files: LockFiles): Promise<void> {
  const holder = holderIn((await files.read(path)) ?? "");
  if (holder?.id === id) await files.remove(path);
}

function lifeHere(holder: Holder, facts: MachineFacts): "alive" | "dead" | "unknown" {
  const life = lifeOf(holder, facts);
  const isCertain = holder.started_at !== null || holder.pid !== process.pid;
  return life !== "alive" || isCertain || ownIds.has(holder.id) ? life : "dead";
}

const NOT_A_FILE = "\0not a file";
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

const filesOnDisk: LockFiles = {
  write: (path, text) => writeFile(path, text, { mode: 0o600, flag: "wx" }),
  link,
  async read(path) {
    try {
      return await readFile(path, { encoding: "utf8", flag: O_RDONLY | O_NOFOLLOW | O_NONBLOCK });
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      if (code === "ENOENT") return null;
      // A folder, a link, a socket: no holder wrote it.
      if (["EISDIR", "ELOOP", "ENXIO", "EMLINK"].includes(code)) return NOT_A_FILE;
      throw error;
    }
  },
  // A folder is moved aside, not emptied: what is in it is not ours.
  async remove(path) {
    await unlink(path).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return;
      await rename(path, `${path}.${randomHex(6)}.aside`);
    });
  },
};
