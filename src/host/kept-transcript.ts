// The closed blocks of a session, each under the number of the change that closed it: the newest in memory, all of them on disk
// as far as there is room. It is read from the end, a part at a time, or forwards from a number.
import type { Block } from "../session/transcript/block.js";
import { type BlockLine, blockLine, lineOf } from "./block-line.js";
import { BoundedHistory, type HistoryBounds } from "./bounded-history.js";
import { pageStart, TranscriptFile, type TranscriptPage } from "./transcript-file.js";

export interface KeptTranscriptOptions {
  readonly path: string;
  readonly sessionId: string;
  /** The last number that can have been given before this process; 0 for a session that is new. */
  readonly lastSeq: number;
  readonly bounds: HistoryBounds;
}

export const TRANSCRIPT_BOUNDS: HistoryBounds = { itemsMax: 200_000, weightMax: 4 * 1024 * 1024 };

const BATCH_CHARS_MAX = 256 * 1024;

export class KeptTranscript {
  private readonly memory: BoundedHistory<BlockLine>;
  private readonly file: TranscriptFile;
  /** The last number that is only on disk. */
  private onDiskUpTo: number;

  constructor({ path, sessionId, lastSeq, bounds }: KeptTranscriptOptions) {
    this.memory = new BoundedHistory(bounds);
    this.file = new TranscriptFile(path);
    this.onDiskUpTo = lastSeq;
    if (lastSeq === 0) this.file.begin(sessionId);
  }

  put(seq: number, session: string | null, block: Block): void {
    const line = blockLine(seq, lineOf({ seq, session, block }));
    this.memory.push(line);
    this.file.write(line.text);
    const first = this.memory.at(this.memory.firstSeq);
    if (this.memory.firstSeq > 0 && first !== undefined) this.onDiskUpTo = Math.max(this.onDiskUpTo, first.seq - 1);
  }

  /** The last line of the file may have been torn by a crash. */
  goOn(): void {
    this.file.goOn();
  }

  flush(): Promise<void> {
    return this.file.flush();
  }

  /** The blocks before this number, about so many characters of them. */
  async before(seq: number, charsMin: number): Promise<TranscriptPage> {
    const lines = this.inMemory((line) => line.seq < seq);
    const start = pageStart(lines, charsMin);
    if (start === null && this.onDiskUpTo > 0) return this.file.before(seq, charsMin);
    const isAll = this.onDiskUpTo === 0 && (start ?? 0) === 0;
    return {
      lines: lines.slice(start ?? 0),
      earlier: isAll ? null : (lines[start ?? 0]?.seq ?? null),
      beginning: "kept",
    };
  }

  /** The blocks between two numbers, the second one included, in batches. */
  async *between(after: number, upTo: number): AsyncGenerator<readonly BlockLine[], void, void> {
    let seq = after;
    while (seq < this.onDiskUpTo) {
      const until = Math.min(this.onDiskUpTo, upTo);
      for await (const batch of batches(this.file.read(seq, until))) yield batch;
      seq = until;
      if (until === upTo) return;
    }
    yield* batches(this.inMemory((line) => line.seq > seq && line.seq <= upTo));
  }

  private inMemory(isWanted: (line: BlockLine) => boolean): BlockLine[] {
    const lines: BlockLine[] = [];
    for (let at = this.memory.firstSeq; at < this.memory.endSeq; at += 1) {
      const line = this.memory.at(at);
      if (line !== undefined && isWanted(line)) lines.push(line);
    }
    return lines;
  }
}

async function* batches(
  lines: AsyncIterable<BlockLine> | Iterable<BlockLine>,
): AsyncGenerator<readonly BlockLine[], void, void> {
  let batch: BlockLine[] = [];
  let chars = 0;
  for await (const line of lines) {
    batch.push(line);
    chars += line.weight;
    if (chars < BATCH_CHARS_MAX) continue;
    yield batch;
    batch = [];
    chars = 0;
  }
  if (batch.length > 0) yield batch;
}
