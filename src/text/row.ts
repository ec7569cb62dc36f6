// Width and slices of rows in cells. `row-tokens.ts` has the grammar of a row.
import { cutRow } from "./row-cutter.js";
import { plainText } from "./row-tokens.js";
import { isNarrow } from "./simple-cells.js";
import { clusterWidth, graphemes, textWidth } from "./width.js";

export { linkBytes, plainText, rowFromTokens, type Token, tokens } from "./row-tokens.js";

/** Visible cells. */
export function rowWidth(row: string): number {
  return textWidth(plainText(row));
}

/**
 * The cells from `fromCell` to `toCell`, excluded, in their styles. A wide cluster cut by an edge leaves spaces; a mark
 * without a cell stays with the cell before it.
 *
 *     | a | 日    | b |      sliceRow(row, 0, 2)  →  | a |   |
 *     0   1   2   3   4      sliceRow(row, 2, 4)  →  |   | b |
 */
export function sliceRow(row: string, fromCell: number, toCell: number): string {
  const from = Math.max(0, fromCell);
  if (toCell <= from) return "";
  const plain = plainText(row);
  const slice = isNarrow(plain) ? narrowSlice(plain, from, toCell) : carefulSlice(plain, from, toCell);
  const body = plain === row ? plain.slice(slice.startOffset, slice.endOffset) : (cutRow(row, [slice])[0] ?? "");
  return " ".repeat(slice.spacesBefore) + body + " ".repeat(slice.spacesAfter);
}

type Slice = { startOffset: number; endOffset: number; spacesBefore: number; spacesAfter: number };

function narrowSlice(plain: string, from: number, to: number): Slice {
  const startOffset = Math.min(from, plain.length);
  return { startOffset, endOffset: Math.min(to, plain.length), spacesBefore: 0, spacesAfter: 0 };
}

// Keeps the clusters that lie wholly inside.
function carefulSlice(plain: string, from: number, to: number): Slice {
  const slice: Slice = { startOffset: -1, endOffset: -1, spacesBefore: 0, spacesAfter: 0 };
  let cell = 0;
  let offset = 0;
  for (const cluster of graphemes(plain)) {
    const next = cell + clusterWidth(cluster);
    if (next > to || (cell >= to && next > cell)) {
      if (cell < to) slice.spacesAfter = to - Math.max(cell, from);
      break;
    }
    const isInside = cell >= from;
    if (isInside && slice.startOffset < 0) slice.startOffset = offset;
    if (!isInside && next > from) slice.spacesBefore = next - from;
    offset += cluster.length;
    if (isInside) slice.endOffset = offset;
    cell = next;
  }
  if (slice.startOffset < 0) return { ...slice, startOffset: offset, endOffset: offset };
  return slice;
}
