// The live area as rows of text and a place for the cursor, cut to what the screen can hold. The end of a frame is where
// the person types, so when something has to go it is the beginning.

import { sliceRow } from "../../text/row.js";
import { growingWidth } from "./growing-width.js";

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/**
 * A window that has just changed will change again: somebody drags its edge. What scrolls then may meet a window that is
 * lower than the live area, and empty rows go into the scrollback. So while it is "moving" lines wait, and the live area
 * takes no more rows than it has. "pausing": they have waited long enough, or must not wait, and go in above a live area
 * without a tail.
 */
export type WindowMotion = "still" | "moving" | "pausing";

export interface CellPosition {
  /** Index into the rows of the frame. */
  readonly row: number;
  /** Cells from the left, 0 first. */
  readonly column: number;
}

export interface Frame {
  readonly rows: readonly string[];
  /** Where the person types; null when nobody may type or the component draws its own cursor. */
  readonly cursor: CellPosition | null;
}

export const EMPTY_FRAME: Frame = { rows: [], cursor: null };

/** Below this height the live area may take all rows but one. */
const SMALL_SCREEN_ROWS = 8;

/**
 * The most rows a live area may have. One row always stays for the transcript. On a larger screen a third does: while the
 * news of a lower window is still on its way to us, a frame that is too tall would push its own head into the scrollback.
 */
export function liveRowsMax(size: Size): number {
  if (size.rows <= SMALL_SCREEN_ROWS) return Math.max(1, size.rows - 1);
  return Math.max(SMALL_SCREEN_ROWS - 1, Math.floor((size.rows * 2) / 3));
}

/** No live row touches the last column: terminals differ in what the cursor does there. */
function liveColumnsMax(size: Size): number {
  return Math.max(1, size.columns - 1);
}

/**
 * The frame that fits: the last rows, each clipped to the width.
 *
 *     rows of the frame          screen of 4 rows
 *     | tail 1       |           | transcript   |
 *     | tail 2       |           | tail 2       |
 *     | › hello_     |     →     | › hello_     |
 *     | status       |           | status       |
 */
export function fitFrame(frame: Frame, size: Size): Frame {
  const cut = Math.max(0, frame.rows.length - liveRowsMax(size));
  const columns = liveColumnsMax(size);
  const cursor = frame.cursor;
  if (cut === 0 && isFitting(frame, columns)) return frame;
  const rows = frame.rows.slice(cut).map((row) => (fits(row, columns) ? row : sliceRow(row, 0, columns)));
  if (rows.length === 0) rows.push("");
  if (cursor === null || cursor.row < cut || cursor.row >= frame.rows.length) return { rows, cursor: null };
  return { rows, cursor: { row: cursor.row - cut, column: Math.min(cursor.column, columns - 1) } };
}

function isFitting({ rows, cursor }: Frame, columns: number): boolean {
  if (rows.length === 0) return false;
  if (cursor !== null && (cursor.row < 0 || cursor.row >= rows.length || cursor.column >= columns)) return false;
  for (const row of rows) if (!fits(row, columns)) return false;
  return true;
}

// A row has at most two cells per UTF-16 unit, so most rows are known to fit by their length alone.
function fits(row: string, columns: number): boolean {
  return row.length * 2 <= columns || growingWidth(row) <= columns;
}
