// Live rows that only move are not drawn again: the terminal shifts them with IL and DL, and just the new rows are
// written. Used when rows come or go inside the live area, and when one settled line goes in above it.

import type { Move, Strokes } from "./patch.js";
import { writeChange } from "./patch-in-place.js";
import { drawRows } from "./patch-repaint.js";
import { Pen, widthAtMost } from "./pen.js";
import { rowChange } from "./row-change.js";
import { ERASE_RIGHT, PROMPT_MARK } from "./sequences.js";
import { settledText } from "./settled.js";

/** How many rows at the start and at the end are the same, and what lies between them before and after. */
interface Parts {
  readonly head: number;
  readonly old: number;
  readonly next: number;
}

/** The strokes, or undefined where moving cannot be trusted or would not be shorter. */
export function moveRows(move: Move): Strokes | undefined {
  if (move.settled.length === 0) return moveInside(move);
  const [line] = move.settled;
  if (move.settled.length > 1 || line === undefined || !isOneRow(line, move.after.size.columns)) return undefined;
  return insertAbove(move, line);
}

/** A line with more units than this per column is not worth measuring. */
const UNITS_PER_COLUMN_MAX = 16;

// Only a line that certainly takes one row may be inserted by moving, because the room for it is made beforehand.
function isOneRow(line: string, columns: number): boolean {
  return line.length <= columns * UNITS_PER_COLUMN_MAX && widthAtMost(line) <= columns;
}

/**
 *     | █tail     |        | █tail, longer |      changed in place
 *     | › hello   |   →    | tail, row 2   |      drawn on an inserted row
 *     | status    |        | › hello       |      moved by the terminal
 *                          | status        |      moved by the terminal
 */
function moveInside(move: Move): Strokes | undefined {
  const { before, after, profile } = move;
  const parts = partsOf(move, { headMax: Number.POSITIVE_INFINITY, firstRow: "drawn-anew" });
  const kept = Math.min(parts.old, parts.next);
  const tail = after.rows.length - parts.head - parts.next;
  if (parts.head + kept === 0 || tail === 0) return undefined;
  const pen = new Pen(profile, after.size.columns, before.rest);
  makeRoom(pen, move, 0);
  for (let row = parts.head; row < parts.head + kept; row++) {
    writeChange(pen, row, rowChange(before.rows[row] ?? "", after.rows[row] ?? ""));
  }
  const at = parts.head + kept;
  const grows = parts.next - parts.old;
  if (grows < 0) {
    pen.moveTo(at, 0);
    pen.deleteRows(-grows);
  } else {
    pen.moveTo(at, 0);
    pen.insertRows(grows);
    pen.toRow(at - 1);
    drawBelow(pen, after.rows.slice(at, at + grows), move);
  }
  pen.wrap("off");
  pen.moveTo(after.rest.row, after.rest.column);
  return { bytes: pen.bytes, kind: "busy" };
}

/**
 * If the window has just become narrower and we do not know it yet, the line takes more rows than were made for it, and
 * its end lands on a live row. Nothing of that row may stay beside it in the transcript. Where EL is harmless it wipes
 * the rest of the row; elsewhere the first live row is taken away beforehand and drawn anew.
 *
 *     | transcript |        | transcript |        | transcript |
 *     | █tail      |        | █          |        | settled    |
 *     | › hello    |   →    |            |   →    | █next tail |
 *     | status     |        | › hello    |        | › hello    |
 *                           | status     |        | status     |
 */
function insertAbove(move: Move, line: string): Strokes | undefined {
  const { before, after, profile } = move;
  const wipes = profile.eraseAtEdge === "keeps-last-cell";
  const parts = partsOf(move, { headMax: 0, firstRow: wipes ? "may-stay" : "drawn-anew" });
  if (after.rows.length === parts.next || after.rows.length + 2 > after.size.rows) return undefined;
  const pen = new Pen(profile, after.size.columns, before.rest);
  makeRoom(pen, move, 1);
  pen.moveTo(0, 0);
  if (parts.old > 0) pen.deleteRows(parts.old);
  pen.insertRows(parts.next + 1);
  pen.lines(settledText([line], after.size.columns, wipes ? ERASE_RIGHT : ""));
  pen.row = 0;
  if (profile.mark === "prompt") pen.raw(PROMPT_MARK);
  drawRows(pen, after.rows.slice(0, parts.next), profile.rows);
  pen.wrap("off");
  pen.moveTo(after.rest.row, after.rest.column);
  return { bytes: pen.bytes, kind: "busy" };
}

// The first live row carries no wrap flag and all others do, so it cannot become another row by being moved. A line
// feed onto a row takes its flag away: after a settled line any row may become the first.
function partsOf({ before, after }: Move, limits: { headMax: number; firstRow: "may-stay" | "drawn-anew" }): Parts {
  const shorter = Math.min(before.rows.length, after.rows.length);
  let head = 0;
  while (head < Math.min(shorter, limits.headMax) && before.rows[head] === after.rows[head]) head++;
  let tail = 0;
  const tailMax = head === 0 && limits.firstRow === "drawn-anew" ? shorter - 1 : shorter - head;
  while (tail < tailMax && before.rows.at(-1 - tail) === after.rows.at(-1 - tail)) tail++;
  if (head === 0 && tail === before.rows.length && tail < after.rows.length) tail -= 1;
  return { head, old: before.rows.length - tail - head, next: after.rows.length - tail - head };
}

// Goes down past the last row as far as the live area will grow: at the bottom of the screen this scrolls the
// transcript up, elsewhere it only moves. Rows that are inserted later then push nothing off the screen.
function makeRoom(pen: Pen, { before, after }: Move, settledRows: number): void {
  const grows = settledRows + after.rows.length - before.rows.length;
  if (grows > 0) pen.toRow(before.rows.length - 1 + grows);
}

// The rows below an existing one, on rows that IL has just made: in a group each must be entered by a soft wrap.
function drawBelow(pen: Pen, rows: readonly string[], { profile }: Move): void {
  if (profile.rows === "group") pen.joinNextRow();
  else pen.moveTo(pen.row + 1, 0);
  drawRows(pen, rows, profile.rows);
}
