// Streaming Markdown as rows. Final rows are handed out once, for the scrollback; the others are shown as they are now.
// Only the open block is read again, so a token costs the same after a megabyte.
//
//     takeSettled →  | Two things are wrong.                |
//                    |                                      |
//                    | const out = [];                      |
//     liveRows    →  | return out.jo                        |

import { BlockReader, type Placed } from "../../../text/markdown/block-reader.js";
import { wrapRow } from "../../../text/wrap.js";
import { type Block, type MarkdownOptions, RowBlocks } from "./row-blocks.js";

export function createMarkdownStream(options: MarkdownOptions): MarkdownStream {
  return new MarkdownStream(new RowBlocks(options));
}

/** The lines of a whole text. */
export function markdownRows(text: string, widthCells: number, options: MarkdownOptions): string[] {
  const stream = createMarkdownStream(options);
  stream.append(text);
  stream.finish();
  return stream.takeSettled(widthCells);
}

export class MarkdownStream {
  private readonly reader: BlockReader<Block>;
  /** Ended blocks that were not handed out. */
  private readonly closed: Placed<Block>[] = [];
  /** The block whose first rows were handed out. */
  private begun: Placed<Block> | undefined;
  private hasSettled = false;
  private isFinished = false;
  private shown: { widthCells: number; rows: string[] } | undefined;

  constructor(blocks: RowBlocks) {
    this.reader = new BlockReader(blocks);
  }

  append(delta: string): void {
    if (delta === "" || this.isFinished) return;
    this.shown = undefined;
    this.reader.append(delta);
  }

  finish(): void {
    if (this.isFinished) return;
    this.isFinished = true;
    this.shown = undefined;
    this.reader.finish();
  }

  /** Final lines, each once and in order, wrapped to this width. */
  takeSettled(widthCells: number): string[] {
    const rows: string[] = [];
    for (const placed of this.reader.takeClosed()) this.closed.push(placed);
    for (const placed of this.closed) this.settle(placed, widthCells, rows);
    this.closed.length = 0;
    const open = this.reader.openBlock();
    if (open !== undefined) this.settle(open, widthCells, rows);
    if (rows.length > 0) this.shown = undefined;
    return rows;
  }

  /** The rows of the open block that are not final. */
  liveRows(widthCells: number): string[] {
    if (this.shown?.widthCells === widthCells) return this.shown.rows;
    for (const placed of this.reader.takeClosed()) this.closed.push(placed);
    const rows = this.openRows(widthCells);
    this.shown = { widthCells, rows };
    return rows;
  }

  private settle(placed: Placed<Block>, widthCells: number, into: string[]): void {
    const rows = placed.block.take(widthCells);
    if (rows.length === 0) return;
    if (this.begun !== placed && placed.gap === "blank" && this.hasSettled) into.push("");
    for (const row of rows) into.push(row);
    this.begun = placed;
    this.hasSettled = true;
  }

  private openRows(widthCells: number): string[] {
    const open = this.reader.openBlock();
    const rows = open?.block.live(widthCells) ?? [];
    const undecided = this.reader.undecided();
    const hasAbove = this.hasSettled || this.closed.length > 0;
    const hasGap = open === undefined ? undecided !== "" : open !== this.begun && open.gap === "blank";
    if (hasGap && hasAbove && (rows.length > 0 || undecided !== "")) rows.unshift("");
    if (undecided !== "") for (const row of wrapRow(undecided, widthCells, { at: "words" })) rows.push(row);
    return rows;
  }
}

/** Some milliseconds of work. */
const SLICE_UNITS = 12 * 1024;

/** Reads a long text in slices, one for each frame. */
export class PacedProse extends MarkdownStream {
  private waiting = "";
  private from = 0;
  private isComplete = false;

  /** Whether text is left to read. */
  get isBehind(): boolean {
    return this.from < this.waiting.length;
  }

  override append(delta: string): void {
    if (!this.isBehind && delta.length <= SLICE_UNITS) {
      super.append(delta);
      return;
    }
    this.waiting = this.waiting.slice(this.from) + delta;
    this.from = 0;
  }

  override finish(): void {
    this.isComplete = true;
    if (!this.isBehind) super.finish();
  }

  override takeSettled(widthCells: number): string[] {
    if (this.isBehind) this.readOn();
    return super.takeSettled(widthCells);
  }

  private readOn(): void {
    super.append(this.waiting.slice(this.from, this.from + SLICE_UNITS));
    this.from += SLICE_UNITS;
    if (this.isBehind) return;
    this.waiting = "";
    this.from = 0;
    if (this.isComplete) super.finish();
  }
}
