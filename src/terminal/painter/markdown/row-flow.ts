// Wraps a styled text that grows at its end. Rows that are full stay as they are; only the last one is wrapped again when
// more arrives, so the cost of a token does not depend on how long the paragraph already is.

import { wrapRow } from "../../../text/wrap.js";

export class RowFlow {
  private readonly at: "words" | "cells";
  /** All text that was not released yet; a newline is a hard break. */
  private text = "";
  private widthCells = 0;
  private full: string[] = [];
  private last = "";
  /** Whether `last` may be more than one row. */
  private isLoose = false;

  constructor(at: "words" | "cells") {
    this.at = at;
  }

  push(text: string): void {
    this.text += text;
    this.last += text;
    this.isLoose = true;
  }

  /** The full rows, each handed out once; the last row stays. */
  releaseFull(widthCells: number): string[] {
    this.wrapTo(widthCells);
    if (this.full.length === 0) return [];
    const rows = this.full;
    this.full = [];
    this.text = this.last;
    return rows;
  }

  /** All that is left, and nothing stays. */
  releaseAll(widthCells: number): string[] {
    const rows = this.rows(widthCells, "");
    this.text = "";
    this.last = "";
    this.full = [];
    return rows;
  }

  /** All that is left as the terminal shall wrap it: one line per hard break. */
  releaseLogical(): string[] {
    const lines = this.text === "" ? [] : wrapHard(this.text, Number.MAX_SAFE_INTEGER, "cells");
    this.text = "";
    this.last = "";
    this.full = [];
    return lines;
  }

  /** The rows not released yet, with a tail that may still change. */
  rows(widthCells: number, tail: string): string[] {
    this.wrapTo(widthCells);
    const end = this.last + tail;
    if (this.full.length === 0) return end === "" ? [] : wrapHard(end, widthCells, this.at);
    return [...this.full, ...wrapHard(end, widthCells, this.at)];
  }

  private wrapTo(widthCells: number): void {
    if (widthCells !== this.widthCells) {
      this.widthCells = widthCells;
      this.full = [];
      this.last = this.text;
      this.isLoose = true;
    }
    if (!this.isLoose) return;
    const rows = wrapHard(this.last, widthCells, this.at);
    this.last = rows.pop() ?? "";
    for (const row of rows) this.full.push(row);
    this.isLoose = false;
  }
}

function wrapHard(text: string, widthCells: number, at: "words" | "cells"): string[] {
  if (text.length <= widthCells && !text.includes("\n") && !text.includes("\x1b") && /^[\x20-\x7e]*$/.test(text))
    return [text];
  return text.split("\n").flatMap((line) => wrapRow(line, widthCells, { at }));
}
