// Wraps styled text that grows at its end. Full rows stay; only the last one is wrapped again, so a token costs the
// same in a long paragraph.
import { wrapRow } from "../../../text/wrap.js";

export class RowFlow {
  private readonly at: "words" | "cells";
  /** Text not released yet; a newline is a hard break. */
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

  /** The full rows, each once; the last row stays. */
  releaseFull(widthCells: number): string[] {
    this.wrapTo(widthCells);
    if (this.full.length === 0) return [];
    const rows = this.full;
    this.full = [];
    this.text = this.last;
    return rows;
  }

  releaseAll(widthCells: number): string[] {
    return this.emptied(this.rows(widthCells, ""));
  }

  /** The rest as the terminal wraps it: one line per hard break. */
  releaseLogical(): string[] {
    return this.emptied(this.text === "" ? [] : wrapHard(this.text, Number.MAX_SAFE_INTEGER, "cells"));
  }

  private emptied(rows: string[]): string[] {
    this.text = "";
    this.last = "";
    this.full = [];
    return rows;
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
