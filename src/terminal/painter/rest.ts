// Where the cursor waits between two frames. That place is how we find the live area again after the terminal has
// reflowed everything: the terminal moves the cursor along with the text, and we start from wherever it is.

import { rowWidth, sliceRow } from "../../text/row.js";
import type { CellPosition, Frame, Size, WindowMotion } from "./frame.js";
import { isGuarded } from "./guard-row.js";
import type { Profile } from "./profile.js";

export interface Rest extends CellPosition {
  readonly cursor: "shown" | "hidden";
  /**
   * On a "guard" row the terminal may have moved the cursor behind the text above; then it stays in that column. When we hear
   * that it has done so, the cursor is "behind-text", and the row below becomes the guard.
   */
  readonly on: "text" | "guard" | "behind-text";
}

/** At the first live row, column 0: the place that survives everything. */
export const REST_AT_TOP: Rest = { row: 0, column: 0, cursor: "hidden", on: "text" };
const REST_ON_GUARD: Rest = { ...REST_AT_TOP, on: "guard" };
export const REST_BEHIND_TEXT: Rest = { ...REST_AT_TOP, on: "behind-text" };

/** The lowest screen we promise to survive has three rows, so the cursor never waits below the third live row. */
const WAITING_ROW_MAX = 2;
/** Right below a guard row one line too high is that row, and nothing is lost; further down it would be a live one. */
const WAITING_ROW_MAX_BELOW_GUARD = 1;
/** One step of a resize rarely takes away two thirds of the width, and a second step finds the cursor at the top. */
const SURVIVING_WIDTH_SHARE = 3;

interface RestingWindow {
  readonly size: Size;
  readonly window?: WindowMotion;
}

/**
 * The cursor waits where the person types (input methods and screen readers look there) if nothing above it can move it
 * away on a resize. Else it waits, hidden, at the top, and the frame gets a drawn cursor instead.
 *
 *     | tail              |          | █tail with very long rows … |
 *     | › hello█          |          | › hello▯                    |
 *     waits in the composer          waits at the top
 */
export function restFor(frame: Frame, profile: Profile, { size, window = "still" }: RestingWindow): Rest {
  const cursor = frame.cursor;
  const hasGuard = isGuarded(frame.rows, profile);
  const top = hasGuard ? REST_ON_GUARD : REST_AT_TOP;
  if (cursor === null || cursor.row > (hasGuard ? WAITING_ROW_MAX_BELOW_GUARD : WAITING_ROW_MAX)) return top;
  // Below a guard the way to the top is the one that must not be taken: the guard may be gone.
  const isMoving = window !== "still" && !hasGuard;
  if (profile.cursorInside === "short-rows" && (isMoving || !areShort(frame, cursor, size))) return top;
  return { row: cursor.row, column: cursor.column, cursor: "shown", on: "text" };
}

function areShort(frame: Frame, cursor: CellPosition, size: Size): boolean {
  const widthMax = Math.floor(size.columns / SURVIVING_WIDTH_SHARE);
  return frame.rows.slice(0, cursor.row + 1).every((row) => rowWidth(row) <= widthMax);
}

/** The rows as they are painted: with a cursor drawn into them when the real one waits elsewhere. */
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
  // Half of a wide character comes back as a space; then both of its cells are under the cursor.
  const under = one === " " && !two.startsWith(" ") ? two : one;
  const underWidth = Math.max(1, rowWidth(under));
  return `${before}\x1b[7m${under.replace(/\x1b\[0?m/g, "\x1b[0;7m")}\x1b[m${sliceRow(row, column + underWidth, width)}`;
}
