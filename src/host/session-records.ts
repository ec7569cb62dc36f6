// The records of hosted sessions on disk, one private folder each, with the transcript beside the record. A record is written
// whole or not at all, and one write at a time.
//
//   sessions/20260101-120000-1f2e3d4c/session.json
//                                     transcript.jsonl
import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type SessionRecord, sessionRecordSchema } from "../contract/hosted-sessions.js";

/** Ids are names of folders and parts of addresses. */
const ID = /^\d{8}-\d{6}-[0-9a-f]{8}$/;

/** How many are listed, the newest; older ones stay on disk until they are deleted. */
const LISTED_MAX = 1_000;

export class SessionRecords {
  private readonly folder: string;
  private readonly waiting = new Map<string, SessionRecord>();
  private readonly forgotten = new Set<string>();
  private writing: Promise<void> | null = null;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Sorts by the moment of its making. */
  newId(nowMs: number): string {
    const moment = new Date(nowMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-");
    return `${moment}-${randomBytes(4).toString("hex")}`;
  }

  transcriptPath(id: string): string {
    return join(this.folder, id, "transcript.jsonl");
  }

  /** The oldest first; other files are left alone. */
  async list(): Promise<SessionRecord[]> {
    const names = await readdir(this.folder).catch(() => []);
    const newest = names
      .filter((name) => ID.test(name))
      .sort()
      .slice(-LISTED_MAX);
    const records = await Promise.all(newest.map((name) => this.read(name)));
    return records.filter((record) => record !== null);
  }

  async makeFolder(id: string): Promise<void> {
    await mkdir(join(this.folder, id), { recursive: true, mode: 0o700 });
  }

  /** Several changes in a row become one write. */
  save(record: SessionRecord): void {
    if (this.forgotten.has(record.id)) return;
    this.waiting.set(record.id, record);
    this.writing ??= this.drain();
  }

  /** All that was saved so far is on disk, or could not be. */
  async flush(): Promise<void> {
    while (this.writing !== null) await this.writing;
  }

  async forget(id: string): Promise<void> {
    this.forgotten.add(id);
    this.waiting.delete(id);
    await this.flush();
    await rm(join(this.folder, id), { recursive: true, force: true });
  }

  private async drain(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    for (let [next] = this.waiting; next !== undefined; [next] = this.waiting) {
      const [id, record] = next;
      this.waiting.delete(id);
      // A full disk must not end the agent; the next change tries again.
      await this.write(record).catch(() => undefined);
    }
    this.writing = null;
  }

  private async write(record: SessionRecord): Promise<void> {
    const path = join(this.folder, record.id, "session.json");
    const fresh = `${path}.new`;
    await writeFile(fresh, `${JSON.stringify(record)}\n`, { mode: 0o600 });
    await rename(fresh, path);
  }

  private async read(id: string): Promise<SessionRecord | null> {
    try {
      const record = sessionRecordSchema.parse(
        JSON.parse(await readFile(join(this.folder, id, "session.json"), "utf8")),
      );
      return record.id === id ? record : null;
    } catch {
      return null;
    }
  }
}
