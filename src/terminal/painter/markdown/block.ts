// Blocks hand out final rows once and show the others as they are now. Blocks in lists and quotes have a prefix for the
// first row, and one as wide for the others.
//
//     | - [x] a task that is so long that  |
//     |       it takes two rows            |
import { safeLine } from "../../../text/safe.js";
import { wrapRow } from "../../../text/wrap.js";
import { LineHighlighter } from "../code/code-rows.js";
import type { Language } from "../code/languages.js";
import type { Style } from "../style/style.js";
import { RowFlow } from "./row-flow.js";

export interface Block {
  /** Final rows, each once. */
  take(widthCells: number): string[];
  /** The other rows as they look now, none wider than `widthCells`. */
  live(widthCells: number): string[];
}

export interface Prefix {
  readonly first: string;
  readonly later: string;
  /** Markers that are too wide stand on rows above the block. */
  readonly above: readonly string[];
}

/** At most half of the width goes to the prefix. */
export function fitPrefix(prefix: Prefix, widthCells: number): Prefix {
  const cellsMax = Math.floor(widthCells / 2);
  if (prefix.later.length <= cellsMax) return prefix;
  const indent = " ".repeat(cellsMax);
  const cut = prefix.first.slice(0, prefix.first.length - cellsMax);
  if (cut.trim() === "") return { first: prefix.first.slice(cut.length), later: indent, above: [] };
  return { first: indent, later: indent, above: wrapRow(prefix.first.trim(), widthCells, { at: "cells" }) };
}

export function prefixed(rows: string[], prefix: Prefix, which: "first" | "further"): string[] {
  if (prefix.later === "" && prefix.above.length === 0) return rows;
  const begins = which === "first" && rows.length > 0;
  const indented = rows.map((row, i) => ((begins && i === 0 ? prefix.first : prefix.later) + row).trimEnd());
  return begins ? [...prefix.above, ...indented] : indented;
}

/** A rule, a definition, or the marker of an empty item. */
export class FixedBlock implements Block {
  private line: string | undefined;

  constructor(line: string) {
    this.line = line;
  }

  take(): string[] {
    const rows = this.line === undefined ? [] : [this.line];
    this.line = undefined;
    return rows;
  }

  live(widthCells: number): string[] {
    return this.line === undefined ? [] : wrapRow(this.line, widthCells, { at: "cells" });
  }
}

export class CodeBlock implements Block {
  private readonly highlighter: LineHighlighter;
  private settled: string[] = [];
  private growing = "";
  /** A line too long to be coloured: its parts, and its wrapped rows. */
  private long: { parts: string[]; rows: RowFlow } | undefined;

  constructor(language: Language | undefined, style: Style) {
    this.highlighter = new LineHighlighter(language, style);
  }

  addLine(line: string): void {
    this.settled.push(this.highlighter.take(line));
    this.growing = "";
  }

  setGrowing(line: string): void {
    this.growing = line;
  }

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
