// The way that always works: from where the cursor waits go to the first live row, erase everything from there on, print
// the settled lines, draw the live rows. It needs no widths and no row counts, so it is right after any resize.

import { rowWidth } from "../text/row.js";
import type { Move, Strokes } from "./patch.js";
import { Pen } from "./pen.js";
import type { Profile } from "./profile.js";
import { closedRow } from "./row-change.js";
import { PROMPT_MARK } from "./sequences.js";
import { settledText } from "./settled.js";

/**
 *     | transcript |         | transcript |
 *     | █live 1    |         | settled    |
 *     | live 2     |    →    | █live 1    |
 *     |            |         | live 2     |
 */
export function repaint({ before, after, settled, profile }: Move): Strokes {
  const pen = new Pen(profile, after.size.columns, before.rest);
  pen.toRow(0);
  pen.eraseBelow();
  if (settled.length > 0) pen.lines(settledText(settled, after.size.columns));
  if (profile.mark === "prompt") pen.raw(PROMPT_MARK);
  drawRows(pen, after.rows, profile.rows);
  pen.wrap("off");
  pen.moveTo(after.rest.row, after.rest.column);
  return { bytes: pen.bytes, kind: "busy" };
}

/** Draws rows onto blank ones, from the row the pen is on. */
export function drawRows(pen: Pen, rows: readonly string[], rowsAre: Profile["rows"]): void {
  rows.forEach((row, index) => {
    if (index > 0 && rowsAre === "group") pen.joinNextRow();
    else if (index > 0) pen.moveTo(pen.row + 1, 0);
    drawRow(pen, row);
  });
}

// With autowrap off a row stays one row even if the window is already narrower than we know. Guessing that a short row
// fits anyway would save bytes and leave ghosts.
function drawRow(pen: Pen, row: string): void {
  if (row === "") return;
  pen.wrap("off");
  pen.text(closedRow(row), rowWidth(row));
}
