// The live area as rows and a cursor, cut to fit the screen. The end of a frame is where the user types, so the
// beginning is cut.
import { rowWidth, sliceRow } from "../../text/row.js";
import { SIMPLE_CELLS } from "../../text/simple-cells.js";

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/**
 * After a resize more resizes usually follow. Text that scrolls meanwhile may put empty rows into the scrollback, so
 * while the window is "moving" lines wait and the live area does not grow. "pausing" inserts the waiting lines above a
 * live area without its tail.
 */
export type WindowMotion = "still" | "moving" | "pausing";

export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

export interface Frame {
  readonly rows: readonly string[];
  /** Where the user types; null when there is no cursor to show. */
  readonly cursor: CellPosition | null;
}

export const EMPTY_FRAME: Frame = { rows: [], cursor: null };

const SMALL_SCREEN_ROWS = 8;

/**
 * One row always stays for the transcript, two with a guard row, on a larger screen a third: a frame drawn before we hear of
 * a smaller window would push its own head into the scrollback.
 */
export function liveRowsMax(size: Size): number {
  if (size.rows <= SMALL_SCREEN_ROWS) return Math.max(1, size.rows - 1);
  return Math.max(Math.min(size.rows - 2, SMALL_SCREEN_ROWS), Math.floor((size.rows * 2) / 3));
}

/** No live row touches the last column, where terminals differ in cursor behaviour. */
function liveColumnsMax(size: Size): number {
  return Math.max(1, size.columns - 1);
}

/**
 * The last rows of the frame, each clipped to the width.
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

// A UTF-16 unit takes at most two cells, so most rows need no measuring.
function fits(row: string, columns: number): boolean {
  return row.length * 2 <= columns || growingWidth(row) <= columns;
}

const REMEMBERED_ROWS = 4;

const knownRows: string[] = [];
const knownWidths: number[] = [];
let oldest = 0;

/** `rowWidth` for rows that grow at their end: the width of the known beginning is remembered. */
export function growingWidth(row: string): number {
  for (let index = 0; index < knownRows.length; index++) {
    const known = knownRows[index] ?? "";
    if (known === row) return knownWidths[index] ?? 0;
    if (!isGrownFrom(row, known)) continue;
    const width = (knownWidths[index] ?? 0) + rowWidth(row.slice(known.length));
    return remember(index, row, width);
  }
  oldest = (oldest + 1) % REMEMBERED_ROWS;
  return remember(oldest < knownRows.length ? oldest : knownRows.length, row, rowWidth(row));
}

function remember(index: number, row: string, width: number): number {
  knownRows[index] = row;
  knownWidths[index] = width;
  return width;
}

// The seam must lie between two characters that never form one cluster; that also keeps it out of escape sequences.
function isGrownFrom(row: string, known: string): boolean {
  const seam = known.length;
  if (seam === 0 || row.length <= seam) return false;
  if (SIMPLE_CELLS[row.charCodeAt(seam)] === 0 || SIMPLE_CELLS[row.charCodeAt(seam - 1)] === 0) return false;
  return row.startsWith(known) && !row.includes("\x1b");
}
