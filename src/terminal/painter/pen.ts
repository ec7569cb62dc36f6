// Builds the bytes of one frame and knows at every moment where the cursor is: which live row, which column, whether the
// terminal wraps. Rows are counted from the top of the live area, never from the top of the screen, which nobody knows.

import { plainText } from "../../text/row.js";
import { SIMPLE_CELLS } from "../../text/simple-cells.js";
import { clusterWidth, graphemes, isDisputed, textWidth } from "../../text/width.js";
import type { Profile } from "./profile.js";
import type { Rest } from "./rest.js";
import * as seq from "./sequences.js";

/** CHA clamps at the last column, so this is "the last column" at every width, also at one we do not know of yet. */
const BEYOND_ANY_COLUMN = 998;
/** A step of this many cells to the left is shorter in backspaces than as an absolute column. */
const BACKSPACES_MAX = 3;
/** The narrowest window we promise to survive: what ends before its edge wraps in none. */
const NARROWEST_COLUMNS = 10;

export type Autowrap = "on" | "off";

/** How the last frame left the terminal. */
export interface Left {
  readonly rest: Rest;
  readonly wraps: Autowrap;
}

type Column = number | null | "kept";

export class Pen {
  bytes = "";
  row: number;
  /** null after a move that terminals and drivers do not agree on; "kept" where the terminal put it and it must stay. */
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

  /** Down scrolls when it has to and is therefore exact; up can rely on the rows being there. */
  toRow(row: number): void {
    if (row > this.row) this.down(row - this.row);
    else if (row < this.row) this.bytes += seq.cursorUp(this.row - row);
    this.row = row;
  }

  /**
   * Writes in other rows and comes back. Nothing scrolls on the way, so it is safe even when the window has become lower
   * than the live area and we do not know it yet: at the bottom the cursor stops, and only our own rows get hurt. Some
   * terminals save autowrap with the cursor, so it is off before.
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

  /** To where the excursion began, wherever the last row has led. */
  backToStart(): void {
    this.bytes += seq.RESTORE_CURSOR;
    this.row = this.excursionFrom.row;
    this.column = this.excursionFrom.column;
  }

  /** Scrolls until there are so many rows below this one, while all of them are still empty. */
  makeRoom(rows: number): void {
    if (rows <= 0) return;
    this.bytes += (this.column === "kept" ? seq.INDEX : seq.LF).repeat(rows) + seq.cursorUp(rows);
  }

  /** To where the cursor waits for the next frame. */
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

  /**
   * Text that is to be on one row. With autowrap off it stays there even if the window is already narrower than we know.
   * After a cluster that terminals measure differently the column is set anew.
   */
  text(row: string, widthCells: number): void {
    if (typeof this.column !== "number") this.toColumn(0);
    const start = typeof this.column === "number" ? this.column : 0;
    const end = start + widthCells;
    if (this.wraps === "on" && !(end <= NARROWEST_COLUMNS && isSimple(row))) this.wrap("off");
    this.bytes += placed(row, start);
    this.column = end >= this.columns - 1 ? null : end;
  }

  /**
   * A soft wrap onto the next row, at whatever width the terminal has. The first space fills the last column, the second
   * one wraps and thereby flags the row below as a continuation.
   */
  joinNextRow(): void {
    this.wrap("on");
    this.bytes += `${seq.cursorColumn(BEYOND_ANY_COLUMN)}  ${seq.BACKSPACE}`;
    this.row += 1;
    this.column = 0;
  }

  /** The same onto a row that is there already: what wraps is its own first character. */
  joinNextRowWith(first: string, widthCells: number): void {
    this.wrap("on");
    this.bytes += `${seq.cursorColumn(BEYOND_ANY_COLUMN)} ${first}`;
    this.row += 1;
    this.column = widthCells;
  }

  /** Settled lines, from column 0: the terminal wraps them itself, and only their end is a line break. */
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

  // What stands left of the cursor is not ours. Behind a row that is full to the edge the space runs over onto the next one,
  // where every other way to step aside would end on the last character of that row.
  private eraseBelowGuard(): void {
    this.wrap("on");
    this.bytes += ` ${seq.ERASE_BELOW}${seq.BACKSPACE}${seq.ERASE_RIGHT}`;
  }

  // LF would clear the wrap flag that holds a group together, and a driver may add CR to it.
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

/** The row with the column set anew after each cluster that terminals measure differently. */
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

/** The most cells that any terminal may give this row: in a cluster they disagree on, every character may count. */
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
