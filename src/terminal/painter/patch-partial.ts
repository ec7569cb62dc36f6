// Ways to draw less than everything: change cells in place, redraw from the first changed row, or insert a settled line
// above the live area. Rows are moved only in the last case: elsewhere IL and DL damage the scrollback on some
// terminals, and after an unnoticed resize they hit wrong rows.
import { plainText, rowWidth, sliceRow } from "../../text/row.js";
import { clusterWidth, graphemes, isDisputed } from "../../text/width.js";
import type { Move, Strokes } from "./patch.js";
import { drawAway, drawGroup, UNITS_PER_COLUMN_MAX } from "./patch-repaint.js";
import { Pen, widthAtMost } from "./pen.js";
import { type RowChange, rowChange, settledText } from "./row-change.js";
import * as seq from "./sequences.js";

/** Undefined where only a repaint is safe. */
export function drawPartly(move: Move): Strokes | undefined {
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

export function changeRows({ before, after, profile }: Move): Strokes {
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
