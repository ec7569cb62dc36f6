// The transcript of a hosted session on disk: one closed block a line, private to its owner, the oldest dropped by size. It is
// written as blocks close and read when memory does not have them: forwards from a number, or backwards from one, a part at a
// time.
//
//   {"session":"20260101-120000-1f2e3d4c"}
//   {"seq":1700000000000042,"session":"s1","block":{"kind":"prose",…}}
import { type FileHandle, open } from "node:fs/promises";
import { createLineSplitter } from "../agents/dialects/frames/line-splitter.js";
import { type OldTranscriptLine, oldTranscriptLineSchema } from "../contract/session-changes.js";
import { emptyTranscript, reduceTranscript, type TranscriptInput } from "../session/transcript/transcript.js";
import { type BlockLine, blockLine, lineOf } from "./block-line.js";
import { LogFile } from "./log-file.js";

export interface TranscriptPage {
  /** The oldest first. */
  readonly lines: readonly BlockLine[];
  /** Where the part before this one ends; null when this is the first. */
  readonly earlier: number | null;
  /** "lost": this is the first part, and there was more once. */
  readonly beginning: "kept" | "lost";
}

type ReadLine = BlockLine | (OldLine & { readonly begins: "here" | "before" });

const FILE_BYTES_MAX = 64 * 1024 * 1024;
const OLD_FILES_MAX = 1;
const CHUNK_BYTES = 256 * 1024;

/** So far back one looks for a place to begin at; beyond it any line has to do. */
const LOOK_BACK_BYTES_MAX = 8 * 1024 * 1024;

export class TranscriptFile {
  private readonly path: string;
  private readonly file: LogFile;

  constructor(path: string) {
    this.path = path;
    this.file = new LogFile({ path, bytesMax: FILE_BYTES_MAX, oldFilesMax: OLD_FILES_MAX });
  }

  begin(sessionId: string): void {
    this.file.write(JSON.stringify({ session: sessionId }));
  }

  /** Continues in a file whose last line a crash may have torn. */
  goOn(): void {
    this.file.write("");
  }

  write(line: string): void {
    this.file.write(line);
  }

  flush(): Promise<void> {
    return this.file.flush();
  }

  /** The blocks between two numbers, the second one included. A torn line is left out. */
  async *read(afterSeq: number, upToSeq: number): AsyncGenerator<BlockLine, void, void> {
    const files = await this.open();
    try {
      const { from } = await rangeAround(files, afterSeq);
      for await (const line of linesIn(files, { from, to: files.sizeBytes })) {
        if (line === "beginning" || "old" in line || line.seq <= afterSeq) continue;
        if (line.seq > upToSeq) return;
        yield line;
      }
    } finally {
      await files.close();
    }
  }

  /** The part that ends before this number: about so much. */
  async before(seq: number, charsMin: number): Promise<TranscriptPage> {
    const files = await this.open();
    try {
      const { to } = await rangeAround(files, seq - 1);
      for (let bytes = Math.max(CHUNK_BYTES, charsMin * 2); ; bytes *= 4) {
        const page = await pageIn(files, { from: Math.max(0, to - bytes), to, seq, charsMin });
        if (page !== null) return page;
      }
    } finally {
      await files.close();
    }
  }

  private async open(): Promise<JoinedFiles> {
    await this.file.flush();
    return JoinedFiles.open([`${this.path}.${OLD_FILES_MAX}`, this.path]);
  }
}

interface PageOptions {
  readonly from: number;
  readonly to: number;
  readonly seq: number;
  readonly charsMin: number;
}

/** Null when one has to look further back for a place to begin at. */
async function pageIn(files: JoinedFiles, { from, to, seq, charsMin }: PageOptions): Promise<TranscriptPage | null> {
  const lines: ReadLine[] = [];
  let hasBeginning = false;
  for await (const line of linesIn(files, { from, to })) {
    if (line === "beginning") hasBeginning = true;
    else if (line.seq < seq) lines.push(line);
  }
  // The first line of a range may be half of one, and what cannot be read is left out.
  const isFarEnough = from === 0 || (to - from >= LOOK_BACK_BYTES_MAX && lines.length > 0);
  const start = pageStart(lines, charsMin) ?? (isFarEnough ? 0 : null);
  if (start === null) return null;
  const isAll = from === 0 && start === 0;
  const isLost = isAll && !hasBeginning;
  return {
    lines: [...(isLost ? [beginningLost] : []), ...asBlocks(lines.slice(start))],
    earlier: isAll ? null : (lines[start]?.seq ?? null),
    beginning: isLost ? "lost" : "kept",
  };
}

/** Where a part of at least this weight begins; null when there is no such place. */
export function pageStart(lines: readonly ReadLine[], weightMin: number): number | null {
  let weight = 0;
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const line = lines[at];
    weight += line?.weight ?? 0;
    const isBeginning = line !== undefined && (!("old" in line) || line.begins === "here");
    if (weight >= weightMin && isBeginning) return at;
  }
  return null;
}

// Old lines stand before all others.
function asBlocks(lines: readonly ReadLine[]): BlockLine[] {
  const old = lines.filter((line) => "old" in line);
  return [...blocksOfOld(old), ...lines.filter((line): line is BlockLine => !("old" in line))];
}

const beginningLost = blockLine(
  1,
  lineOf({
    seq: 1,
    session: null,
    block: {
      kind: "notice",
      id: "beginning",
      level: "warn",
      text: "the beginning of this session is no longer kept",
    },
  }),
);

async function* linesIn(
  files: JoinedFiles,
  { from, to }: { from: number; to: number },
): AsyncGenerator<ReadLine | "beginning", void, void> {
  const splitter = createLineSplitter();
  for (let at = from; at < to; at += CHUNK_BYTES) {
    for (const line of splitter.push(await files.read(at, Math.min(to, at + CHUNK_BYTES)))) {
      const read = line.kind === "line" ? readLine(line.text) : null;
      if (read !== null) yield read;
    }
  }
}

const HEAD = /^\{"seq":(\d{1,16}),("begins":"here",)?"(session|event|settled)":/;

// What is sent is what is written, after a look whether the line is whole.
function readLine(text: string): ReadLine | "beginning" | null {
  if (text.startsWith('{"session":')) return "beginning";
  const [head, seq, mark, kind] = HEAD.exec(text) ?? [];
  const value = head === undefined ? undefined : parsed(text);
  if (value === undefined) return null;
  const line = blockLine(Number(seq), text);
  if (kind === "session") return line;
  return { seq: line.seq, weight: line.weight, old: value, begins: mark === undefined ? "before" : "here" };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface OldLine {
  readonly seq: number;
  readonly weight: number;
  readonly old: unknown;
}

interface OldItem {
  readonly seq: number;
  readonly session: string | null;
  readonly input: TranscriptInput;
  readonly atMs: number | null;
}

/**
 * Transcripts that Palaver 0.1 wrote become blocks the way they would have become blocks in a session. The lines begin where
 * nothing is half told, so that they are understood without what came before.
 *
 *   {"seq":1700000000000042,"begins":"here","event":{"type":"message.finished",…}}
 *   {"seq":1700000000000043,"settled":{"askId":"q1","ask":{…},"outcome":{…}}}
 */
function blocksOfOld(lines: readonly OldLine[]): BlockLine[] {
  const items = lines.flatMap(itemOf);
  const last = items.at(-1);
  // What is left open was ended by what came after it.
  const end = last === undefined ? [] : [{ ...last, input: { type: "prompt.finished", sessionId: null } as const }];
  const transcripts = new Map<string | null, typeof emptyTranscript>();
  let atMs = items.find((item) => item.atMs !== null)?.atMs ?? 0;
  return [...items, ...end].flatMap(({ seq, session, input, atMs: moment }) => {
    atMs = moment ?? atMs;
    const { state, changes } = reduceTranscript(transcripts.get(session) ?? emptyTranscript, input, atMs);
    transcripts.set(session, state);
    return changes.flatMap((change) =>
      change.type === "closed" ? [blockLine(seq, lineOf({ seq, session, block: change.block }))] : [],
    );
  });
}

function itemOf({ seq, old }: OldLine): OldItem[] {
  const { data } = oldTranscriptLineSchema.safeParse(old);
  if (data === undefined) return [];
  if ("settled" in data) {
    const { ask, outcome } = (data as Extract<OldTranscriptLine, { settled: unknown }>).settled;
    const input = { type: "ask.settled", ask, outcome, delivery: null } as const;
    return [{ seq, session: ask.sessionId, input, atMs: null }];
  }
  const { event } = data as Extract<OldTranscriptLine, { event: unknown }>;
  return [{ seq, session: event.sessionId, input: event, atMs: event.atMs ?? null }];
}

interface ByteRange {
  /** The beginning of a line. */
  readonly from: number;
  /** The end of a line. */
  readonly to: number;
}

const WINDOW_BYTES = 64 * 1024;
const HEAD_BYTES = 64;
const NUMBER = /^\{"seq":(\d{1,16}),/;
const LINE_FEED = 0x0a;

/**
 * A range that holds the place between the last line with at most this number and the first with a greater one. The file is
 * halved until a small range is left; lines without a number are passed over.
 */
async function rangeAround(files: JoinedFiles, seq: number): Promise<ByteRange> {
  let [low, high] = [0, files.sizeBytes];
  while (high - low > WINDOW_BYTES) {
    const middle = Math.floor((low + high) / 2);
    const line = await numberedLineAfter(files, middle, high);
    if (line === null || line.seq > seq) high = middle;
    else low = line.at;
  }
  return { from: low, to: (await lineFeedFrom(files, high)) ?? files.sizeBytes };
}

async function numberedLineAfter(files: JoinedFiles, place: number, end: number): Promise<NumberedLine | null> {
  for (let at = await lineFeedFrom(files, place); at !== null && at < end; at = await lineFeedFrom(files, at)) {
    const head = Buffer.from(await files.read(at, at + HEAD_BYTES)).toString("latin1");
    const [, seq] = NUMBER.exec(head) ?? [];
    if (seq !== undefined) return { at, seq: Number(seq) };
  }
  return null;
}

interface NumberedLine {
  readonly at: number;
  readonly seq: number;
}

/** The place behind the first line feed from here on; null when there is none. */
async function lineFeedFrom(files: JoinedFiles, place: number): Promise<number | null> {
  for (let from = place; from < files.sizeBytes; from += WINDOW_BYTES) {
    const at = (await files.read(from, from + WINDOW_BYTES)).indexOf(LINE_FEED);
    if (at >= 0) return from + at + 1;
  }
  return null;
}

// Several files read as one: the older ones first, each byte under its place in the whole. They are opened together, so that a
// rotation in the meantime changes nothing for the reader; a missing file counts as empty.

interface Part {
  readonly handle: FileHandle;
  /** Where it begins in the whole. */
  readonly at: number;
  readonly sizeBytes: number;
}

class JoinedFiles {
  readonly sizeBytes: number;
  private readonly parts: readonly Part[];

  private constructor(parts: readonly Part[]) {
    this.parts = parts;
    this.sizeBytes = parts.reduce((sum, part) => sum + part.sizeBytes, 0);
  }

  static async open(paths: readonly string[]): Promise<JoinedFiles> {
    const parts: Part[] = [];
    let at = 0;
    for (const path of paths) {
      const handle = await open(path, "r").catch(() => null);
      if (handle === null) continue;
      const { size } = await handle.stat();
      parts.push({ handle, at, sizeBytes: size });
      at += size;
    }
    return new JoinedFiles(parts);
  }

  /** The bytes of a range, as far as there are any. */
  async read(from: number, to: number): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    for (const { handle, at, sizeBytes } of this.parts) {
      const [start, end] = [Math.max(from, at), Math.min(to, at + sizeBytes)];
      if (end <= start) continue;
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(end - start), 0, end - start, start - at);
      pieces.push(buffer.subarray(0, bytesRead));
    }
    return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
  }

  async close(): Promise<void> {
    await Promise.all(this.parts.map(({ handle }) => handle.close().catch(() => undefined)));
  }
}
