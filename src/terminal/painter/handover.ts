// Takes and restores autowrap and cursor.
import type { Size } from "./frame.js";
import type { Painted } from "./patch.js";
import { Pen } from "./pen.js";
import type { Profile } from "./profile.js";
import * as seq from "./sequences.js";

/**
 * The live area begins on a line of its own. A row of spaces stays on an empty line and wraps from any other, so the
 * cursor's position need not be queried.
 *
 *     $ printf foo; palaver        | foo█      |        | foo       |
 *                                                 →     | █live     |
 */
export function takeBytes(size: Size, cursor: "anywhere" | "on-a-fresh-line"): string {
  if (cursor === "on-a-fresh-line") return seq.CURSOR_HIDE + seq.WRAP_OFF;
  const ownLine = `${seq.WRAP_ON}${" ".repeat(size.columns)}${seq.CR}${seq.ERASE_RIGHT}`;
  return seq.CURSOR_HIDE + ownLine + seq.WRAP_OFF;
}

/**
 * Erases the live area and leaves the cursor at the start of the line after the transcript.
 *
 *     | transcript |        | transcript |
 *     | █live      |   →    | █          |
 */
export function giveBackBytes(painted: Painted, profile: Profile): string {
  const pen = new Pen(profile, painted.size.columns, painted);
  pen.toRow(0);
  pen.eraseBelow();
  return pen.bytes + seq.PLAIN_STYLE + seq.WRAP_ON + seq.CURSOR_SHOW;
}

/** For an unknown state: ends whatever a frame may have begun. */
export const RESCUE_BYTES: string = seq.SYNC_END + seq.PLAIN_STYLE + seq.WRAP_ON + seq.CURSOR_SHOW;

/** A fresh row below everything: a gap at worst, but nothing is overwritten. */
export const BELOW_EVERYTHING: string = seq.cursorDown(999) + seq.CRLF;
