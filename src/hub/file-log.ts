// An append-only log of one process, with one JSON line per record, which is on disk before the call returns. A file that has
// grown too large, or holds too many questions that are over, is rewritten with what still matters: current values, questions
// without an end, and the newest that have one.
//
//   {"seq":1,"at":1767225600000,"subject":{"kind":"question","machine":"here","daemon":"here","ask":"p1"},"body":"e30="}
import {
  closeSync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import * as z from "zod";
import {
  type AnswerRecord,
  type AskAddress,
  type EndRecord,
  type HubRecord,
  type HubSubject,
  isOnce,
  type NowSubject,
  type OnceSubject,
  subjectKey,
  subjectSchema,
} from "./hub.js";

const lineSchema = z.object({
  seq: z.int(),
  at: z.number(),
  subject: subjectSchema,
  /** In base64; null removes what was so. */
  body: z.string().nullable(),
});

export interface FileLogOptions {
  readonly path: string;
  readonly wallMs?: () => number;
  readonly bytesMax?: number;
  /** Of so many asks that are over the records are kept when the file is rewritten; it holds at most twice as many. */
  readonly endedMax?: number;
}

const BYTES_MAX = 16 * 1024 * 1024;
const ENDED_MAX = 2_000;

export class FileLog {
  private readonly options: Required<FileLogOptions>;
  private readonly records = new Map<string, HubRecord<HubSubject>>();
  private file: number;
  private sizeBytes = 0;
  private lastSeq = 0;
  /** How many asks are over. */
  private ended = 0;

  /** Throws when the file cannot be opened. */
  constructor({ wallMs = Date.now, bytesMax = BYTES_MAX, endedMax = ENDED_MAX, path }: FileLogOptions) {
    this.options = { path, wallMs, bytesMax, endedMax };
    this.file = openSync(path, "a+", 0o600);
    syncFolderOf(path);
    this.load();
  }

  put(subject: OnceSubject, body: Uint8Array): "stored" | "exists" {
    const before = this.records.get(subjectKey(subject));
    if (before !== undefined) return Buffer.compare(before.body, body) === 0 ? "stored" : "exists";
    this.append(subject, body);
    return "stored";
  }

  set(subject: NowSubject, body: Uint8Array | null): void {
    if (body === null && !this.records.has(subjectKey(subject))) return;
    this.append(subject, body);
  }

  get(subject: OnceSubject): Uint8Array | null {
    return this.records.get(subjectKey(subject))?.body ?? null;
  }

  nextAnswer({ machine, daemon, ask }: AskAddress, afterSeq: number): AnswerRecord | null {
    const prefix = `answer/${machine}/${daemon}/${ask}/`;
    for (const [key, record] of this.records) {
      if (key.startsWith(prefix) && record.seq > afterSeq) return record as AnswerRecord;
    }
    return null;
  }

  all<Kind extends HubSubject["kind"]>(kind: Kind): HubRecord<Extract<HubSubject, { kind: Kind }>>[] {
    const found = [...this.records.values()].filter(({ subject }) => subject.kind === kind);
    return found as HubRecord<Extract<HubSubject, { kind: Kind }>>[];
  }

  ends(recordsMax: number): EndRecord[] {
    return this.all("end").slice(-recordsMax);
  }

  /** May be called more than once. */
  close(): void {
    if (this.file >= 0) closeSync(this.file);
    this.file = -1;
  }

  private append(subject: HubSubject, body: Uint8Array | null): void {
    const seq = this.lastSeq + 1;
    const at = this.options.wallMs();
    this.write(this.file, lineOf({ subject, seq, atMs: at, body }));
    this.take({ seq, at, subject, body: body === null ? null : Buffer.from(body).toString("base64") });
    const { bytesMax, endedMax } = this.options;
    if (this.sizeBytes > bytesMax || this.ended > 2 * endedMax) this.compact();
  }

  // A line that a full disk cut short is taken off again, or it would spoil the next one.
  private write(file: number, line: string): void {
    try {
      writeSync(file, line);
      fdatasyncSync(file);
    } catch (error) {
      ftruncateSync(file, this.sizeBytes);
      throw error;
    }
    this.sizeBytes += Buffer.byteLength(line);
  }

  private take({ seq, at, subject, body }: z.infer<typeof lineSchema>): void {
    this.lastSeq = Math.max(this.lastSeq, seq);
    const key = subjectKey(subject);
    if (body === null) this.records.delete(key);
    else if (!isOnce(subject) || !this.records.has(key)) {
      // A copy of its own: a small Buffer is part of a slab of 8 kB, which it would keep.
      this.records.set(key, { subject, seq, atMs: at, body: new Uint8Array(Buffer.from(body, "base64")) });
      if (subject.kind === "end") this.ended += 1;
    }
  }

  // A process that was killed may have left half a line at the end.
  private load(): void {
    const bytes = readFileSync(this.options.path);
    this.sizeBytes = bytes.lastIndexOf(0x0a) + 1;
    if (this.sizeBytes < bytes.length) ftruncateSync(this.file, this.sizeBytes);
    for (const line of bytes.subarray(0, this.sizeBytes).toString("utf8").split("\n")) {
      const read = lineSchema.safeParse(parsed(line));
      if (read.success) this.take(read.data);
    }
  }

  private compact(): void {
    const { path, endedMax } = this.options;
    const dropped = new Set(
      this.all("end")
        .slice(0, -endedMax)
        .map(({ subject }) => addressKey(subject)),
    );
    const kept = [...this.records].filter(([, { subject }]) => !(isOnce(subject) && dropped.has(addressKey(subject))));
    const text = kept.map(([, record]) => lineOf(record)).join("");
    const fresh = openSync(`${path}.new`, "w", 0o600);
    writeSync(fresh, text);
    fdatasyncSync(fresh);
    closeSync(fresh);
    renameSync(`${path}.new`, path);
    syncFolderOf(path);
    closeSync(this.file);
    this.file = openSync(path, "a+", 0o600);
    this.sizeBytes = Buffer.byteLength(text);
    this.records.clear();
    for (const [key, record] of kept) this.records.set(key, record);
    this.ended = this.all("end").length;
  }
}

function lineOf({
  subject,
  seq,
  atMs,
  body,
}: Omit<HubRecord<HubSubject>, "body"> & { body: Uint8Array | null }): string {
  const line = { seq, at: atMs, subject, body: body === null ? null : Buffer.from(body).toString("base64") };
  return `${JSON.stringify(line)}\n`;
}

/** A new name is on disk when its folder is. Some systems cannot open a folder, and need no such care. */
function syncFolderOf(path: string): void {
  try {
    const folder = openSync(dirname(path), "r");
    fsyncSync(folder);
    closeSync(folder);
  } catch {}
}

function addressKey({ machine, daemon, ask }: AskAddress): string {
  return `${machine}/${daemon}/${ask}`;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
