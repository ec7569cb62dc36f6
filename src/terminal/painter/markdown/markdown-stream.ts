// Markdown as it arrives from a model, made into rows. What can no longer change is handed out once, for the scrollback;
// what still can is shown as it is now, for the live area. Only the open block is ever looked at again, so a token costs the
// same at the start of an answer and after a megabyte.
//
//     takeSettled →  | Two things are wrong.                |
//                    |                                      |
//                    | const out = [];                      |
//     liveRows    →  | return out.jo                        |

import { wrapRow } from "../../../text/wrap.js";
import type { Attribute, Role } from "../style/look.js";
import type { Style } from "../style/style.js";
import { BlockReader, type Placed } from "./block-reader.js";

export interface MarkdownOptions {
  readonly style: Style;
  /** Prose is wrapped at words, or left to the terminal as one line per paragraph. Code is always left to it. */
  readonly wrap: "words" | "terminal";
  /** What all prose looks like before its own markup, for example `["dim", "italic"]` for thinking. */
  readonly base?: readonly (Role | Attribute)[];
}

export interface MarkdownStream {
  /** More of the text, cut anywhere. */
  append(delta: string): void;
  /** The lines that can no longer change, each exactly once and in order. Prose is wrapped to the width of this call. */
  takeSettled(widthCells: number): string[];
  /** The rows of the open block, none wider than `widthCells`; lines that `takeSettled` would give are not among them. */
  liveRows(widthCells: number): string[];
  /** The text is complete; all of it settles. */
  finish(): void;
}

export function createMarkdownStream(options: MarkdownOptions): MarkdownStream {
  return new Stream(options);
}

/** A whole text at once: the same lines that a stream would have settled. */
export function markdownRows(text: string, widthCells: number, options: MarkdownOptions): string[] {
  const stream = createMarkdownStream(options);
  stream.append(text);
  stream.finish();
  return stream.takeSettled(widthCells);
}

class Stream implements MarkdownStream {
  private readonly reader: BlockReader;
  /** Blocks that ended but were not asked for. */
  private readonly closed: Placed[] = [];
  /** The block whose first rows were handed out already. */
  private begun: Placed | undefined;
  private hasSettled = false;
  /** A carriage return ended the last line; a newline right behind it is part of the same line break. */
  private isAfterReturn = false;
  private isFinished = false;
  private shown: { widthCells: number; rows: string[] } | undefined;

  constructor(options: MarkdownOptions) {
    this.reader = new BlockReader(options);
  }

  append(delta: string): void {
    if (delta === "" || this.isFinished) return;
    this.shown = undefined;
    const text = this.isAfterReturn && delta.startsWith("\n") ? delta.slice(1) : delta;
    this.isAfterReturn = delta.endsWith("\r");
    if (!/[\r\n]/.test(text)) {
      if (text !== "") this.reader.addText(text);
      return;
    }
    text.split(/\r\n|[\r\n]/).forEach((part, index) => {
      if (index > 0) this.reader.endLine();
      if (part !== "") this.reader.addText(part);
    });
  }

  finish(): void {
    if (this.isFinished) return;
    this.isFinished = true;
    this.shown = undefined;
    this.reader.finish();
  }

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

  liveRows(widthCells: number): string[] {
    if (this.shown?.widthCells === widthCells) return this.shown.rows;
    for (const placed of this.reader.takeClosed()) this.closed.push(placed);
    const rows = this.openRows(widthCells);
    this.shown = { widthCells, rows };
    return rows;
  }

  private settle(placed: Placed, widthCells: number, into: string[]): void {
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
