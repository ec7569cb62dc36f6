// Streaming plain text: finished lines go to the scrollback, the unfinished one is shown wrapped. Only what a piece can
// change is wrapped again.
import { wrapRow } from "../../text/wrap.js";
import { growingWidth } from "./frame.js";

export class StreamTail {
  private open = "";
  private columns = 0;
  /** Final rows of the open line, and where the next row begins. */
  private done: string[] = [];
  private restAt = 0;

  /** The finished lines. The text must be safe but for its line feeds. */
  append(piece: string): string[] {
    const lines = piece.split("\n");
    const last = lines.pop() ?? "";
    if (lines.length === 0) {
      this.open += last;
      return lines;
    }
    lines[0] = this.open + (lines[0] ?? "");
    this.restart(last);
    return lines;
  }

  finish(): string[] {
    const lines = this.open === "" ? [] : [this.open];
    this.restart("");
    return lines;
  }

  rows(columns: number): string[] {
    if (columns !== this.columns) {
      this.columns = columns;
      this.done = [];
      this.restAt = 0;
    }
    const rest = this.open.slice(this.restAt);
    if (rest === "") return [...this.done];
    if (rest.length * 2 <= columns || growingWidth(rest) <= columns) return [...this.done, rest];
    const rows = wrapRow(rest, columns, { at: "cells" });
    // Two rows stay open: a piece may still extend the last cluster of a row.
    const finished = rows.slice(0, -2);
    for (const row of finished) this.restAt += row.length;
    for (const row of finished) this.done.push(row);
    return [...this.done, ...rows.slice(finished.length)];
  }

  private restart(open: string): void {
    this.open = open;
    this.done = [];
    this.restAt = 0;
  }
}
