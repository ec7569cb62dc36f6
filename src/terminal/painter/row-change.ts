// The smallest change from one row to another: the cells between the first and the last difference. Also closes rows
// and makes settled lines printable.
import { plainText, rowWidth } from "../../text/row.js";
import { applySgr, PLAIN, styleChange } from "../../text/sgr.js";
import { SIMPLE_CELLS } from "../../text/simple-cells.js";
import { graphemes, isDisputed } from "../../text/width.js";
import { CRLF, END_LINK, ERASE_RIGHT, PLAIN_STYLE } from "./sequences.js";

export interface RowChange {
  readonly column: number;
  /** The cells to write, in plain style before and after. */
  readonly body: string;
  readonly widthCells: number;
  /** Old cells to the right of the body that must become blank. */
  readonly leftoverCells: number;
}

const ESCAPE = /\x1b(?:\[[0-9;:]*m|\]8;[^\x07\x1b]*(?:\x07|\x1b\\))/g;
const ESCAPE_HERE = new RegExp(ESCAPE.source, "y");

/**
 *     before   | ⠹ run npm test  12 s · 1,204 lines |
 *     after    | ⠹ run npm test  13 s · 1,204 lines |
 *     change                      ^ one cell
 */
export function rowChange(before: string, after: string): RowChange {
  if (holdsDisputed(before)) return wholeRow(after);
  const start = sharedStart(before, after);
  const column =
    start === 0 ? 0 : start === lastRow.length && before === lastRow ? lastWidthCells : rowWidth(after.slice(0, start));
  const end = start === before.length ? 0 : sharedEnd(before, after, start);
  const middle = after.slice(start, after.length - end);
  const widthCells = rowWidth(middle);
  const leftoverCells = end > 0 || start === before.length ? 0 : rowWidth(before.slice(start)) - widthCells;
  if (end === 0) {
    lastRow = after;
    lastWidthCells = column + widthCells;
  }
  const style = styleAt(after, start);
  const body = middle === "" ? "" : style + closed(style, middle);
  return { column, body, widthCells, leftoverCells: Math.max(0, leftoverCells) };
}

// The terminal may have drawn the old row wider than we count.
function wholeRow(after: string): RowChange {
  return { column: 0, body: closedRow(after), widthCells: rowWidth(after), leftoverCells: UNKNOWN_LEFTOVER_CELLS };
}

const UNKNOWN_LEFTOVER_CELLS = 999;

// A streaming row grows at its end; only its last cluster is checked again.
function holdsDisputed(row: string): boolean {
  const isLonger = checkedRow !== "" && row.startsWith(checkedRow);
  const from = isLonger ? Math.max(0, checkedRow.length - CLUSTER_UNITS) : 0;
  isCheckedDisputed = (isLonger && isCheckedDisputed) || holdsDisputedFrom(row, from);
  checkedRow = row;
  return isCheckedDisputed;
}

function holdsDisputedFrom(row: string, from: number): boolean {
  for (let at = from; at < row.length; at++) {
    if (!isEdge(row, at)) return graphemes(plainText(row.slice(Math.max(0, from - CLUSTER_UNITS)))).some(isDisputed);
  }
  return false;
}

const CLUSTER_UNITS = 32;
let checkedRow = "";
let isCheckedDisputed = false;

// Remembers the last row: a streaming row usually changes again.
let lastRow = "";
let lastWidthCells = 0;

export function closedRow(row: string): string {
  return closed("", row);
}

function closed(styleBefore: string, text: string): string {
  if (styleBefore === "" && !text.includes("\x1b")) return text;
  const open = openAt(styleBefore + text, styleBefore.length + text.length);
  return text + (open.sgr === "" ? "" : PLAIN_STYLE) + (open.link === "" ? "" : END_LINK);
}

// The longest common beginning that ends between clusters and outside escape sequences. Two simple neighbours never
// form a cluster; elsewhere the cut moves back.
function sharedStart(before: string, after: string): number {
  const length = Math.min(before.length, after.length);
  let at = 0;
  while (at < length && before.charCodeAt(at) === after.charCodeAt(at)) at++;
  at = outsideEscape(after, at, before);
  while (at > 0 && !(isCleanCut(before, at) && isCleanCut(after, at))) at = outsideEscape(after, at - 1, before);
  return at;
}

// The longest common ending, if the text before it has the same width in both rows and changes no style.
function sharedEnd(before: string, after: string, start: number): number {
  const most = Math.min(before.length, after.length) - start;
  let count = 0;
  while (count < most && before.charCodeAt(before.length - 1 - count) === after.charCodeAt(after.length - 1 - count)) {
    count++;
  }
  while (count > 0 && !(isCleanCut(before, before.length - count) && isCleanCut(after, after.length - count))) count--;
  if (count === 0) return 0;
  const was = before.slice(start, before.length - count);
  const is = after.slice(start, after.length - count);
  if (was.includes("\x1b") || is.includes("\x1b")) return 0;
  return rowWidth(was) === rowWidth(is) ? count : 0;
}

function isCleanCut(row: string, at: number): boolean {
  return isEdge(row, at) && (at === 0 || SIMPLE_CELLS[row.charCodeAt(at - 1)] !== 0);
}

function isEdge(row: string, at: number): boolean {
  if (at >= row.length) return true;
  const unit = row.charCodeAt(at);
  return unit === 0x1b || SIMPLE_CELLS[unit] !== 0;
}

// Moves a cut inside an escape sequence of either row to its beginning.
function outsideEscape(row: string, at: number, other: string): number {
  const start = sequenceAround(row, at);
  if (start >= 0) return start;
  const otherStart = sequenceAround(other, at);
  return otherStart >= 0 ? otherStart : at;
}

// The start of the sequence that this cut would split, or -1. The terminator of a link begins with ESC itself.
function sequenceAround(row: string, at: number): number {
  if (at === 0) return -1;
  let start = row.lastIndexOf("\x1b", at - 1);
  if (start > 0 && row[start + 1] === "\\") start = row.lastIndexOf("\x1b", start - 1);
  if (start < 0) return -1;
  ESCAPE_HERE.lastIndex = start;
  const end = ESCAPE_HERE.test(row) ? ESCAPE_HERE.lastIndex : row.length;
  return at < end ? start : -1;
}

function styleAt(row: string, at: number): string {
  const first = row.indexOf("\x1b");
  if (first < 0 || first >= at) return "";
  const open = openAt(row, at);
  return open.sgr + open.link;
}

// The style in force, without those that ended before.
function openAt(row: string, at: number): { sgr: string; link: string } {
  let style = PLAIN;
  let link = "";
  for (const [sequence] of row.slice(0, at).matchAll(ESCAPE)) {
    if (sequence.endsWith("m") && sequence[1] === "[") style = applySgr(style, sequence.slice(2, -1));
    else link = /^\x1b\]8;[^;]*;(?:\x07|\x1b\\)$/.test(sequence) ? "" : sequence;
  }
  return { sgr: styleChange(PLAIN, style), link };
}

const BACKGROUND = /\x1b\[(?:[0-9:]+;)*(?:4[0-8]|10[0-7])[;:m]/;

/** Each line is one logical line: the terminal wraps, reflows and copies it. `behind` is written before its end. */
export function settledText(lines: readonly string[], columns: number, behind = ""): string {
  const end = behind + CRLF;
  return lines.map((line) => settledLine(line, columns)).join(end) + end;
}

// When a line with a background wraps at the bottom, terminals fill the new row with it. EL removes the fill, unless
// the text ends exactly at the edge.
function settledLine(line: string, columns: number): string {
  if (!line.includes("\x1b")) return line;
  const closed = closedRow(line);
  if (!BACKGROUND.test(line)) return closed;
  const width = rowWidth(line);
  return width > columns && width % columns !== 0 ? closed + ERASE_RIGHT : closed;
}
