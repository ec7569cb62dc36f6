// Taking the terminal and giving it back, as far as painting is concerned: autowrap and cursor.

import type { Size } from "./frame.js";
import type { Painted } from "./patch.js";
import { Pen } from "./pen.js";
import type { Profile } from "./profile.js";
import * as seq from "./sequences.js";

/**
 * The live area begins on a line of its own, wherever the cursor was left. Nobody has to ask the terminal for that: as many
 * spaces as a row has columns stay on an empty line and run over from any other.
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

/** For a terminal whose state nobody knows any more: ends whatever a frame may have begun. */
export const RESCUE_BYTES: string = seq.SYNC_END + seq.PLAIN_STYLE + seq.WRAP_ON + seq.CURSOR_SHOW;

/** A fresh row under all that is on the screen: a gap at worst, but nothing can be overwritten. */
export const BELOW_EVERYTHING: string = seq.cursorDown(999) + seq.CRLF;
