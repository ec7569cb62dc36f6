// An empty row between the transcript and the live area, for a terminal that may put the cursor one line too high.
//
// tmux 3.3 keeps the cursor by the number of lines above it. When it joins the rows of a wrapped line for a wider window
// and the last row begins with a wide character that misses the edge by one cell, it makes two lines of it and goes on
// counting as if it were one. The cursor then stands on the line above its own:
//
//     | abcdefghij |           | abcdefghijklmnopqrst  |
//     | klmnopqrst |           | 漢字漢字               |      torn off: one line more than before
//     | 漢字漢字    |     →     | settled               |  ◄   the cursor is here
//     | settled    |           | live                  |  ◄   and should be here
//     | █live      |
//
// On an empty row it is put behind the end of the line above instead, where nothing is hurt: rows are drawn below it, and
// settled text goes on from there, as that of any program would.

import type { Frame, Size } from "./frame.js";
import type { Profile } from "./profile.js";

/** From this height on a live area never takes the whole window, so that there is room for one row more. */
const GUARDED_ROWS_MIN = 9;

/** A fitting frame with an empty first row, where the terminal needs one and the frame does not begin with one anyway. */
export function guarded(frame: Frame, profile: Profile, size: Size): Frame {
  if (profile.guard === "none" || frame.rows[0] === "" || size.rows < GUARDED_ROWS_MIN) return frame;
  const { rows, cursor } = frame;
  return { rows: ["", ...rows], cursor: cursor && { row: cursor.row + 1, column: cursor.column } };
}

export function isGuarded(rows: readonly string[], profile: Profile): boolean {
  return profile.guard === "empty-row" && rows[0] === "";
}
