// Makes untrusted text safe. Everything from outside passes one of these functions before it reaches a terminal; the
// result cannot move the cursor, change modes, title or clipboard, make the terminal answer, or reorder text.
// `safeReveal`, for approvals, also spells out what cannot be seen.
import { isEmojiSequence, TAG_FLAGS } from "./emoji.js";
import { plainText, RowWriter } from "./row.js";
import { applySgr, PLAIN, type Style, tameStyle } from "./sgr.js";
import { mayHoldCluster, SIMPLE_CELLS } from "./simple-cells.js";
import { clusterWidth, graphemes, textWidth } from "./width.js";

// Signs that only Palaver draws: the bar before a dialog, the arrow at a choice, the mark before a widget. They show
// that something takes keys, so untrusted text never contains them, at any place: lines wrap, and any place can become
// the start of a row.
//
//   agent says          is shown as
//   | ▌ Allow it?  |    | │ Allow it?  |
//   | ▌ ❯ 1  yes   |    | │ > 1  yes   |
//
// The signs before tool rows are replaced as well, so that prose cannot report a tool call that never ran. The sign
// before the user's messages is common inside lines, so it is replaced only at their start.
//
//   | ● edit a.ts  |    | • edit a.ts  |
//   | › yes, do it |    | > yes, do it |

// Upright bars, also dashed ones. QR codes and progress bars use full blocks, so a full block is replaced only alone
// between blanks, before words.
const BARS = "▉▊▋▌▍▎▏▐▕┃╹╻╽╿┆┇┊┋╎╏❙❚▮⏽\u{1fb70}-\u{1fb75}\u{1fb7c}-\u{1fb7f}\u{1fb87}-\u{1fb8f}";
/** A bar of two columns. */
const WIDE_BAR = /\uff5c/g;
const BLOCKS = "█▙▛▜▟⡇⣿\u{1fb15}";
/** With the characters outside \s that are drawn as blanks. */
const BLANKS = "\\s\u2800\u115f\u1160";
const LONE_BLOCK = new RegExp(`(?<![^${BLANKS}])[${BLOCKS}](?=[${BLANKS}]+[^${BLANKS}\u2580-\u259f])`, "gu");
const BLOCK = new RegExp(`[${BLOCKS}]`, "u");
const ARROWS = "❯❱❭➤";

const ROW_SIGNS: Readonly<Record<string, string>> = { "●": "•", "◌": "○", "✕": "×" };
const ROW_SIGN = /[●◌✕]/g;
const PROMPT_SIGN = new RegExp(`^([${BLANKS}]*)›`, "u");
const IN_ROWS = "●◌✕›";
const IN_ROW = new RegExp(`[${IN_ROWS}]`);

const BAR = new RegExp(`[${BARS}]`, "gu");
const ARROW = new RegExp(`[${ARROWS}]`, "gu");
const ANY = new RegExp(`[${BARS}${ARROWS}\\uff5c]`, "u");

/** Whether text has a sign of a dialog. */
export function isReserved(text: string): boolean {
  return ANY.test(text);
}

/** Replaces each reserved sign by a plainer one of the same width. */
function withPlainSigns(text: string): string {
  const lone = BLOCK.test(text) ? text.replace(LONE_BLOCK, "│") : text;
  const plain = ANY.test(lone) ? lone.replace(BAR, "│").replace(WIDE_BAR, "│ ").replace(ARROW, ">") : lone;
  if (!IN_ROW.test(plain)) return plain;
  return plain.replace(ROW_SIGN, (sign) => ROW_SIGNS[sign] ?? sign).replace(PROMPT_SIGN, "$1>");
}

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

/** The lines of a text as they are, for those who show a few of many: each is safe by itself after `safeLines`. */
export function splitLines(text: string): string[] {
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

// Reads untrusted text. It is split into printable text, colour changes, erasures and the few control
// characters with a meaning; every other escape sequence and control character ends here. The rules, which never let a
// sequence swallow text without bound:
//
// - A CSI sequence is its introducer, its parameters and its final byte. Without a final byte only the first two go.
// - A string sequence (OSC, DCS, APC, PM, SOS, and the title of screen) goes whole when it is terminated before the next
//   line break, escape or 8-bit control. Otherwise only its introducer goes and its body stays as visible text.
// - The 8-bit controls U+0080–U+009F mean the same as their ESC forms.

type Piece = { kind: "text"; text: string } | { kind: "sgr"; params: string } | { kind: "tab" } | CursorControl;

/** Moves or erases within the line, as progress bars do. */
type CursorControl = { kind: "erase"; what: "to the end" | "all" } | { kind: "return" | "backspace" };

const STRING = /(?:\x1b[\]PX^_k]|[\x9d\x90\x98\x9e\x9f])[^\x07\x0a\x0d\x1b\x80-\x9f]*(?:\x07|\x1b\\|\x9c)/;
const CSI = /(?:\x1b\[|\x9b)[\x20-\x3f]*[\x40-\x7e]?/;
const OTHER_ESCAPE = /\x1b[\x20-\x2f]*[\x30-\x7e]?/;
const CONTROL = /[\x00-\x1f\x7f-\x9f]/;
const SPECIAL = new RegExp([STRING, CSI, OTHER_ESCAPE, CONTROL].map(({ source }) => `(?:${source})`).join("|"), "g");

const SGR = /^(?:\x1b\[|\x9b)([0-9;:]{0,64})m$/;
const FIRST_COLUMN = /^(?:\x1b\[|\x9b)[01]?G$/;
const ERASE_IN_LINE = /^(?:\x1b\[|\x9b)([02]?)K$/;

/** Whether a text is safe as it is, which nearly all text is. */
function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (!PLAIN_UNITS[text.charCodeAt(i)]) return false;
  return true;
}

// Reserved signs are simple to measure but must be replaced. They are taken out one by one: asking each of 65,536 units at the
// start would take longer than drawing the first frame.
const PLAIN_UNITS = withoutUnits(SIMPLE_CELLS, `${BARS}${BLOCKS}${ARROWS}${IN_ROWS}\uff5c`);

function withoutUnits(table: Uint8Array, signs: string): Uint8Array {
  const left = table.slice();
  for (const sign of signs) if (sign !== "-") left[sign.charCodeAt(0)] = 0;
  return left;
}

/** The pieces of one line. A line break inside it vanishes like any other control character. */
function hostilePieces(line: string): Piece[] {
  const pieces: Piece[] = [];
  let textStart = 0;
  for (const match of line.matchAll(SPECIAL)) {
    if (match.index > textStart) pieces.push({ kind: "text", text: line.slice(textStart, match.index) });
    textStart = match.index + match[0].length;
    const piece = meaning(match[0]);
    if (piece !== undefined) pieces.push(piece);
  }
  if (textStart < line.length) pieces.push({ kind: "text", text: line.slice(textStart) });
  return pieces;
}

function meaning(special: string): Piece | undefined {
  if (special === "\t") return { kind: "tab" };
  if (special === "\r" || FIRST_COLUMN.test(special)) return { kind: "return" };
  if (special === "\b") return { kind: "backspace" };
  const sgr = SGR.exec(special);
  if (sgr) return { kind: "sgr", params: sgr[1] ?? "" };
  const erase = ERASE_IN_LINE.exec(special);
  if (erase) return { kind: "erase", what: erase[1] === "2" ? "all" : "to the end" };
  return undefined;
}
