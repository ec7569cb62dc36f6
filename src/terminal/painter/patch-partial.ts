// Two ways that draw less than everything. Rows below the first change are drawn again; and where the terminal is known to
// take it well, a settled line goes in above the live area by moving its rows down.
//
// Rows are moved nowhere else. IL and DL look harmless, but on some terminals DL puts the row it deletes into the
// scrollback, on others IL takes a line out of it, and after a resize that we have not heard of they hit the wrong rows.

import { plainText, rowWidth, sliceRow } from "../../text/row.js";
import { clusterWidth, graphemes, isDisputed } from "../../text/width.js";
import type { Move, Strokes } from "./patch.js";
import { writeChange } from "./patch-in-place.js";
import { drawAway, drawGroup, UNITS_PER_COLUMN_MAX } from "./patch-repaint.js";
import { Pen, widthAtMost } from "./pen.js";
import { rowChange } from "./row-change.js";
import { ERASE_BELOW, ERASE_RIGHT } from "./sequences.js";
import { settledText } from "./settled.js";

/** The strokes, or undefined where only a whole repaint can be trusted. */
export function drawPartly(move: Move): Strokes | undefined {
  const isGroup = move.profile.rows === "group";
  const { settled } = move;
  if (settled.length === 0) return isGroup ? redrawGroup(move) : redrawRows(move);
  if (!isGroup || settled.length > MOVED_LINES_MAX) return undefined;
  return settled.every((line) => isOneRow(line, move.after.size.columns)) ? insertEachAbove(move) : undefined;
}

/** A paragraph's end and the blank line behind it, and one more; beyond that a repaint is no dearer. */
const MOVED_LINES_MAX = 3;

// One after the other, as if each had come in a frame of its own: with room for two at once, a window that has become lower
// and has not told us yet keeps a live row above them. The first takes the live rows to what they shall be, so that the
// others find no more rows than the window is known to hold.
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

// Only a line that certainly takes one row may be inserted by moving, because the room for it is made beforehand.
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

// Erases behind the text, but never in column 0: there it would cut the row off its group, and tmux may save the whole screen.
// So where a row becomes empty, its first cell is written over.
function changeAndErase(pen: Pen, before: string, after: string, at: number): void {
  const width = rowWidth(after);
  const change = rowChange(before, after);
  writeChange(pen, at, { ...change, leftoverCells: width === 0 ? Math.min(change.leftoverCells, 1) : 0 });
  pen.moveTo(at, Math.max(1, width));
  pen.raw(ERASE_BELOW);
}

// A group is one logical line for the terminal. If the window changed twice and we know of neither, a part that is joined
// at the width in between would tear it when it grows wider again; so the rows that stay are joined anew as well. What
// wraps onto the next row is that row's own first character, and nothing else of it has to be written.
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

// 0 for one that terminals disagree on, or that has no cell of its own.
function firstClusterWidth(row: string): number {
  const [first = " "] = graphemes(plainText(row).slice(0, FIRST_CLUSTER_UNITS));
  return isDisputed(first) ? 0 : clusterWidth(first);
}

/** Enough for the first cluster of any row; the rest is not looked at. */
const FIRST_CLUSTER_UNITS = 64;

/**
 * If the window has just become narrower and we do not know it yet, a line takes more rows than were made for it, and
 * the last one's end lands on a live row. Nothing of that row may stay beside it in the transcript, so EL wipes the rest of it.
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
  pen.lines(settledText(settled, after.size.columns, ERASE_RIGHT));
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

// The last rows that stay as they are. The first live row carries no wrap flag and all others do, so it cannot become
// another row by being moved; but a line feed takes the flag away: after a settled line any row may become the first.
function rowsToKeep(before: readonly string[], after: readonly string[]): number {
  const most = Math.min(before.length, after.length);
  let kept = 0;
  while (kept < most && before.at(-1 - kept) === after.at(-1 - kept)) kept++;
  return kept === before.length && kept < after.length ? kept - 1 : kept;
}

// Goes down past the last row as far as the live area will grow: at the bottom of the screen this scrolls the
// transcript up, elsewhere it only moves. Rows that are inserted later then push nothing off the screen.
function makeRoom(pen: Pen, { before, after, settled }: Move): void {
  const grows = settled.length + after.rows.length - before.rows.length;
  if (grows > 0) pen.toRow(before.rows.length - 1 + grows);
}
