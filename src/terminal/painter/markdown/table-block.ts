// A table. The width of a column depends on every row, so the table stays live until it ends. A very long one does not: after
// some two hundred rows the columns keep the widths they have, and the rows are final as they come.

import type { Style } from "../style/style.js";
import { type Block, fitPrefix, type Prefix, prefixed } from "./block.js";
import type { InlineRows } from "./inline-row.js";
import { type Align, columnRows, type Grid, gridFor, naturalCells, recordRows } from "./table-grid.js";
import { cellsOf } from "./table-line.js";

const HELD_ROWS_MAX = 200;

export interface TableOptions {
  readonly header: string;
  readonly aligns: readonly Align[];
  readonly inline: InlineRows;
  readonly style: Style;
  readonly prefix: Prefix;
}

export class TableBlock implements Block {
  private readonly options: TableOptions;
  private readonly header: readonly string[];
  /** Rows not handed out yet. */
  private rows: string[][] = [];
  private rowCount = 0;
  private growing: string[] | undefined;
  private readonly naturals: number[];
  private isFinished = false;
  private hasBegun = false;
  /** What was drawn last, row by row; still good while no column changed its width. */
  private drawn: { key: string; blocks: string[][] } = { key: "", blocks: [] };

  constructor(options: TableOptions) {
    this.options = options;
    this.header = cellsOf(options.header).map((cell) => options.inline.row(cell, ["bold"]));
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

  // A row may have too few cells, or more than the header; what is too much stays visible in the last one.
  private read(line: string): string[] {
    const cells = cellsOf(line);
    const columns = this.header.length;
    const kept = [...cells.slice(0, columns - 1), cells.slice(columns - 1).join(" | ")];
    return kept.map((cell) => this.options.inline.row(cell, []));
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
    // The last row drawn may have been one that was still growing.
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
