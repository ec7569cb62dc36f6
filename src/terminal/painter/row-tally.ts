// How many screen rows the lines in the scrollback take at the width at hand. The lines themselves are long gone: only
// how many there are of each width is kept, so a million lines cost no more than a thousand.

import { plainText } from "../../text/row.js";
import { SIMPLE_CELLS } from "../../text/simple-cells.js";

/** Lines wider than this are counted as if they had this width; the numbers are for accounting, not for painting. */
const REMEMBERED_WIDTH_MAX = 4096;

/**
 * About how wide a line is: exact for the characters that nearly all text consists of, and close enough for the others,
 * whose clusters would have to be found first. Good for counting rows, not for placing anything.
 */
export function countedWidth(line: string): number {
  const text = plainText(line);
  let cells = 0;
  for (let i = 0; i < text.length; i++) cells += SIMPLE_CELLS[text.charCodeAt(i)] || 1;
  return cells;
}

export interface RowTally {
  readonly lines: number;
  readonly columns: number;
  readonly rows: number;
  /** Lines by their width in cells. */
  readonly byWidth: readonly number[];
}

export function emptyTally(columns: number): RowTally {
  return { lines: 0, columns, rows: 0, byWidth: [] };
}

export function rowsOfLine(widthCells: number, columns: number): number {
  return Math.max(1, Math.ceil(widthCells / Math.max(1, columns)));
}

/** The tally takes its table along instead of copying it: the one that was handed in must not be used afterwards. */
export function tallied(tally: RowTally, widthsCells: readonly number[]): RowTally {
  const byWidth = tally.byWidth as number[];
  let rows = tally.rows;
  for (const width of widthsCells) {
    const counted = Math.min(width, REMEMBERED_WIDTH_MAX);
    while (byWidth.length <= counted) byWidth.push(0);
    byWidth[counted] = (byWidth[counted] ?? 0) + 1;
    rows += rowsOfLine(counted, tally.columns);
  }
  return { lines: tally.lines + widthsCells.length, columns: tally.columns, rows, byWidth };
}

export function tallyAt(tally: RowTally, columns: number): RowTally {
  if (columns === tally.columns) return tally;
  const rows = tally.byWidth.reduce((sum, count, width) => sum + count * rowsOfLine(width, columns), 0);
  return { ...tally, columns, rows };
}
