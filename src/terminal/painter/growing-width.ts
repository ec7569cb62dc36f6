// The width of rows that are measured again and again while they grow: a streaming row changes at its end only, so what was
// measured before is taken from memory. The answers are those of `rowWidth`; only the time is less.

import { rowWidth } from "../../text/row.js";
import { SIMPLE_CELLS } from "../../text/simple-cells.js";

/** A live area has few rows that are long enough to be measured. */
const REMEMBERED_ROWS = 4;

const rows: string[] = [];
const widths: number[] = [];
let oldest = 0;

export function growingWidth(row: string): number {
  for (let index = 0; index < rows.length; index++) {
    const known = rows[index] ?? "";
    if (known === row) return widths[index] ?? 0;
    if (!isGrownFrom(row, known)) continue;
    const width = (widths[index] ?? 0) + rowWidth(row.slice(known.length));
    return remember(index, row, width);
  }
  oldest = (oldest + 1) % REMEMBERED_ROWS;
  return remember(oldest < rows.length ? oldest : rows.length, row, rowWidth(row));
}

function remember(index: number, row: string, width: number): number {
  rows[index] = row;
  widths[index] = width;
  return width;
}

// The seam must lie between two characters that can never be one cluster, which also keeps it out of escape sequences.
function isGrownFrom(row: string, known: string): boolean {
  const seam = known.length;
  if (seam === 0 || row.length <= seam) return false;
  if (SIMPLE_CELLS[row.charCodeAt(seam)] === 0 || SIMPLE_CELLS[row.charCodeAt(seam - 1)] === 0) return false;
  return row.startsWith(known) && !row.includes("\x1b");
}
