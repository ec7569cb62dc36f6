// Lays a table out at a width: as columns two spaces apart when they fit, cells wrapped where they must, and as records of
// "header: value" when the columns would become too narrow to read.
//
//     Name    Size  Kind          name: parser.ts
//     parser  12 k  code          size: 12 k
//     notes    3 k  text          kind: code

import { plainText, rowWidth } from "../../../text/row.js";
import { wrapRow } from "../../../text/wrap.js";
import type { Style } from "../style/style.js";

export type Align = "left" | "right" | "centre";

export interface Grid {
  readonly kind: "columns" | "records";
  readonly widths: readonly number[];
  readonly widthCells: number;
}

const GAP = "  ";
const COLUMN_CELLS_MIN = 8;
const RECORD_INDENT_CELLS = 2;

/** `naturals` are the widths that the cells would like. */
export function gridFor(naturals: readonly number[], widthCells: number): Grid {
  const room = widthCells - GAP.length * (naturals.length - 1);
  const widths = shareOut(naturals, room);
  const isNarrow = widths.some((cells, i) => cells < Math.min(COLUMN_CELLS_MIN, naturals[i] ?? 0));
  return { kind: isNarrow ? "records" : "columns", widths: widths.map((cells) => Math.max(1, cells)), widthCells };
}

// Columns that want less than an equal share get what they want, and the others share what that leaves.
function shareOut(naturals: readonly number[], room: number): number[] {
  const widths: number[] = naturals.map(() => 0);
  const order = naturals.map((_, index) => index).sort((a, b) => (naturals[a] ?? 0) - (naturals[b] ?? 0));
  let left = room;
  order.forEach((column, index) => {
    const share = Math.floor(left / (order.length - index));
    widths[column] = Math.min(naturals[column] ?? 0, share);
    left -= widths[column] ?? 0;
  });
  return widths;
}

export function columnRows(cells: readonly string[], aligns: readonly Align[], grid: Grid): string[] {
  const wrapped = grid.widths.map((width, column) => cellRows(cells[column] ?? "", width));
  const height = Math.max(1, ...wrapped.map((rows) => rows.length));
  return Array.from({ length: height }, (_, line) =>
    wrapped
      .map((rows, column) => aligned(rows[line] ?? "", grid.widths[column] ?? 1, aligns[column] ?? "left"))
      .join(GAP)
      .trimEnd(),
  );
}

export function recordRows(header: readonly string[], cells: readonly string[], grid: Grid, style: Style): string[] {
  return cells.flatMap((cell, column) => {
    const name = plainText(header[column] ?? "").trim();
    const value = cell.replaceAll("\n", " ");
    if (plainText(value).trim() === "") return [];
    const line = name === "" ? value : `${style.paint("bold", `${name}:`)} ${value}`;
    return wrapRow(line, grid.widthCells, { at: "words", hangingIndentCells: RECORD_INDENT_CELLS });
  });
}

/** The width that a cell would like: its longest line. */
export function naturalCells(cell: string): number {
  return Math.max(0, ...cell.split("\n").map(rowWidth));
}

function cellRows(cell: string, widthCells: number): string[] {
  return cell.split("\n").flatMap((line) => wrapRow(line, widthCells, { at: "words" }));
}

function aligned(row: string, widthCells: number, align: Align): string {
  const spare = Math.max(0, widthCells - rowWidth(row));
  const before = align === "right" ? spare : align === "centre" ? Math.floor(spare / 2) : 0;
  return " ".repeat(before) + row + " ".repeat(spare - before);
}
