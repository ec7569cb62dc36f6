// A window of lines out of a file of any size. Bytes stream through; before the window lines are only counted, behind it
// reading stops, and a line of a gigabyte costs no more memory than the part of it that is shown.
import type { FileHandle } from "node:fs/promises";
import { LINE_CHARS_MAX, READ_BYTES_MAX } from "./limits.js";

export type WindowOptions = { readonly firstLine: number; readonly lineCountMax: number; readonly signal: AbortSignal };

export type LineWindow = {
  readonly lines: readonly string[];
  /** Lines of the whole file, when it was read to its end. */
  readonly totalLines: number | null;
  readonly bytesRead: number;
  readonly endsWithNewline: boolean | null;
  readonly crlfLines: number;
  readonly cutLines: number;
};

const CHUNK_BYTES = 256 * 1024;
/** Smaller files are counted to their end, so that the model knows how much there is. */
const COUNT_BYTES_MAX = 8 * 1024 * 1024;
const LINE_BYTES_MAX = LINE_CHARS_MAX * 4;
const NEWLINE = 0x0a;

export async function readWindow(file: FileHandle, wish: WindowOptions): Promise<LineWindow> {
  const collector = new LineCollector(wish);
  const chunk = Buffer.alloc(CHUNK_BYTES);
  const { size } = await file.stat();
  for (;;) {
    wish.signal.throwIfAborted();
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, null);
    if (bytesRead === 0) return collector.result("whole");
    collector.take(chunk.subarray(0, bytesRead));
    // Files of /proc have no size, so what was read counts too.
    if (collector.isFull && Math.max(size, collector.bytesRead) > COUNT_BYTES_MAX) return collector.result("part");
  }
}

class LineCollector {
  bytesRead = 0;
  private readonly wish: WindowOptions;
  private readonly lines: string[] = [];
  private lineNumber = 1;
  private lineBytes = 0;
  private kept: Buffer[] = [];
  private keptBytes = 0;
  private shownBytes = 0;
  private crlfLines = 0;
  private cutLines = 0;

  constructor(wish: WindowOptions) {
    this.wish = wish;
  }

  get isFull(): boolean {
    return this.lines.length >= this.wish.lineCountMax || this.shownBytes >= READ_BYTES_MAX;
  }

  take(chunk: Buffer): void {
    this.bytesRead += chunk.length;
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.keep(chunk.subarray(start, end));
      this.endLine();
      start = end + 1;
    }
    this.keep(chunk.subarray(start));
  }

  result(extent: "whole" | "part"): LineWindow {
    const hasRest = this.lineBytes > 0;
    if (extent === "whole" && hasRest) this.endLine();
    return {
      lines: this.lines,
      totalLines: extent === "whole" ? this.lineNumber - 1 : null,
      bytesRead: this.bytesRead,
      endsWithNewline: extent === "whole" ? !hasRest : null,
      crlfLines: this.crlfLines,
      cutLines: this.cutLines,
    };
  }

  private get isInside(): boolean {
    return this.lineNumber >= this.wish.firstLine && !this.isFull;
  }

  private keep(bytes: Buffer): void {
    this.lineBytes += bytes.length;
    const room = LINE_BYTES_MAX - this.keptBytes;
    if (!this.isInside || room <= 0 || bytes.length === 0) return;
    // The chunk is used again for the next read, so what is kept is copied.
    const part = Buffer.from(bytes.subarray(0, room));
    this.kept.push(part);
    this.keptBytes += part.length;
  }

  private endLine(): void {
    if (this.isInside) this.show();
    this.lineNumber++;
    this.lineBytes = 0;
    this.kept = [];
    this.keptBytes = 0;
  }

  private show(): void {
    const text = Buffer.concat(this.kept).toString("utf8");
    const isCrlf = text.endsWith("\r") && this.keptBytes === this.lineBytes;
    if (isCrlf) this.crlfLines++;
    const line = isCrlf ? text.slice(0, -1) : text;
    const isCut = line.length > LINE_CHARS_MAX || this.lineBytes > this.keptBytes;
    if (isCut) this.cutLines++;
    const shown = isCut ? `${line.slice(0, LINE_CHARS_MAX)}… (${this.lineBytes} bytes in this line)` : line;
    this.lines.push(shown);
    this.shownBytes += Buffer.byteLength(shown) + 1;
  }
}
