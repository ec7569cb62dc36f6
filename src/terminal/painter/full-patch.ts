// The full-screen twin: the same frames on the alternate screen, where every row has a number and nothing scrolls. The main
// screen below stays as it is.

import { rowWidth, sliceRow } from "../../text/row.js";
import type { CellPosition, Frame, Size } from "./frame.js";
import { placed } from "./pen.js";
import { closedRow, rowChange } from "./row-change.js";
import * as seq from "./sequences.js";

/** What the alternate screen shows: one string per row of the window. */
export interface FullPainted {
  readonly rows: readonly string[];
  readonly cursor: CellPosition | null;
  readonly size: Size;
}

/** `before` is null when nothing of ours is there yet. */
export function fullPatch(
  before: FullPainted | null,
  frame: Frame,
  size: Size,
): { bytes: string; painted: FullPainted } {
  const painted: FullPainted = { rows: windowRows(frame, size), cursor: cursorInside(frame, size), size };
  const isKnown = before !== null && before.size.columns === size.columns && before.size.rows === size.rows;
  const strokes = painted.rows
    .map((row, index) => (isKnown ? changedRow(before.rows[index] ?? "", row, index) : wholeRow(row, index)))
    .join("");
  const cursor = cursorBytes(before, painted, strokes !== "");
  if (strokes === "") return { bytes: cursor, painted };
  return { bytes: seq.SYNC_BEGIN + strokes + cursor + seq.SYNC_END, painted };
}

function windowRows(frame: Frame, size: Size): string[] {
  return Array.from({ length: size.rows }, (_, index) => {
    const row = frame.rows[index] ?? "";
    return rowWidth(row) <= size.columns ? row : sliceRow(row, 0, size.columns);
  });
}

function cursorInside({ cursor }: Frame, size: Size): CellPosition | null {
  return cursor !== null && cursor.row < size.rows && cursor.column < size.columns ? cursor : null;
}

function wholeRow(row: string, index: number): string {
  return seq.cursorAt(index, 0) + seq.ERASE_RIGHT + placed(closedRow(row), 0);
}

function changedRow(before: string, after: string, index: number): string {
  if (before === after) return "";
  const change = rowChange(before, after);
  const clear = change.leftoverCells > 0 ? seq.ERASE_RIGHT : "";
  return seq.cursorAt(index, change.column) + placed(change.body, change.column) + clear;
}

// Drawing moves the cursor, so it is put back after every stroke, and shown or hidden only when that changes.
function cursorBytes(before: FullPainted | null, after: FullPainted, hasDrawn: boolean): string {
  const was = before?.cursor ?? null;
  const is = after.cursor;
  if (is === null) return was === null ? "" : seq.CURSOR_HIDE;
  const isMoved = hasDrawn || was === null || was.row !== is.row || was.column !== is.column;
  return (isMoved ? seq.cursorAt(is.row, is.column) : "") + (was === null ? seq.CURSOR_SHOW : "");
}
