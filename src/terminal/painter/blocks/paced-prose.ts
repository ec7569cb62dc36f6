// Prose that may come in megabytes at once: it is read a slice at a time, so that a frame costs the same whatever an agent
// sends, and keys are heard in between. What is short goes straight through.
import type { MarkdownStream } from "../markdown/markdown-stream.js";

/** Some milliseconds of reading. */
const SLICE_UNITS = 12 * 1024;

export class PacedProse {
  private readonly stream: MarkdownStream;
  private waiting = "";
  private from = 0;
  private isComplete = false;

  constructor(stream: MarkdownStream) {
    this.stream = stream;
  }

  /** Whether there is more to read than was read so far. */
  get isBehind(): boolean {
    return this.from < this.waiting.length;
  }

  append(delta: string): void {
    if (!this.isBehind && delta.length <= SLICE_UNITS) {
      this.stream.append(delta);
      return;
    }
    this.waiting = this.waiting.slice(this.from) + delta;
    this.from = 0;
  }

  finish(): void {
    this.isComplete = true;
    if (!this.isBehind) this.stream.finish();
  }

  takeSettled(widthCells: number): string[] {
    this.readOn();
    return this.stream.takeSettled(widthCells);
  }

  liveRows(widthCells: number): string[] {
    return this.stream.liveRows(widthCells);
  }

  private readOn(): void {
    if (!this.isBehind) return;
    this.stream.append(this.waiting.slice(this.from, this.from + SLICE_UNITS));
    this.from += SLICE_UNITS;
    if (this.isBehind) return;
    this.waiting = "";
    this.from = 0;
    if (this.isComplete) this.stream.finish();
  }
}
