// All saved sessions: where they are, the list of them, and how to load one.
import { open, readdir, readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { randomHex } from "../../system/random-hex.js";
import { type RecordedSession, readBeginning, readSession } from "./session-record.js";

export type SavedSession = {
  readonly id: string;
  readonly path: string;
  readonly cwd: string;
  /** When something was last added. */
  readonly timestamp: number;
  readonly model: string;
  /** How it began. */
  readonly title: string;
};

const LISTED_MAX = 200;
/** Files have the moment of their making in their names, so that very old ones need not be looked at. */
const LOOKED_AT_MAX = 1_000;
/** As much of a file as is looked at for the list. */
const BEGINNING_BYTES = 64 * 1024;
const TITLE_CHARS_MAX = 100;
const FILE_BYTES_MAX = 256 * 1024 * 1024;

export class SessionStore {
  readonly folder: string;

  constructor(stateFolder: string) {
    this.folder = join(stateFolder, "sessions");
  }

  /** Ids sort by the moment of their making, and no two are the same. */
  newId(nowMs: number): string {
    const moment = new Date(nowMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-");
    return `${moment}-${randomHex(4)}`;
  }

  pathOf(id: string): string {
    return join(this.folder, `${id}.jsonl`);
  }

  /** A session is named by its file, or by its id. */
  placeOf(named: string): string {
    return /^[\w-]+$/.test(named) ? this.pathOf(named) : resolve(named);
  }

  /** Whether a file is one of the store; one from elsewhere may say anything of its folder. */
  holds(path: string | null): boolean {
    return path !== null && dirname(path) === resolve(this.folder);
  }

  /** The newest first. */
  async list(): Promise<SavedSession[]> {
    const names = await readdir(this.folder).catch(() => []);
    const newest = names
      .filter((name) => name.endsWith(".jsonl"))
      .sort()
      .reverse()
      .slice(0, LOOKED_AT_MAX);
    const files = newest.map((name) => join(this.folder, name));
    const found: SavedSession[] = [];
    for (const path of files) {
      const session = await beginningOf(path).catch(() => null);
      if (session !== null) found.push(session);
    }
    return found.sort((a, b) => b.timestamp - a.timestamp).slice(0, LISTED_MAX);
  }

  /** The session in a file, null when there is no such file. Rejects, in words, when it is none. */
  async read(path: string): Promise<RecordedSession | null> {
    const found = await stat(path).catch(() => null);
    if (found !== null && !found.isFile()) throw new Error(`${path} is not a file`);
    if (found === null || found.size === 0) return null;
    if (found.size > FILE_BYTES_MAX) throw new Error(`${path} is too long: ${found.size} bytes`);
    const session = readSession((await readFile(path, "utf8")).split("\n"));
    if (session === null) throw new Error(`${path} is not a session of Palaver`);
    return session;
  }
}

async function beginningOf(path: string): Promise<SavedSession | null> {
  if (!(await stat(path)).isFile()) return null;
  const handle = await open(path, "r");
  try {
    const { mtimeMs } = await handle.stat();
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(BEGINNING_BYTES), position: 0 });
    const beginning = readBeginning(buffer.toString("utf8", 0, bytesRead).split("\n"));
    if (beginning === null) return null;
    const { id, cwd, model } = beginning.header;
    const title = beginning.title.replaceAll(/\s+/g, " ").trim().slice(0, TITLE_CHARS_MAX);
    return { id, path, cwd, timestamp: Math.round(mtimeMs), model, title };
  } finally {
    await handle.close();
  }
}
