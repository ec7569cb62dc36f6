// Makes untrusted text safe. Everything from outside passes one of these functions before it reaches a terminal; the
// result cannot move the cursor, change modes, title or clipboard, make the terminal answer, or reorder text.
// `safeReveal`, for approvals, also spells out what cannot be seen.
import { isEmojiSequence, TAG_FLAGS } from "./emoji.js";
import { type CursorControl, hostilePieces, isPlain, type Piece } from "./hostile.js";
import { isReserved, withPlainSigns } from "./reserved-signs.js";
import { plainText, RowWriter } from "./row.js";
import { applySgr, PLAIN, type Style, tameStyle } from "./sgr.js";
import { mayHoldCluster } from "./simple-cells.js";
import { clusterWidth, graphemes, textWidth } from "./width.js";

/** Limits colour changes per line: a few bytes could become many. */
export const STYLE_CHANGES_PER_LINE_MAX = 1000;

// A vertical tab, a form feed and NEL also move a terminal one line down.
const LINE_BREAK = /\r\n|[\n\v\f\x85]/;
const LINE_BREAKS = /[\r\n\v\f\x85\u2028\u2029]+/g;

/** Exactly one safe line. A run of line breaks becomes a space, tabs are expanded. */
export function safeLine(text: string): string {
  if (isPlain(text)) return text;
  return new LineReader("drop").read(text.replace(LINE_BREAKS, " "));
}

/**
 * The lines of a text, each safe. A newline at the end adds no line. A lone carriage return or backspace overwrites:
 * the line is what a terminal would finally show.
 */
export function safeLines(text: string): string[] {
  const reader = new LineReader("drop");
  return splitLines(text).map((line) => reader.read(line));
}

/**
 * Like `safeLines`, but keeps colours and weight, which carry over from line to line. Each row closes its own styles.
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

/** A line that is only written forward. */
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

/** The second cell of a wide cluster. */
const COVERED = "";

/**
 * A line that overwrites itself with carriage returns or backspaces, as progress bars do. It is played on a strip of
 * cells, and the result is what a terminal would finally show.
 *
 *     "  5 %\r 50 %\r100 %"   →   | 100 % |
 *     "loading |\b/\b-"       →   | loading - |
 */
class OverwrittenLine {
  private readonly texts: string[] = [];
  private readonly styles: Style[] = [];
  private cursor = 0;

  write(text: string, style: Style): void {
    for (const cluster of graphemes(text)) {
      const cells = clusterWidth(cluster);
      if (cells === 0) this.join(cluster);
      else this.put(cluster, cells, style);
    }
  }

  move(control: CursorControl): void {
    if (control.kind === "erase") this.erase(control.what);
    else this.cursor = control.kind === "return" ? 0 : Math.max(0, this.cursor - 1);
  }

  /** The column of the next character. */
  column(): number {
    return this.cursor;
  }

  row(): string {
    const writer = new RowWriter();
    for (let cell = 0; cell < this.texts.length; cell++) {
      writer.add(this.texts[cell] ?? " ", this.styles[cell] ?? PLAIN, "");
    }
    return writer.finish();
  }

  private join(mark: string): void {
    let cell = this.cursor - 1;
    if (this.texts[cell] === COVERED) cell--;
    const base = this.texts[cell];
    if (base) this.texts[cell] = base + mark;
  }

  private erase(what: "to the end" | "all"): void {
    if (what === "to the end") this.free(this.cursor);
    this.truncate(what === "all" ? 0 : this.cursor);
  }

  private truncate(cells: number): void {
    this.texts.length = Math.min(this.texts.length, cells);
    this.styles.length = this.texts.length;
  }

  private put(cluster: string, cells: number, style: Style): void {
    while (this.texts.length < this.cursor) this.styles[this.texts.push(" ") - 1] = PLAIN;
    for (let i = 0; i < cells; i++) {
      this.free(this.cursor + i);
      this.texts[this.cursor + i] = i === 0 ? cluster : COVERED;
      this.styles[this.cursor + i] = style;
    }
    this.cursor += cells;
  }

  // Writing on one half of a wide cluster blanks the other half.
  private free(cell: number): void {
    if (this.texts[cell] === COVERED) this.texts[cell - 1] = " ";
    if (this.texts[cell + 1] === COVERED) this.texts[cell + 1] = " ";
  }
}

// Removing sequences may join pieces into one endless cluster; such a row loses its colours.
function boundRow(row: string): string {
  const plain = plainText(row);
  if (!mayHoldCluster(plain, CLUSTER_UNITS_MAX)) return row;
  return graphemes(plain).some((cluster) => cluster.length > CLUSTER_UNITS_MAX) ? tamePrintable(plain) : row;
}

const VISIBLE_TAB = "⇥";

// Control, format, private and unassigned characters, surrogates, separators and spaces other than the plain one,
// whatever is ignored by default, and the Braille pattern without dots.
const SECRETIVE = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** `rm\u00a0-rf \u202ecod` → `rm⟨U+00A0⟩-rf ⟨U+202E⟩cod`. A tab becomes an arrow up to the next stop. */
export function safeReveal(text: string): string {
  if (!/[^\x20-\x7e]/.test(text)) return text;
  let shown = "";
  let column = 0;
  for (const cluster of graphemes(text)) {
    const part = cluster === "\t" ? visibleTab(column) : revealCluster(cluster);
    column += part === cluster ? clusterWidth(part) : textWidth(part);
    shown += part;
  }
  return shown;
}

function visibleTab(column: number): string {
  return VISIBLE_TAB.padEnd(TAB_STOP_CELLS - (column % TAB_STOP_CELLS), " ");
}

// The invisible characters inside an emoji belong there.
function revealCluster(cluster: string): string {
  if (cluster.length > 1 && isEmojiSequence(cluster)) return cluster;
  if (cluster.length <= CLUSTER_UNITS_MAX) return revealSecretive(cluster);
  const head = clusterHead(cluster);
  return revealSecretive(head) + [...cluster.slice(head.length)].map(spellOut).join("");
}

function revealSecretive(cluster: string): string {
  let shown = "";
  for (const character of cluster) {
    const isOdd = character !== " " && (SECRETIVE.test(character) || isReserved(character));
    shown += isOdd ? spellOut(character) : character;
  }
  return shown;
}

function spellOut(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/** UTF-16 units per cluster; the longest emoji in use has 15. */
export const CLUSTER_UNITS_MAX = 32;

const TAB_STOP_CELLS = 8;

const REPLACEMENT = "\ufffd";

const BROKEN = /[\p{Surrogate}\p{Noncharacter_Code_Point}]/gu;

// Removes everything invisible, except joiners, variation selectors, the old Hangul fillers, and format characters that
// are drawn (Arabic and Kaithi number signs, Syriac abbreviations).
const INVISIBLE =
  /(?![\u200c-\u200d\u115f\u1160\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\p{Variation_Selector}\u{110bd}\u{110cd}])[\p{Default_Ignorable_Code_Point}\p{Format}]/gu;
const SEPARATORS = /[\u2028\u2029]/g;
// One test for all, because most text has none.
const UNFIT = new RegExp(`${BROKEN.source}|${SEPARATORS.source}|${INVISIBLE.source}`, "u");

function tamePrintable(text: string): string {
  const visible = text.includes("\u{1f3f4}") ? removeAround(text, TAG_FLAGS) : removeInvisible(text);
  return boundClusters(withPlainSigns(visible));
}

function removeInvisible(text: string): string {
  if (!UNFIT.test(text)) return text;
  return text.replace(BROKEN, REPLACEMENT).replace(SEPARATORS, " ").replace(INVISIBLE, "");
}

function removeAround(text: string, kept: RegExp): string {
  let result = "";
  let start = 0;
  for (const match of text.matchAll(kept)) {
    result += removeInvisible(text.slice(start, match.index)) + match[0];
    start = match.index + match[0].length;
  }
  return result + removeInvisible(text.slice(start));
}

// A cut cluster ends in a visible character, so that nothing disappears unseen.
function boundClusters(text: string): string {
  if (!mayHoldCluster(text, CLUSTER_UNITS_MAX)) return text;
  return graphemes(text)
    .map((cluster) => (cluster.length > CLUSTER_UNITS_MAX ? clusterHead(cluster) + REPLACEMENT : cluster))
    .join("");
}

/** The first code points of a cluster that fit into the maximum. */
function clusterHead(cluster: string): string {
  const isPairCut = /[\ud800-\udbff]/.test(cluster.charAt(CLUSTER_UNITS_MAX - 1));
  return cluster.slice(0, isPairCut ? CLUSTER_UNITS_MAX - 1 : CLUSTER_UNITS_MAX);
}
