// A table stays live until it ends, because every row affects the widths. After 200 rows the widths are fixed and rows
// are final as they come. Where columns would be too narrow, rows become records of "header: value".

import { type Align, cellsOf } from "../../../text/markdown/block-starts.js";
import { fitPrefix, type Prefix, prefixed } from "../../../text/markdown/container.js";
import { plainText, rowWidth } from "../../../text/row.js";
import { wrapRow } from "../../../text/wrap.js";
import type { Style } from "../style/style.js";
import type { Block } from "./row-blocks.js";
import type { RowReader } from "./row-spans.js";

const HELD_ROWS_MAX = 200;

interface TableOptions {
  readonly header: string;
  readonly aligns: readonly Align[];
  readonly inline: RowReader;
  readonly style: Style;
  readonly prefix: Prefix;
}

export class TableBlock implements Block {
  private readonly options: TableOptions;
  protected readonly header: readonly string[];
  protected rows: string[][] = [];
  private rowCount = 0;
  private growing: string[] | undefined;
  private readonly naturals: number[];
  private isFinished = false;
  private hasBegun = false;
  /** The rows drawn last; valid while no width changed. */
  private drawn: { key: string; blocks: string[][] } = { key: "", blocks: [] };

  constructor(options: TableOptions) {
    this.options = options;
    this.header = cellsOf(options.header).map((cell) => options.inline.read(cell, ["bold"]));
    this.naturals = this.header.map(naturalCells);
  }

  addRow(line: string): void {
    const cells = this.read(line);
    this.rows.push(cells);
    this.rowCount++;
    this.growing = undefined;
    if (this.rowCount <= HELD_ROWS_MAX) widen(this.naturals, cells);
  }

  setGrowing(line: string): void {
    this.growing = line.trim() === "" ? undefined : this.read(line);
  }

  finish(): void {
    this.growing = undefined;
    this.isFinished = true;
  }

  take(widthCells: number): string[] {
    if (!this.isFinished && this.rowCount <= HELD_ROWS_MAX) return [];
    const rows = this.draw(widthCells, this.naturals, this.rows);
    if (rows.length > 0) this.hasBegun = true;
    this.rows = [];
    this.drawn = { key: "", blocks: [] };
    return rows;
  }

  live(widthCells: number): string[] {
    if (this.growing === undefined) return this.draw(widthCells, this.naturals, this.rows);
    const naturals = [...this.naturals];
    if (this.rowCount < HELD_ROWS_MAX) widen(naturals, this.growing);
    return this.draw(widthCells, naturals, [...this.rows, this.growing]);
  }

  // Surplus cells are shown in the last one.
  private read(line: string): string[] {
    const cells = cellsOf(line);
    const columns = this.header.length;
    const kept = [...cells.slice(0, columns - 1), cells.slice(columns - 1).join(" | ")];
    return kept.map((cell) => this.options.inline.read(cell, []));
  }

  private draw(widthCells: number, naturals: readonly number[], rows: readonly string[][]): string[] {
    const prefix = fitPrefix(this.options.prefix, widthCells);
    const grid = gridFor(naturals, Math.max(1, widthCells - prefix.later.length));
    const drawn = this.drawRows(grid, rows);
    const all = [...(this.hasBegun ? [] : this.headerRows(grid, rows.length)), ...drawn];
    return prefixed(all, prefix, this.hasBegun ? "further" : "first");
  }

  private headerRows(grid: Grid, rowCount: number): string[] {
    if (grid.kind === "columns") return columnRows(this.header, this.options.aligns, grid);
    return rowCount > 0 ? [] : recordRows([], this.header, grid, this.options.style);
  }

  private drawRows(grid: Grid, rows: readonly string[][]): string[] {
    const key = `${grid.kind} ${grid.widthCells} ${grid.widths.join(",")}`;
    if (this.drawn.key !== key) this.drawn = { key, blocks: [] };
    const { blocks } = this.drawn;
    // The last row may have been growing.
    blocks.length = Math.max(0, Math.min(blocks.length, rows.length) - 1);
    for (let i = blocks.length; i < rows.length; i++) blocks.push(this.drawRow(grid, rows[i] ?? []));
    return blocks.flatMap((block, index) =>
      grid.kind === "records" && (index > 0 || this.hasBegun) ? ["", ...block] : block,
    );
  }

  private drawRow(grid: Grid, cells: readonly string[]): string[] {
    return grid.kind === "columns"
      ? columnRows(cells, this.options.aligns, grid)
      : recordRows(this.header, cells, grid, this.options.style);
  }
}

function widen(naturals: number[], cells: readonly string[]): void {
  cells.forEach((cell, column) => {
    naturals[column] = Math.max(naturals[column] ?? 0, naturalCells(cell));
  });
}

interface Grid {
  readonly kind: "columns" | "records";
  readonly widths: readonly number[];
  readonly widthCells: number;
}

const GAP = "  ";
const COLUMN_CELLS_MIN = 8;
const RECORD_INDENT_CELLS = 2;

/** `naturals` are the widths the cells need. */
function gridFor(naturals: readonly number[], widthCells: number): Grid {
  const room = widthCells - GAP.length * (naturals.length - 1);
  const widths = shareOut(naturals, room);
  const isNarrow = widths.some((cells, i) => cells < Math.min(COLUMN_CELLS_MIN, naturals[i] ?? 0));
  return { kind: isNarrow ? "records" : "columns", widths: widths.map((cells) => Math.max(1, cells)), widthCells };
}

// Narrow columns get what they need, and the others share the rest.
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

function columnRows(cells: readonly string[], aligns: readonly Align[], grid: Grid): string[] {
  const wrapped = grid.widths.map((width, column) => cellRows(cells[column] ?? "", width));
  const height = Math.max(1, ...wrapped.map((rows) => rows.length));
  return Array.from({ length: height }, (_, line) =>
    wrapped
      .map((rows, column) => aligned(rows[line] ?? "", grid.widths[column] ?? 1, aligns[column] ?? "left"))
      .join(GAP)
      .trimEnd(),
  );
}

function recordRows(header: readonly string[], cells: readonly string[], grid: Grid, style: Style): string[] {
  return cells.flatMap((cell, column) => {
    const name = plainText(header[column] ?? "").trim();
    const value = cell.replaceAll("\n", " ");
    if (plainText(value).trim() === "") return [];
    const line = name === "" ? value : `${style.paint("bold", `${name}:`)} ${value}`;
    return wrapRow(line, grid.widthCells, { at: "words", hangingIndentCells: RECORD_INDENT_CELLS });
  });
}

function naturalCells(cell: string): number {
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
