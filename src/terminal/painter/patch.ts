// Computes the bytes from the painted state to the next frame. Three ways, from cheap to safe: change rows in place,
// draw a part again, or erase the live area and draw all of it.

import { plainText, rowWidth, sliceRow } from "../../text/row.js";
import { clusterWidth, graphemes, isDisputed } from "../../text/width.js";
import { type Frame, fitFrame, type Size, type WindowMotion } from "./frame.js";
import { type Autowrap, type Left, Pen, widthAtMost } from "./pen.js";
import type { Profile } from "./profile.js";
import { guarded, isGuarded, paintedRows, REST_AT_TOP, restFor } from "./rest.js";
import { closedRow, type RowChange, rowChange, settledText } from "./row-change.js";
import * as seq from "./sequences.js";
import { PROMPT_MARK } from "./sequences.js";

/** What is below the transcript. The cursor stands at `rest`, the style is plain. */
export interface Painted extends Left {
  readonly rows: readonly string[];
  readonly size: Size;
  /** A change of profile repaints. */
  readonly profile: Profile | null;
}

interface PatchRequest {
  readonly settled: readonly string[];
  readonly frame: Frame;
  readonly size: Size;
  readonly profile: Profile;
  readonly window?: WindowMotion;
  /** The first rows that show the end of the transcript; they are cut first. */
  readonly tailRows?: number;
}

export interface Patch {
  readonly bytes: string;
  readonly painted: Painted;
}

/** The bytes of one way, and whether they may be seen half done. */
export interface Strokes {
  readonly bytes: string;
  readonly wraps: Autowrap;
  /** "calm": a few cells in one place. */
  readonly kind: "calm" | "busy";
}

export interface Move {
  readonly before: Painted;
  readonly after: Omit<Painted, "wraps">;
  readonly settled: readonly string[];
  readonly profile: Profile;
  /** "lost" after a resize and before the first frame. */
  readonly place: "known" | "lost";
}

export function unpainted(size: Size): Painted {
  return { rows: [], rest: REST_AT_TOP, wraps: "off", size, profile: null };
}

export function patch(before: Painted, request: PatchRequest): Patch {
  const { size, profile, settled } = request;
  const place = placeOf(before, request);
  const frame = guarded(fitFrame(calmFrame(before, request, place), size), profile, size);
  const rest = restFor(frame, profile, request);
  const rows = paintedRows(frame, rest);
  const after = { rows, rest, size, profile };
  const move: Move = { before, after, settled, profile, place };
  const strokes = strokesFor(move);
  return { bytes: framed(strokes, move), painted: { rows, rest, wraps: strokes.wraps, size, profile } };
}

function placeOf(before: Painted, { size, profile }: PatchRequest): Move["place"] {
  const isSameSize = before.size.columns === size.columns && before.size.rows === size.rows;
  return isSameSize && before.profile === profile && before.rows.length > 0 ? "known" : "lost";
}

// While the window moves the live area does not grow, so that nothing scrolls. Right after a resize only the tail is
// cut: the rest must be shown.
function calmFrame(before: Painted, request: PatchRequest, place: Move["place"]): Frame {
  const { frame, profile, size, window = "still", tailRows = 0 } = request;
  if (window === "still") return frame;
  if (window === "pausing") return withoutFirst(frame, tailRows);
  // A first row that is empty already takes no guard.
  const heightWithout = (count: number) => guarded(withoutFirst(frame, count), profile, size).rows.length;
  let tooMany = 0;
  while (tooMany < frame.rows.length - 1 && heightWithout(tooMany) > before.rows.length) tooMany++;
  return withoutFirst(frame, place === "known" ? tooMany : Math.min(tooMany, tailRows));
}

function withoutFirst({ rows, cursor }: Frame, count: number): Frame {
  return { rows: rows.slice(count), cursor: cursor && { ...cursor, row: cursor.row - count } };
}

function strokesFor(move: Move): Strokes {
  const { before, after, settled, place } = move;
  if (place === "lost" || isLeavingGuard(move)) return repaint(move);
  if (settled.length === 0 && before.rows.length === after.rows.length) return changeRows(move);
  return drawPartly(move) ?? repaint(move);
}

// If the window was lower for a moment, the rows below the guard are gone and what is drawn there lands on the guard.
// The cursor is about to wait below it, where no later frame would clean it.
function isLeavingGuard({ before, after }: Move): boolean {
  return before.rest.on === "guard" && after.rest.row > before.rest.row;
}

// Where synchronized updates may be unknown, the cursor is hidden while drawing.
function framed(strokes: Strokes, move: Move): string {
  const wasShown = move.before.rest.cursor === "shown";
  const isShown = move.after.rest.cursor === "shown";
  if (strokes.kind === "calm") return cursorChange(wasShown, isShown, strokes.bytes);
  const { synchronized } = move.profile;
  const hides = wasShown && (synchronized !== "known" || !isShown);
  const shows = isShown && (hides || !wasShown);
  const body = (hides ? seq.CURSOR_HIDE : "") + strokes.bytes + (shows ? seq.CURSOR_SHOW : "");
  return synchronized === "no" ? body : seq.SYNC_BEGIN + body + seq.SYNC_END;
}

function cursorChange(wasShown: boolean, isShown: boolean, bytes: string): string {
  if (wasShown === isShown) return bytes;
  return isShown ? bytes + seq.CURSOR_SHOW : seq.CURSOR_HIDE + bytes;
}

// Ways to draw less than everything: change cells in place, redraw from the first changed row, or insert a settled line
// above the live area. Rows are moved only in the last case: elsewhere IL and DL damage the scrollback on some
// terminals, and after an unnoticed resize they hit wrong rows.

/** Undefined where only a repaint is safe. */
function drawPartly(move: Move): Strokes | undefined {
  const isGroup = move.profile.rows === "group";
  const { settled } = move;
  if (settled.length === 0) return isGroup ? redrawGroup(move) : redrawRows(move);
  if (!isGroup || settled.length > MOVED_LINES_MAX) return undefined;
  return settled.every((line) => isOneRow(line, move.after.size.columns)) ? insertEachAbove(move) : undefined;
}

/** Beyond this a repaint costs no more. */
const MOVED_LINES_MAX = 3;

// Inserts one line at a time: with room for two, a window that became lower unnoticed would keep a live row above them.
// The first line also brings the live rows to their final state.
function insertEachAbove(move: Move): Strokes | undefined {
  let { before } = move;
  let bytes = "";
  for (const line of move.settled) {
    const strokes = insertAbove({ ...move, before, settled: [line] });
    if (strokes === undefined) return undefined;
    bytes += strokes.bytes;
    before = { ...move.after, wraps: strokes.wraps };
  }
  return { bytes, wraps: before.wraps, kind: "busy" };
}

// The room is made beforehand, so the line must take exactly one row.
function isOneRow(line: string, columns: number): boolean {
  return line.length <= columns * UNITS_PER_COLUMN_MAX && widthAtMost(line) <= columns;
}

/**
 *     | █tail, row 1 |        | █tail, longer |      changed in place
 *     | tail, row 2  |   →    | › hello       |      drawn again
 *     | › hello      |        | status        |      drawn again
 *     | status       |        |               |
 *
 * Only onto rows that are there already: nothing scrolls, so it is safe in a window that is lower than we know.
 */
function redrawRows({ before, after, profile }: Move): Strokes | undefined {
  const at = firstToDraw(before.rows, after.rows);
  const isOnGuard = at === before.rest.row && before.rest.on === "guard";
  if (isOnGuard || after.rows.length > before.rows.length) return undefined;
  const pen = new Pen(profile, after.size.columns, before);
  pen.excursion(() => {
    changeAndErase(pen, before.rows[at] ?? "", after.rows[at] ?? "", at);
    if (at + 1 === after.rows.length) return;
    pen.backToStart();
    drawAway(pen, after.rows, at + 1);
  });
  pen.toRest(after.rest);
  return { bytes: pen.bytes, wraps: pen.wraps, kind: "busy" };
}

/**
 *     | █tail     |        | █tail, longer |      changed in place
 *     | › hello   |   →    | tail, row 2   |      drawn again
 *     | status    |        | › hello       |      drawn again
 *                          | status        |      drawn again
 */
function redrawGroup({ before, after, profile }: Move): Strokes | undefined {
  const at = firstToDraw(before.rows, after.rows);
  const pen = new Pen(profile, after.size.columns, before);
  if (joinAgain(pen, after.rows.slice(0, at + 1)) === "not possible") return undefined;
  changeAndErase(pen, before.rows[at] ?? "", after.rows[at] ?? "", at);
  if (at + 1 < after.rows.length) {
    pen.joinNextRow();
    drawGroup(pen, after.rows.slice(at + 1));
  }
  pen.toRest(after.rest);
  return { bytes: pen.bytes, wraps: pen.wraps, kind: "busy" };
}

function firstToDraw(before: readonly string[], after: readonly string[]): number {
  return Math.min(sameRowsAtStart(before, after), before.length - 1, after.length - 1);
}

// Erases behind the text, but never in column 0: there it would cut the row off its group, and tmux may save the whole
// screen. In an empty row the first cell is overwritten.
function changeAndErase(pen: Pen, before: string, after: string, at: number): void {
  const width = rowWidth(after);
  const change = rowChange(before, after);
  writeChange(pen, at, { ...change, leftoverCells: width === 0 ? Math.min(change.leftoverCells, 1) : 0 });
  pen.moveTo(at, Math.max(1, width));
  pen.raw(seq.ERASE_BELOW);
}

// A group is one logical line. After two unnoticed resizes, joining only a part would tear it, so the rows that stay
// are joined again: what wraps onto the next row is that row's own first character.
function joinAgain(pen: Pen, rows: readonly string[]): "done" | "not possible" {
  const widths = rows.slice(1).map(firstClusterWidth);
  if (widths.includes(0)) return "not possible";
  if (widths.length === 0) return "done";
  pen.toRow(0);
  for (const [index, width] of widths.entries()) {
    pen.joinNextRowWith(sliceRow(rows[index + 1] ?? "", 0, width) || " ", width);
  }
  return "done";
}

// 0 for a disputed width or no cell.
function firstClusterWidth(row: string): number {
  const [first = " "] = graphemes(plainText(row).slice(0, FIRST_CLUSTER_UNITS));
  return isDisputed(first) ? 0 : clusterWidth(first);
}

const FIRST_CLUSTER_UNITS = 64;

/**
 * If the window has become narrower unnoticed, a line takes more rows than were made for it and its end lands on a live
 * row. EL wipes the rest of that row.
 *
 *     | transcript |        | transcript |        | transcript |
 *     | █tail      |        | █          |        | settled    |
 *     | › hello    |   →    |            |   →    | █next tail |
 *     | status     |        | › hello    |        | › hello    |
 *                           | status     |        | status     |
 */
function insertAbove(move: Move): Strokes | undefined {
  const { before, after, profile, settled } = move;
  const kept = rowsToKeep(before.rows, after.rows);
  const [old, next] = [before.rows.length - kept, after.rows.length - kept];
  if (kept === 0 || after.rows.length + settled.length + 1 > after.size.rows) return undefined;
  const pen = new Pen(profile, after.size.columns, before);
  makeRoom(pen, move);
  pen.moveTo(0, 0);
  if (old > 0) pen.deleteRows(old);
  pen.insertRows(next + settled.length);
  pen.lines(settledText(settled, after.size.columns, seq.ERASE_RIGHT));
  pen.row = 0;
  drawGroup(pen, after.rows.slice(0, next));
  pen.toRest(after.rest);
  return { bytes: pen.bytes, wraps: pen.wraps, kind: "busy" };
}

function sameRowsAtStart(before: readonly string[], after: readonly string[]): number {
  let same = 0;
  while (same < before.length && same < after.length && before[same] === after[same]) same++;
  return same;
}

// The last rows that stay. The first live row has no wrap flag and all others do, so it cannot move; after a settled
// line, whose line feed clears the flag, any row may become the first.
function rowsToKeep(before: readonly string[], after: readonly string[]): number {
  const most = Math.min(before.length, after.length);
  let kept = 0;
  while (kept < most && before.at(-1 - kept) === after.at(-1 - kept)) kept++;
  return kept === before.length && kept < after.length ? kept - 1 : kept;
}

// Goes down as far as the live area will grow, scrolling at the bottom, so that inserted rows push nothing off the
// screen.
function makeRoom(pen: Pen, { before, after, settled }: Move): void {
  const grows = settled.length + after.rows.length - before.rows.length;
  if (grows > 0) pen.toRow(before.rows.length - 1 + grows);
}

/** More bytes may reach the screen in two pieces. */
const CALM_BYTES_MAX = 160;
/** Up to this many blanks are written as spaces, so that nothing is seen empty too early. */
const SPACES_MAX = 4;

function changeRows({ before, after, profile }: Move): Strokes {
  const pen = new Pen(profile, after.size.columns, before);
  const elsewhere: number[] = [];
  let isHereChanged = false;
  for (let row = 0; row < after.rows.length; row++) {
    if (after.rows[row] === before.rows[row]) continue;
    if (row === before.rest.row) isHereChanged = true;
    else elsewhere.push(row);
  }
  let erases = false;
  const write = (row: number): void => {
    const change = rowChange(before.rows[row] ?? "", after.rows[row] ?? "");
    if (change.leftoverCells > SPACES_MAX) erases = true;
    writeChange(pen, row, change);
  };
  if (elsewhere.length > 0) pen.excursion(() => elsewhere.forEach(write));
  if (isHereChanged) write(before.rest.row);
  pen.toRest(after.rest);
  const isOne = elsewhere.length + (isHereChanged ? 1 : 0) <= 1;
  const isCalm = isOne && !erases && pen.bytes.length <= CALM_BYTES_MAX;
  return { bytes: pen.bytes, wraps: pen.wraps, kind: isCalm ? "calm" : "busy" };
}

function writeChange(pen: Pen, row: number, change: RowChange): void {
  if (change.body === "" && change.leftoverCells === 0) return;
  pen.moveTo(row, change.column);
  if (change.body !== "") pen.text(change.body, change.widthCells);
  if (change.leftoverCells > SPACES_MAX) {
    pen.toColumn(change.column + change.widthCells);
    // At column 0 EL would cut the row off its group.
    if (change.column + change.widthCells === 0) pen.text(" ", 1);
    pen.raw(seq.ERASE_RIGHT);
  } else if (change.leftoverCells > 0) {
    pen.text(" ".repeat(change.leftoverCells), change.leftoverCells);
  }
}

// The repaint: erase from the first live row, print the settled lines, draw the live rows. It needs no widths and no
// row counts, so it is right after any resize.

/**
 *     | transcript |         | transcript |
 *     | █live 1    |         | settled    |
 *     | live 2     |    →    | █live 1    |
 *     |            |         | live 2     |
 */
function repaint(move: Move): Strokes {
  const { before, after, profile } = move;
  const pen = new Pen(profile, after.size.columns, before);
  const settled = begin(pen, move);
  pen.eraseBelow();
  if (settled.length > 0) {
    pen.lines(settledText(settled, after.size.columns));
    pen.row = 0;
  }
  if (profile.mark === "prompt") pen.raw(PROMPT_MARK);
  if (profile.rows === "group") drawGroup(pen, after.rows);
  else drawSeparately(pen, move);
  pen.toRest(after.rest);
  return { bytes: pen.bytes, wraps: pen.wraps, kind: "busy" };
}

// Moves to the first row to draw and returns the lines to print there. If the cursor waits right below the guard row,
// the guard stays and becomes the empty line before the block. So if the cursor is one line too high, only the guard is
// lost.
//
//     | transcript |         | transcript |
//     |            |         |            |
//     | › hello█   |    →    | › hello    |      settled: "", "› hello"
//     | status     |         |            |
//                            | › █        |
function begin(pen: Pen, { before, after, settled, profile }: Move): readonly string[] {
  const isBelowGuard = before.rest.row === 1 && isGuarded(before.rows, profile) && isGuarded(after.rows, profile);
  if (isBelowGuard && (settled.length === 0 || (settled[0] === "" && settled.length > 1))) return settled.slice(1);
  pen.toRow(0);
  return settled;
}

/** Draws onto empty rows from the pen's row and joins them into one line. */
function drawGroup(pen: Pen, rows: readonly string[]): void {
  rows.forEach((row, index) => {
    if (index > 0) pen.joinNextRow();
    drawRow(pen, row);
  });
}

// If the window is lower than we know, rows written while it scrolls would stay in the scrollback. So it scrolls first,
// with empty rows; each row is then reached from the first one, because GNU screen wraps wide characters at the edge
// even without autowrap.
function drawSeparately(pen: Pen, move: Move): void {
  const { rows } = move.after;
  if (!hasRoom(move)) pen.makeRoom(rows.length - 1 - pen.row);
  pen.excursion(() => drawAway(pen, rows, pen.row));
}

/** Draws onto empty rows during an excursion, without scrolling. */
function drawAway(pen: Pen, rows: readonly string[], from: number): void {
  let isAway = false;
  for (let index = from; index < rows.length; index++) {
    const row = rows[index] ?? "";
    if (row === "") continue;
    if (isAway) pen.backToStart();
    isAway = true;
    pen.moveTo(index, 0);
    drawRow(pen, row);
  }
}

// Whether the old live rows have room for the new content. Below a guard the answer is no: the guard is not drawn
// again, so nothing may land on it.
function hasRoom({ before, after, settled, profile, place }: Move): boolean {
  if (place === "lost" || (after.rest.row === 1 && isGuarded(after.rows, profile))) return false;
  let room = before.rows.length - after.rows.length;
  for (const line of settled) {
    if (room <= 0) return false;
    room -= rowsAtMost(line, after.size.columns);
  }
  return room >= 0;
}

// A wide character that does not fit leaves the last cell of a row empty.
function rowsAtMost(line: string, columns: number): number {
  if (line.length > columns * UNITS_PER_COLUMN_MAX) return Number.POSITIVE_INFINITY;
  return Math.max(1, Math.ceil(widthAtMost(line) / Math.max(1, columns - 1)));
}

/** Longer lines are not measured. */
const UNITS_PER_COLUMN_MAX = 16;

function drawRow(pen: Pen, row: string): void {
  if (row !== "") pen.text(closedRow(row), rowWidth(row));
}
