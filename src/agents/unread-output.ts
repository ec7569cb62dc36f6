// What an agent has written and nobody has read for good: lines are looked at one by one, and those that are kept come out
// again as bytes, together with the beginning of a line that is not complete yet.
import { createLineSplitter, type RawLine } from "./dialects/frames/line-splitter.js";

const NEWLINE = 0x0a;
const BEGINNING_BYTES_SHOWN = 200;

export class UnreadOutput {
  /** How much is kept. */
  sizeBytes = 0;
  private readonly splitter = createLineSplitter();
  private lines: Uint8Array[] = [];
  private beginning: Uint8Array[] = [];

  /** The lines that became complete. */
  push(chunk: Uint8Array): RawLine[] {
    const last = chunk.lastIndexOf(NEWLINE);
    if (last >= 0) this.beginning = [];
    // The caller may use the chunk again.
    this.beginning.push(chunk.slice(last + 1));
    return this.splitter.push(chunk);
  }

  /** The stream is over, and what stood after the last newline is a line too. */
  end(): RawLine[] {
    this.beginning = [];
    return this.splitter.end();
  }

  keep(line: string): void {
    const bytes = new TextEncoder().encode(`${line}\n`);
    this.lines.push(bytes);
    this.sizeBytes += bytes.length;
  }

  /** The beginning of a line that is not complete yet. */
  get unfinished(): string {
    return new TextDecoder().decode(
      this.beginning.find(({ length }) => length > 0)?.subarray(0, BEGINNING_BYTES_SHOWN),
    );
  }

  forgetLines(): void {
    this.lines = [];
    this.sizeBytes = 0;
  }

  drain(): Uint8Array[] {
    const all = [...this.lines, ...this.beginning].filter(({ length }) => length > 0);
    this.forgetLines();
    this.beginning = [];
    return all;
  }
}
