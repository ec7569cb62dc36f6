// Changes cells of live rows that stay where they are: the path of every token and every key.

import type { Move, Strokes } from "./patch.js";
import { Pen } from "./pen.js";
import { type RowChange, rowChange } from "./row-change.js";
import * as seq from "./sequences.js";

/** More bytes than this may reach the screen in two pieces. */
const CALM_BYTES_MAX = 160;
/** Blanks up to this many are written as spaces: nothing is erased, so nothing can be seen empty too early. */
const SPACES_MAX = 4;

export function changeRows({ before, after, profile }: Move): Strokes {
  const pen = new Pen(profile, after.size.columns, before);
  const elsewhere: number[] = [];
  let isHereChanged = false;
  for (let row = 0; row < after.rows.length; row++) {
    if (after.rows[row] === before.rows[row]) continue;
    if (row === before.rest.row) isHereChanged = true;
    else elsewhere.push(row);
  }
  let erases = false;
  const write = (row: number): void => {
    const change = rowChange(before.rows[row] ?? "", after.rows[row] ?? "");
    if (change.leftoverCells > SPACES_MAX) erases = true;
    writeChange(pen, row, change);
  };
  if (elsewhere.length > 0) pen.excursion(() => elsewhere.forEach(write));
  if (isHereChanged) write(before.rest.row);
  pen.toRest(after.rest);
  const isOne = elsewhere.length + (isHereChanged ? 1 : 0) <= 1;
  const isCalm = isOne && !erases && pen.bytes.length <= CALM_BYTES_MAX;
  return { bytes: pen.bytes, wraps: pen.wraps, kind: isCalm ? "calm" : "busy" };
}

/** Writes the difference at its place and leaves the cursor behind it. */
export function writeChange(pen: Pen, row: number, change: RowChange): void {
  if (change.body === "" && change.leftoverCells === 0) return;
  pen.moveTo(row, change.column);
  if (change.body !== "") pen.text(change.body, change.widthCells);
  if (change.leftoverCells > SPACES_MAX) {
    pen.toColumn(change.column + change.widthCells);
    // At column 0 EL would also cut the row off its group, so one space goes first.
    if (change.column + change.widthCells === 0) pen.text(" ", 1);
    pen.raw(seq.ERASE_RIGHT);
  } else if (change.leftoverCells > 0) {
    pen.text(" ".repeat(change.leftoverCells), change.leftoverCells);
  }
}
