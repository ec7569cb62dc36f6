// Output of an agent before its wire is known. Lines are examined one by one; kept lines come out again as bytes, with the
// beginning of an incomplete line.
import { createLineSplitter, type RawLine } from "./dialects/frames/line-splitter.js";

const NEWLINE = 0x0a;
const BEGINNING_BYTES_SHOWN = 200;

export class UnreadOutput {
  sizeBytes = 0;
  private readonly splitter = createLineSplitter();
  private lines: Uint8Array[] = [];
  private beginning: Uint8Array[] = [];

  /** The completed lines. */
  push(chunk: Uint8Array): RawLine[] {
    const last = chunk.lastIndexOf(NEWLINE);
    if (last >= 0) this.beginning = [];
    // The caller may reuse the chunk.
    this.beginning.push(chunk.slice(last + 1));
    return this.splitter.push(chunk);
  }

  /** The stream ended; text after the last newline is a line too. */
  end(): RawLine[] {
    this.beginning = [];
    return this.splitter.end();
  }

  keep(line: string): void {
    const bytes = new TextEncoder().encode(`${line}\n`);
    this.lines.push(bytes);
    this.sizeBytes += bytes.length;
  }

  /** The beginning of the incomplete line. */
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
