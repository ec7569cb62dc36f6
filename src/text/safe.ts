// The gate. Everything that comes from outside (agent text, tool output, titles, labels, file names, log lines) passes one
// of these functions before it may reach a terminal. What leaves here cannot move the cursor, change a mode, the title or
// the clipboard, make the terminal answer, or reorder its neighbours. `hostile.ts` has the rules for escape sequences and
// `printable.ts` those for invisible characters.

import { hostilePieces, isPlain, type Piece } from "./hostile.js";
import { OverwrittenLine } from "./overwritten-line.js";
import { CLUSTER_UNITS_MAX, TAB_STOP_CELLS, tamePrintable } from "./printable.js";
import { RowWriter } from "./row-cutter.js";
import { plainText } from "./row-tokens.js";
import { applySgr, PLAIN, type Style, tameStyle } from "./sgr.js";
import { mayHoldCluster } from "./simple-cells.js";
import { graphemes, textWidth } from "./width.js";

export { safeReveal } from "./reveal.js";

/** Later colour changes in a line are ignored: a few bytes of input may otherwise become many times as much output. */
export const STYLE_CHANGES_PER_LINE_MAX = 1000;

// A terminal goes one line down at a vertical tab, a form feed and NEL, too.
const LINE_BREAK = /\r\n|[\n\v\f\x85]/;
const LINE_BREAKS = /[\r\n\v\f\x85\u2028\u2029]+/g;

/** Exactly one line of harmless text. Line breaks become one space each run, tabs are expanded. */
export function safeLine(text: string): string {
  if (isPlain(text)) return text;
  return new LineReader("drop").read(text.replace(LINE_BREAKS, " "));
}

/**
 * The lines of a text, each harmless. A newline ends a line, so one at the end adds none, and an empty text has no lines.
 * A lone carriage return or backspace overwrites: the line is what a terminal would finally show.
 */
export function safeLines(text: string): string[] {
  const reader = new LineReader("drop");
  return splitLines(text).map((line) => reader.read(line));
}

/**
 * Like `safeLines`, for the output of tools: colours and weight stay, and carry over from line to line as they would in
 * a terminal. Each result is a row that opens and closes its own styles.
 */
export function safeSgrLines(text: string): string[] {
  const reader = new LineReader("keep");
  return splitLines(text).map((line) => reader.read(line));
}

function splitLines(text: string): string[] {
  const lines = text.split(LINE_BREAK);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function tabSpaces(column: number): string {
  return " ".repeat(TAB_STOP_CELLS - (column % TAB_STOP_CELLS));
}

class LineReader {
  private readonly colours: "keep" | "drop";
  private style: Style = PLAIN;
  private styleChanges = 0;

  constructor(colours: "keep" | "drop") {
    this.colours = colours;
  }

  read(line: string): string {
    if (this.style === PLAIN && isPlain(line)) return line;
    this.styleChanges = 0;
    const pieces = hostilePieces(line.replace(/\r+$/, ""));
    const isOverwritten = pieces.some(({ kind }) => kind === "return" || kind === "backspace");
    const strip = isOverwritten ? new OverwrittenLine() : new StraightLine();
    for (const piece of pieces) this.play(piece, strip);
    return boundRow(strip.row());
  }

  private play(piece: Piece, strip: OverwrittenLine | StraightLine): void {
    if (piece.kind === "text") strip.write(tamePrintable(piece.text), this.style);
    else if (piece.kind === "sgr") this.changeStyle(piece.params);
    else if (piece.kind === "tab") strip.write(tabSpaces(strip.column()), this.style);
    else strip.move(piece);
  }

  private changeStyle(params: string): void {
    if (this.colours === "drop" || ++this.styleChanges > STYLE_CHANGES_PER_LINE_MAX) return;
    this.style = tameStyle(applySgr(this.style, params));
  }
}

/** A line that is only ever written forward, where an erasure has nothing to erase. */
class StraightLine {
  private readonly writer = new RowWriter();
  private cells = 0;

  write(text: string, style: Style): void {
    this.writer.add(text, style, "");
    this.cells += textWidth(text);
  }

  column(): number {
    return this.cells;
  }

  row(): string {
    return this.writer.finish();
  }

  move(): void {}
}

// Pieces that were harmless alone may grow into one bottomless cluster when what stood between them is gone. Whoever
// builds that gets no colours.
function boundRow(row: string): string {
  const plain = plainText(row);
  if (!mayHoldCluster(plain, CLUSTER_UNITS_MAX)) return row;
  return graphemes(plain).some((cluster) => cluster.length > CLUSTER_UNITS_MAX) ? tamePrintable(plain) : row;
}
