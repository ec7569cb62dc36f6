// Builds the bytes of a frame and tracks the cursor: live row, column, autowrap. Rows count from the top of the live
// area, because our place on the screen is unknown.
import { plainText } from "../../text/row.js";
import { SIMPLE_CELLS } from "../../text/simple-cells.js";
import { clusterWidth, graphemes, isDisputed, textWidth } from "../../text/width.js";
import type { Profile } from "./profile.js";
import type { Rest } from "./rest.js";
import * as seq from "./sequences.js";

/** CHA clamps, so this is the last column at any width. */
const BEYOND_ANY_COLUMN = 998;
/** Up to this many backspaces are shorter than an absolute column. */
const BACKSPACES_MAX = 3;
/** The narrowest supported window: text that ends before its edge never wraps. */
const NARROWEST_COLUMNS = 10;

export type Autowrap = "on" | "off";

export interface Left {
  readonly rest: Rest;
  readonly wraps: Autowrap;
}

type Column = number | null | "kept";

export class Pen {
  bytes = "";
  row: number;
  /** null when unknown; "kept" where the terminal put the cursor and it must stay. */
  private column: Column;
  private excursionFrom: { readonly row: number; readonly column: Column } = { row: 0, column: null };
  wraps: Autowrap;
  private scrolls: "down" | "no" = "down";
  private readonly profile: Profile;
  private readonly columns: number;

  constructor(profile: Profile, columns: number, { rest, wraps }: Left) {
    this.profile = profile;
    this.columns = columns;
    this.row = rest.row;
    this.column = rest.on === "guard" ? "kept" : rest.column;
    this.wraps = wraps;
    if (rest.on === "behind-text") this.bytes = seq.CRLF;
  }

  raw(bytes: string): void {
    this.bytes += bytes;
  }

  /** Moving down may scroll, so it is exact; moving up relies on existing rows. */
  toRow(row: number): void {
    if (row > this.row) this.down(row - this.row);
    else if (row < this.row) this.bytes += seq.cursorUp(this.row - row);
    this.row = row;
  }

  /**
   * Writes in other rows and returns without scrolling, so it is safe in a window that is lower than we know: at the
   * bottom the cursor stops. Some terminals save autowrap with the cursor, so it is turned off first.
   */
  excursion(write: () => void): void {
    this.wrap("off");
    this.excursionFrom = { row: this.row, column: this.column };
    this.bytes += seq.SAVE_CURSOR;
    this.scrolls = "no";
    write();
    this.scrolls = "down";
    this.backToStart();
  }

  /** Returns to where the excursion began. */
  backToStart(): void {
    this.bytes += seq.RESTORE_CURSOR;
    this.row = this.excursionFrom.row;
    this.column = this.excursionFrom.column;
  }

  /** Makes room for this many empty rows below. */
  makeRoom(rows: number): void {
    if (rows <= 0) return;
    this.bytes += (this.column === "kept" ? seq.INDEX : seq.LF).repeat(rows) + seq.cursorUp(rows);
  }

  toRest(rest: Rest): void {
    if (this.column === "kept" && rest.on === "guard" && this.row === rest.row) return;
    this.moveTo(rest.row, rest.column);
  }

  toColumn(column: number): void {
    if (column === this.column) return;
    const back = typeof this.column !== "number" || this.column >= this.columns - 1 ? 0 : this.column - column;
    if (column === 0) this.bytes += seq.CR;
    else if (back > 0 && back <= BACKSPACES_MAX) this.bytes += seq.BACKSPACE.repeat(back);
    else this.bytes += seq.cursorColumn(column);
    this.column = column;
  }

  moveTo(row: number, column: number): void {
    this.toRow(row);
    this.toColumn(column);
  }

  private wrap(mode: Autowrap): void {
    if (this.wraps !== mode) this.bytes += mode === "on" ? seq.WRAP_ON : seq.WRAP_OFF;
    this.wraps = mode;
  }

  /** Writes text on one row. Without autowrap it stays there even if the window is narrower than we know. */
  text(row: string, widthCells: number): void {
    if (typeof this.column !== "number") this.toColumn(0);
    const start = typeof this.column === "number" ? this.column : 0;
    const end = start + widthCells;
    if (this.wraps === "on" && !(end <= NARROWEST_COLUMNS && isSimple(row))) this.wrap("off");
    this.bytes += placed(row, start);
    this.column = end >= this.columns - 1 ? null : end;
  }

  /**
   * Soft-wraps onto the next row at any width: the first space fills the last column, the second wraps and flags the
   * row below as a continuation.
   */
  joinNextRow(): void {
    this.wrap("on");
    this.bytes += `${seq.cursorColumn(BEYOND_ANY_COLUMN)}  ${seq.BACKSPACE}`;
    this.row += 1;
    this.column = 0;
  }

  /** The same onto an existing row, with its own first character. */
  joinNextRowWith(first: string, widthCells: number): void {
    this.wrap("on");
    this.bytes += `${seq.cursorColumn(BEYOND_ANY_COLUMN)} ${first}`;
    this.row += 1;
    this.column = widthCells;
  }

  /** Settled lines, which the terminal wraps itself. */
  lines(text: string): void {
    this.wrap("on");
    this.bytes += text;
    this.column = 0;
  }

  insertRows(count: number): void {
    this.bytes += seq.insertRows(count);
    this.column = 0;
  }

  deleteRows(count: number): void {
    this.bytes += seq.deleteRows(count);
    this.column = 0;
  }

  eraseBelow(): void {
    if (this.column === "kept") {
      this.eraseBelowGuard();
      return;
    }
    this.toColumn(0);
    if (this.profile.eraseBelow === "anywhere") this.bytes += seq.ERASE_BELOW;
    else this.bytes += seq.ERASE_RIGHT + seq.CURSOR_RIGHT + seq.ERASE_BELOW + seq.CR;
  }

  // Text left of the cursor is not ours. Behind a full row the space wraps, where any other move would end on that
  // row's last character.
  private eraseBelowGuard(): void {
    this.wrap("on");
    this.bytes += ` ${seq.ERASE_BELOW}${seq.BACKSPACE}${seq.ERASE_RIGHT}`;
  }

  // In a group LF would clear the wrap flag, and a driver may add CR to it.
  private down(count: number): void {
    if (this.scrolls === "no") {
      this.bytes += seq.cursorDown(count);
      return;
    }
    if (this.profile.rows === "group") {
      this.bytes += seq.INDEX.repeat(count);
      return;
    }
    this.bytes += seq.LF.repeat(count);
    if (this.column !== 0) this.column = null;
  }
}

const ESCAPE = /(\x1b(?:\[[0-9;:]*m|\]8;[^\x07\x1b]*(?:\x07|\x1b\\)))/;

/** Sets the column again after each cluster that terminals measure differently. */
export function placed(row: string, startColumn: number): string {
  if (isSimple(row)) return row;
  let bytes = "";
  let column = startColumn;
  for (const part of row.split(ESCAPE)) {
    if (part.startsWith("\x1b")) {
      bytes += part;
      continue;
    }
    for (const cluster of graphemes(part)) {
      column += clusterWidth(cluster);
      bytes += isDisputed(cluster) ? cluster + seq.cursorColumn(column) : cluster;
    }
  }
  return bytes;
}

/** The widest this row may be on any terminal. */
export function widthAtMost(row: string): number {
  const text = plainText(row);
  if (isSimple(text)) return textWidth(text);
  let cells = 0;
  for (const cluster of graphemes(text)) cells += isDisputed(cluster) ? 2 * [...cluster].length : clusterWidth(cluster);
  return cells;
}

function isSimple(row: string): boolean {
  for (let i = 0; i < row.length; i++) {
    const unit = row.charCodeAt(i);
    if (SIMPLE_CELLS[unit] === 0 && unit !== 0x1b && unit !== 0x07) return false;
  }
  return true;
}
