// The way that always works: from where the cursor waits go to the first live row, erase everything from there on, print
// the settled lines, draw the live rows. It needs no widths and no row counts, so it is right after any resize.

import { rowWidth } from "../../text/row.js";
import { isGuarded } from "./guard-row.js";
import type { Move, Strokes } from "./patch.js";
import { Pen, widthAtMost } from "./pen.js";
import { closedRow } from "./row-change.js";
import { PROMPT_MARK } from "./sequences.js";
import { settledText } from "./settled.js";

/**
 *     | transcript |         | transcript |
 *     | █live 1    |         | settled    |
 *     | live 2     |    →    | █live 1    |
 *     |            |         | live 2     |
 */
export function repaint(move: Move): Strokes {
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

// Goes to the first row that is drawn again, and gives the lines that are printed there. The cursor waits in the composer,
// right below the guard: then the guard stays, and becomes the empty line with which a block of the transcript begins. So
// nothing of ours is ever above the cursor, and if it is one line too high, the guard is gone and nothing else.
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

/** Draws rows onto empty ones, from the row the pen is on, and joins them into one line. */
export function drawGroup(pen: Pen, rows: readonly string[]): void {
  rows.forEach((row, index) => {
    if (index > 0) pen.joinNextRow();
    drawRow(pen, row);
  });
}

// If the window has become lower than the live area and we do not know it yet, rows that are written while it scrolls would
// go into the scrollback and stay there. So it scrolls first, with empty rows, and each row is then sought from the first
// one: also after a wide character that GNU screen wraps at the edge though autowrap is off.
function drawSeparately(pen: Pen, move: Move): void {
  const { rows } = move.after;
  if (!hasRoom(move)) pen.makeRoom(rows.length - 1 - pen.row);
  pen.excursion(() => drawAway(pen, rows, pen.row));
}

/** Draws rows onto empty ones while the pen is on an excursion, without ever scrolling. */
export function drawAway(pen: Pen, rows: readonly string[], from: number): void {
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

// Whether the rows that the live area had are enough for what takes their place. Where the cursor will wait right below the
// guard nobody relies on it: the guard is not drawn again, so nothing may land there in a window that is lower than we know.
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

/** A line with more units than this per column is not worth measuring. */
export const UNITS_PER_COLUMN_MAX = 16;

function drawRow(pen: Pen, row: string): void {
  if (row !== "") pen.text(closedRow(row), rowWidth(row));
}
