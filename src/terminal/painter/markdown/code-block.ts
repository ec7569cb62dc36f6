// Code between fences, or indented by four. Every complete line is final and stays one logical line without any prefix, also
// inside lists and quotes: what is copied from the terminal is the code and nothing else.

import { safeLine } from "../../../text/safe.js";
import { wrapRow } from "../../../text/wrap.js";
import type { Language } from "../code/languages.js";
import { LineHighlighter } from "../code/line-highlighter.js";
import type { Style } from "../style/style.js";
import type { Block } from "./block.js";
import { RowFlow } from "./row-flow.js";

export class CodeBlock implements Block {
  private readonly highlighter: LineHighlighter;
  private settled: string[] = [];
  private growing = "";
  /** A line too long to be coloured or kept in one string: its parts, and what of it has been wrapped. */
  private long: { parts: string[]; rows: RowFlow } | undefined;

  constructor(language: Language | undefined, style: Style) {
    this.highlighter = new LineHighlighter(language, style);
  }

  addLine(line: string): void {
    this.settled.push(this.highlighter.take(line));
    this.growing = "";
  }

  /** The line that is still arriving, as far as it is known. */
  setGrowing(line: string): void {
    this.growing = line;
  }

  /** From now on the growing line only gets longer. */
  beginLongLine(start: string): void {
    this.growing = "";
    this.long = { parts: [], rows: new RowFlow("cells") };
    this.addToLongLine(start);
  }

  addToLongLine(text: string): void {
    this.long?.parts.push(text);
    this.long?.rows.push(safeLine(text));
  }

  endLongLine(): void {
    this.addLine(this.long?.parts.join("") ?? "");
    this.long = undefined;
  }

  take(): string[] {
    const rows = this.settled;
    this.settled = [];
    return rows;
  }

  live(widthCells: number): string[] {
    const rows = this.settled.flatMap((row) => wrapRow(row, widthCells, { at: "cells" }));
    if (this.long !== undefined) return [...rows, ...this.long.rows.rows(widthCells, "")];
    if (this.growing === "") return rows;
    return [...rows, ...wrapRow(this.highlighter.peek(this.growing), widthCells, { at: "cells" })];
  }
}
