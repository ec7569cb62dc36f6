// The repaint: erase from the first live row, print the settled lines, draw the live rows. It needs no widths and no
// row counts, so it is right after any resize.
import { rowWidth } from "../../text/row.js";
import type { Move, Strokes } from "./patch.js";
import { Pen, widthAtMost } from "./pen.js";
import { isGuarded } from "./rest.js";
import { closedRow, settledText } from "./row-change.js";
import { PROMPT_MARK } from "./sequences.js";

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
export function drawGroup(pen: Pen, rows: readonly string[]): void {
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
export const UNITS_PER_COLUMN_MAX = 16;

function drawRow(pen: Pen, row: string): void {
  if (row !== "") pen.text(closedRow(row), rowWidth(row));
}
