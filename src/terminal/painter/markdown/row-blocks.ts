// The blocks of a text as rows, and what makes them for the reader.

import type { Language } from "../../../text/code/languages.js";
import type { Looks } from "../../../text/look.js";
import type { BlockMaker, LineKind } from "../../../text/markdown/block-reader.js";
import type { Align } from "../../../text/markdown/block-starts.js";
import { fitPrefix, type Place, type Prefix, prefixed } from "../../../text/markdown/container.js";
import { InlineReader } from "../../../text/markdown/inline-reader.js";
import type { Piece } from "../../../text/markdown/markup-scanner.js";
import { ProsePieces } from "../../../text/markdown/prose-pieces.js";
import { safeLine } from "../../../text/safe.js";
import { wrapRow } from "../../../text/wrap.js";
import { highlightedRows } from "../code/code-rows.js";
import type { Style } from "../style/style.js";
import { linked, type RowReader, rowSpans } from "./row-spans.js";
import { TableBlock } from "./table-block.js";

/** Hands out final rows once and shows the others as they are now. */
export interface Block {
  /** Final rows, each once. */
  take(widthCells: number): string[];
  /** The other rows as they look now, none wider than `widthCells`. */
  live(widthCells: number): string[];
}

export interface MarkdownOptions {
  readonly style: Style;
  /** Prose wraps at words or in the terminal. Code always wraps in the terminal. */
  readonly wrap: "words" | "terminal";
  /** The look of all prose, for example `["dim", "italic"]`. */
  readonly base?: Looks;
}

export class RowBlocks implements BlockMaker<Block> {
  readonly inline: RowReader;
  private readonly options: MarkdownOptions;

  constructor(options: MarkdownOptions) {
    this.options = options;
    this.inline = new InlineReader(rowSpans(options.style));
  }

  heading(level: number, { prefix }: Place): ProseBlock {
    const { inline } = this;
    const { wrap, base = [] } = this.options;
    const looks: Looks = [...base, ...(level <= 2 ? (["accent", "bold"] as const) : (["bold"] as const))];
    return new ProseBlock({ inline, wrap, prefix, looks, kind: "heading" });
  }

  paragraph({ prefix, path }: Place): ProseBlock {
    const { inline } = this;
    const { wrap, base = [] } = this.options;
    const looks: Looks = path.some(({ kind }) => kind === "quote") ? [...base, "dim"] : base;
    return new ProseBlock({ inline, wrap, prefix, looks, kind: "paragraph" });
  }

  code(language: Language | undefined, _info?: string): CodeBlock {
    return new CodeBlock(highlightedRows(language, this.options.style));
  }

  table(header: string, aligns: readonly Align[], { prefix }: Place): TableBlock {
    return new TableBlock({ header, aligns, inline: this.inline, style: this.options.style, prefix });
  }

  line(kind: LineKind, { prefix }: Place, text = "", href = ""): Block {
    const line = kind === "rule" ? "* * *" : safeLine(text);
    if (line === "") return new FixedBlock(prefix.first.trimEnd());
    return new FixedBlock(prefix.first + linked(this.options.style.paint("dim", line), href));
  }
}

/** A rule, a definition, or the marker of an empty item. */
class FixedBlock implements Block {
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

/** How lines of code are written. */
export interface LinePainter {
  /** A complete line; each comes once, in order. */
  take(line: string): string;
  /** The growing line. */
  peek(line: string): string;
}

export class CodeBlock implements Block {
  private readonly painter: LinePainter;
  private settled: string[] = [];
  private growing = "";
  /** A line too long to be coloured: its parts, and its wrapped rows. */
  private long: { parts: string[]; rows: RowFlow } | undefined;

  constructor(painter: LinePainter) {
    this.painter = painter;
  }

  addLine(line: string): void {
    this.settled.push(this.painter.take(line));
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

  finish(): void {}

  take(): string[] {
    const rows = this.settled;
    this.settled = [];
    return rows;
  }

  live(widthCells: number): string[] {
    const rows = this.settled.flatMap((row) => wrapRow(row, widthCells, { at: "cells" }));
    if (this.long !== undefined) return [...rows, ...this.long.rows.rows(widthCells, "")];
    if (this.growing === "") return rows;
    return [...rows, ...wrapRow(this.painter.peek(this.growing), widthCells, { at: "cells" })];
  }
}

interface ProseOptions {
  readonly inline: RowReader;
  readonly wrap: "words" | "terminal";
  readonly prefix: Prefix;
  readonly looks: Looks;
  readonly kind: "paragraph" | "heading";
}

/**
 * A paragraph or heading. Full rows are final once the kind is certain, so even an endless paragraph leaves the live
 * area. Wrapped by the terminal, it is one line, final at its end.
 */
export class ProseBlock implements Block {
  private readonly options: ProseOptions;
  private readonly pieces: ProsePieces;
  private readonly flow: RowFlow;
  private phase: "doubtful" | "certain" | "finished" = "doubtful";
  private hasBegun = false;

  constructor(options: ProseOptions) {
    this.options = options;
    this.pieces = new ProsePieces(options.kind);
    this.flow = new RowFlow(options.wrap === "words" ? "words" : "cells");
    if (options.kind === "heading") this.phase = "certain";
  }

  append(text: string): void {
    for (const piece of this.pieces.append(text)) this.flow.push(this.styled(piece));
  }

  beCertain(): void {
    if (this.phase === "doubtful") this.phase = "certain";
  }

  finish(): void {
    const end = this.pieces.end();
    if (end !== null) this.flow.push(this.styled(end));
    this.phase = "finished";
  }

  take(widthCells: number): string[] {
    if (this.phase === "doubtful") return [];
    const prefix = fitPrefix(this.options.prefix, widthCells);
    const cells = Math.max(1, widthCells - prefix.later.length);
    if (this.phase === "certain") {
      return this.options.wrap === "terminal" ? [] : this.withPrefix(this.flow.releaseFull(cells), prefix, "settle");
    }
    const rows = this.options.wrap === "terminal" ? this.flow.releaseLogical() : this.flow.releaseAll(cells);
    return this.withPrefix(rows, prefix, "settle");
  }

  live(widthCells: number): string[] {
    const prefix = fitPrefix(this.options.prefix, widthCells);
    const rows = this.flow.rows(Math.max(1, widthCells - prefix.later.length), this.tail());
    return this.withPrefix(rows.length === 0 && !this.hasBegun ? [""] : rows, prefix, "show");
  }

  private tail(): string {
    const tail = this.phase === "finished" ? null : this.pieces.tail();
    return tail === null ? "" : this.styled(tail);
  }

  // The gap is painted, too, which saves style changes between words.
  private styled({ source, gap }: Piece): string {
    const { inline, looks } = this.options;
    const row = inline.read(source, looks);
    return gap === " " ? inline.read(" ", looks) + row : gap + row;
  }

  private withPrefix(rows: string[], prefix: Prefix, purpose: "settle" | "show"): string[] {
    const which = this.hasBegun ? "further" : "first";
    if (purpose === "settle" && rows.length > 0) this.hasBegun = true;
    return prefixed(rows, prefix, which);
  }
}

/**
 * Wraps styled text that grows at its end. Full rows stay; only the last one is wrapped again, so a token costs the same
 * in a long paragraph.
 */
class RowFlow {
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
