// The transcript of a hosted session on disk: one JSON object a line, private to its owner, old parts given up by size. It is
// written as things settle and read when somebody needs what memory has given up: forwards from a number, or backwards from
// one, a piece at a time.
//
//   {"session":"20260101-120000-1f2e3d4c"}
//   {"seq":1700000000000042,"begins":"here","event":{"type":"message.finished",…}}
import { createLineSplitter } from "../agents/dialects/frames/line-splitter.js";
import { JoinedFiles } from "./joined-files.js";
import { type Begins, type KeptItem, keptItem, lineOf, type SessionItem } from "./kept-item.js";
import { LogFile } from "./log-file.js";
import { rangeAround } from "./numbered-lines.js";
import type { TranscriptPage } from "./transcript-page.js";

/** "beginning" comes first when all that was ever written is still there. */
export type ReadItem = KeptItem | "beginning";

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

  /** Goes on in a file whose last line a crash may have torn. */
  goOn(): void {
    this.file.write("");
  }

  write(item: SessionItem, seq: number, begins: Begins): void {
    this.file.write(lineOf(item, seq, begins));
  }

  flush(): Promise<void> {
    return this.file.flush();
  }

  /** Everything between two numbers, the second one included. A torn line is left out. */
  async *read(afterSeq: number, upToSeq: number): AsyncGenerator<ReadItem, void, void> {
    const files = await this.open();
    try {
      const from = afterSeq === 0 ? 0 : (await rangeAround(files, afterSeq)).from;
      for await (const item of itemsIn(files, { from, to: files.sizeBytes })) {
        if (item === "beginning") yield item;
        else if (item.seq > upToSeq) return;
        else if (item.seq > afterSeq) yield item;
      }
    } finally {
      await files.close();
    }
  }

  /** The piece that ends before this number: about so much, from a place where one can begin. */
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
  const items: KeptItem[] = [];
  let hasBeginning = false;
  for await (const item of itemsIn(files, { from, to })) {
    if (item === "beginning") hasBeginning = true;
    else if (item.seq < seq) items.push(item);
  }
  // The first line of a range may be half of one, and what cannot be read is left out.
  const isFarEnough = from === 0 || (to - from >= LOOK_BACK_BYTES_MAX && items.length > 0);
  const start = pageStart(items, charsMin) ?? (isFarEnough ? 0 : null);
  if (start === null) return null;
  const isAll = from === 0 && start === 0;
  return {
    items: items.slice(start),
    earlier: isAll ? null : (items[start]?.seq ?? null),
    beginning: isAll && !hasBeginning ? "lost" : "kept",
  };
}

/** Where a piece of at least this weight begins; null when there is no such place. */
function pageStart(items: readonly Pick<KeptItem, "weight" | "begins">[], weightMin: number): number | null {
  let weight = 0;
  for (let at = items.length - 1; at >= 0; at -= 1) {
    weight += items[at]?.weight ?? 0;
    if (weight >= weightMin && items[at]?.begins === "here") return at;
  }
  return null;
}

async function* itemsIn(
  files: JoinedFiles,
  { from, to }: { from: number; to: number },
): AsyncGenerator<ReadItem, void, void> {
  const splitter = createLineSplitter();
  for (let at = from; at < to; at += CHUNK_BYTES) {
    for (const line of splitter.push(await files.read(at, Math.min(to, at + CHUNK_BYTES)))) {
      const item = line.kind === "line" ? itemOf(line.text) : null;
      if (item !== null) yield item;
    }
  }
}

const HEAD = /^\{"seq":(\d{1,16}),("begins":"here",)?"(event|settled)":/;

// What is sent is what is written: the text is cut out of the line, after a look whether the line is whole.
function itemOf(line: string): ReadItem | null {
  if (line.startsWith('{"session":')) return "beginning";
  const [head, seq, mark, kind] = HEAD.exec(line) ?? [];
  if (head === undefined || !isJson(line)) return null;
  const data = `data: ${line.slice(head.length, -1)}\n\n`;
  const frame = kind === "settled" ? `event: settled\n${data}` : data;
  return keptItem(Number(seq), frame, { begins: mark === undefined ? "before" : "here" });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
