// The transcript of a hosted session on disk: one closed block a line, private to its owner, the oldest given up by size. It is
// written as blocks close and read when memory does not have them: forwards from a number, or backwards from one, a part at a
// time.
//
//   {"session":"20260101-120000-1f2e3d4c"}
//   {"seq":1700000000000042,"session":"s1","block":{"kind":"prose",…}}
import { createLineSplitter } from "../agents/dialects/frames/line-splitter.js";
import { type BlockLine, blockLine, lineOf } from "./block-line.js";
import { JoinedFiles } from "./joined-files.js";
import { LogFile } from "./log-file.js";
import { rangeAround } from "./numbered-lines.js";
import { blocksOfOld, type OldLine } from "./old-transcript.js";

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
      text: "the beginning of this session is not kept any more",
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
