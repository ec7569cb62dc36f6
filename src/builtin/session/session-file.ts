// A session on disk: lines are added as things happen and made durable at the end of each turn, so that a crash loses at
// most the turn it came in. The file is private, belongs to one process at a time, and appears with the first message; a
// disk that refuses is reported once, and the conversation continues without it.

import { type FileHandle, open } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { errorMessage } from "../../contract/plain-word.js";
import { type FileLock, type LockAttempt, takeLock } from "../../system/file-lock.js";
import type { Clock } from "../../system/timers.js";
import { makePrivateFolder } from "../state-folder.js";
import { type SessionHeader, type SessionRecord, sessionLine } from "./session-record.js";

export type SessionFileOptions = {
  readonly path: string;
  readonly header: SessionHeader;
  /** "new": the header is written first. */
  readonly state: "new" | "resumed";
  /** Taken already, before the file was read; null leaves it to the first line that is written. */
  readonly lock: SessionLock | null;
  readonly clock: Clock;
  /** Takes out what must not be on disk. */
  redact?(record: SessionRecord): SessionRecord;
  onProblem(words: string): void;
};

const NEWLINE = 0x0a;

export class SessionFile {
  readonly path: string;
  readonly #options: SessionFileOptions;
  #handle: FileHandle | null = null;
  #lock: SessionLock | null;
  #failed: string | null = null;
  /** Everything goes through here, one after the other. */
  #last: Promise<void> = Promise.resolve();

  constructor(options: SessionFileOptions) {
    this.path = options.path;
    this.#options = options;
    this.#lock = options.lock;
  }

  append(record: SessionRecord): Promise<void> {
    const { redact = (whole: SessionRecord) => whole } = this.#options;
    const line = sessionLine(redact(record));
    return this.#next(async () => {
      await (await this.#opened()).appendFile(line);
    });
  }

  /** What was added is on the disk when this resolves. */
  sync(): Promise<void> {
    return this.#next(async () => this.#handle?.sync());
  }

  /** Writes the file even when there is nothing in it yet; says why it could not be written, or null. */
  async save(): Promise<string | null> {
    this.#failed = null;
    await this.#next(async () => (await this.#opened()).sync());
    return this.#failed;
  }

  async close(): Promise<void> {
    await this.#next(async () => {
      await this.#handle?.sync();
      await this.#handle?.close();
      this.#handle = null;
    });
    await this.#lock?.release().catch(() => {});
    this.#lock = null;
  }

  #next(act: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(async () => {
      if (this.#failed !== null) return;
      try {
        await act();
      } catch (error) {
        this.#failed = errorMessage(error);
        this.#options.onProblem(`the session is not being saved: ${this.#failed}`);
      }
    });
    return this.#last;
  }

  async #opened(): Promise<FileHandle> {
    if (this.#handle !== null) return this.#handle;
    const { path, header, state, clock } = this.#options;
    await makePrivateFolder(dirname(path));
    this.#lock ??= await lockSession(path, clock);
    const handle = await open(path, "a+", 0o600);
    this.#handle = handle;
    const { size } = await handle.stat();
    if (size === 0 && state === "new") await handle.appendFile(sessionLine(header));
    // A line that a crash tore must not swallow the one behind it.
    else if (size > 0 && !(await endsWithNewline(handle, size))) await handle.appendFile("\n");
    return handle;
  }
}

async function endsWithNewline(handle: FileHandle, size: number): Promise<boolean> {
  const { buffer } = await handle.read({ buffer: Buffer.alloc(1), position: size - 1 });
  return buffer[0] === NEWLINE;
}

// One process at a time may write to a session file: two would mix their lines into a conversation that never took place.
export type SessionLock = FileLock;

/** The session is open elsewhere; the message says where. */
export class SessionHeldError extends Error {
  override readonly name = "SessionHeldError";
}

// The agent of a killed daemon notices a moment later that it is alone; the next daemon may ask for its session before that.
const HELD_TRIES = 20;
const HELD_PAUSE_MS = 100;

/**
 * Rejects with a SessionHeldError when another process has the session and keeps it for two seconds, and with the system's words
 * when no lock can be written.
 */
export async function lockSession(sessionPath: string, clock: Clock): Promise<SessionLock> {
  const path = `${sessionPath}.lock`;
  const attempt = await takeWhenFree(path, clock);
  if (attempt.kind === "taken") return attempt.lock;
  const session = basename(sessionPath, ".jsonl");
  if (attempt.kind === "contended")
    throw new SessionHeldError(`session ${session} is being opened in another process; try again`);
  const { pid, host, since } = attempt.by;
  if (attempt.life === "alive" && pid === process.pid) throw new SessionHeldError(`session ${session} is already open`);
  const place = attempt.life === "alive" ? `pid ${pid}` : `pid ${pid} on ${host}`;
  const advice = attempt.life === "alive" ? "" : `. If that process is gone, remove ${path}`;
  const words = `session ${session} is open in another process (${place}, since ${moment(since)}); quit it there first`;
  throw new SessionHeldError(words + advice);
}

async function takeWhenFree(path: string, clock: Clock): Promise<LockAttempt> {
  const { signal } = new AbortController();
  for (let tries = 0; ; tries += 1) {
    const attempt = await takeLock(path, { nowMs: () => clock.nowMs() });
    const mayEnd = attempt.kind === "held" && attempt.life === "alive" && attempt.by.pid !== process.pid;
    if (!mayEnd || tries === HELD_TRIES) return attempt;
    await clock.wait(HELD_PAUSE_MS, signal);
  }
}

function moment(sinceMs: number): string {
  const date = new Date(sinceMs);
  return Number.isNaN(date.getTime()) ? "some time" : `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
