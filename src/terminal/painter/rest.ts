// Where the cursor waits between frames. The terminal moves it along when it reflows text, which is how the live area
// is found again.
import { rowWidth, sliceRow } from "../../text/row.js";
import type { CellPosition, Frame, Size, WindowMotion } from "./frame.js";
import type { Profile } from "./profile.js";

export interface Rest extends CellPosition {
  readonly cursor: "shown" | "hidden";
  /**
   * On a "guard" row the terminal may have moved the cursor behind the text above. Once reported, it is "behind-text",
   * and the row below becomes the guard.
   */
  readonly on: "text" | "guard" | "behind-text";
}

/** The place that survives every resize. */
export const REST_AT_TOP: Rest = { row: 0, column: 0, cursor: "hidden", on: "text" };
const REST_ON_GUARD: Rest = { ...REST_AT_TOP, on: "guard" };
export const REST_BEHIND_TEXT: Rest = { ...REST_AT_TOP, on: "behind-text" };

/** The lowest supported screen has three rows. */
const WAITING_ROW_MAX = 2;
/** Right below a guard row, one line too high is the guard, and nothing is lost. */
const WAITING_ROW_MAX_BELOW_GUARD = 1;
/** One resize step rarely takes two thirds of the width. */
const SURVIVING_WIDTH_SHARE = 3;

/**
 * The cursor waits where the user types, for input methods and screen readers, if no resize can move it away. Else it
 * waits hidden at the top, and a cursor is drawn.
 *
 *     | tail              |          | █tail with very long rows … |
 *     | › hello█          |          | › hello▯                    |
 *     waits in the composer          waits at the top
 */
export function restFor(
  frame: Frame,
  profile: Profile,
  { size, window = "still" }: { readonly size: Size; readonly window?: WindowMotion },
): Rest {
  const cursor = frame.cursor;
  const hasGuard = isGuarded(frame.rows, profile);
  const top = hasGuard ? REST_ON_GUARD : REST_AT_TOP;
  if (cursor === null || cursor.row > (hasGuard ? WAITING_ROW_MAX_BELOW_GUARD : WAITING_ROW_MAX)) return top;
  // Below a guard the cursor must not go to the top: the guard may be gone.
  const isMoving = window !== "still" && !hasGuard;
  if (profile.cursorInside === "short-rows" && (isMoving || !areShort(frame, cursor, size))) return top;
  return { row: cursor.row, column: cursor.column, cursor: "shown", on: "text" };
}

function areShort(frame: Frame, cursor: CellPosition, size: Size): boolean {
  const widthMax = Math.floor(size.columns / SURVIVING_WIDTH_SHARE);
  return frame.rows.slice(0, cursor.row + 1).every((row) => rowWidth(row) <= widthMax);
}

/** Draws a cursor into the rows when the real one waits elsewhere. */
export function paintedRows(frame: Frame, rest: Rest): readonly string[] {
  const cursor = frame.cursor;
  if (cursor === null || rest.cursor === "shown") return frame.rows;
  return frame.rows.map((row, index) => (index === cursor.row ? withDrawnCursor(row, cursor.column) : row));
}

function withDrawnCursor(row: string, column: number): string {
  const width = rowWidth(row);
  if (column >= width) return `${row}${" ".repeat(column - width)}\x1b[7m \x1b[m`;
  const before = sliceRow(row, 0, column);
  const one = sliceRow(row, column, column + 1);
  const two = sliceRow(row, column, column + 2);
  // Half of a wide character comes back as a space; then the cursor covers both cells.
  const under = one === " " && !two.startsWith(" ") ? two : one;
  const underWidth = Math.max(1, rowWidth(under));
  return `${before}\x1b[7m${under.replace(/\x1b\[0?m/g, "\x1b[0;7m")}\x1b[m${sliceRow(row, column + underWidth, width)}`;
}

/** From this height on there is room for one more row. */
const GUARDED_ROWS_MIN = 9;

/**
 * Adds an empty first row between transcript and live area. tmux 3.3 counts lines to keep the cursor: when it joins a
 * wrapped line for a wider window and a wide character misses the edge by one cell, it makes two lines and counts one.
 * The cursor then stands one line too high. On an empty row it ends up behind the text above instead, which is harmless.
 *
 *     | abcdefghij |           | abcdefghijklmnopqrst  |
 *     | klmnopqrst |           | 漢字漢字               |      torn off: one line more than before
 *     | 漢字漢字    |     →     | settled               |  ◄   the cursor is here
 *     | settled    |           | live                  |  ◄   and should be here
 *     | █live      |
 */
export function guarded(frame: Frame, profile: Profile, size: Size): Frame {
  if (profile.guard === "none" || frame.rows[0] === "" || size.rows < GUARDED_ROWS_MIN) return frame;
  const { rows, cursor } = frame;
  return { rows: ["", ...rows], cursor: cursor && { row: cursor.row + 1, column: cursor.column } };
}

export function isGuarded(rows: readonly string[], profile: Profile): boolean {
  return profile.guard === "empty-row" && rows[0] === "";
}
