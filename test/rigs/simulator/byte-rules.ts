// Rules about the bytes themselves: what must never be written, whatever the terminal would make of it.

import type { Profile } from "../../../src/terminal/painter/profile.js";
import { Fault } from "./fault.js";
import type { Erasure } from "./window.js";

/** Erasing the screen or the scrollback, and resetting the terminal. */
const NEVER = /\x1b\[\??[0-9;]*[23]J|\x1bc|\x1b\[!p|\x1b\[[0-9;]*r/;
const UPDATE_MARKS = /\x1b\[\?2026[hl]/g;
const CURSOR_HIDE = "\x1b[?25l";

export function checkWrite(bytes: string): void {
  const never = NEVER.exec(bytes);
  if (never !== null) throw new Fault("forbidden bytes", `a write holds ${JSON.stringify(never[0])}`);
  let isOpen = false;
  for (const [mark] of bytes.matchAll(UPDATE_MARKS)) {
    if (mark.endsWith("h") === isOpen)
      throw new Fault("forbidden bytes", "synchronized updates of one write are crossed");
    isOpen = !isOpen;
  }
  if (isOpen) throw new Fault("forbidden bytes", "a write leaves a synchronized update open");
}

/** tmux pushes the whole screen into its history when ED arrives in the top left corner. */
export function checkErasure({ what, row, column, screen }: Erasure, profile: Profile): void {
  const isAtCorner = row === 0 && column === 0 && screen === "normal";
  if (what !== 0) throw new Fault("forbidden bytes", `ED ${what} reached the terminal`);
  if (isAtCorner && profile.eraseBelow === "never-at-column-1") {
    throw new Fault("forbidden bytes", "ED at the top left corner of the screen");
  }
}

/** Where half a frame may be seen, a shown cursor is hidden before lines are inserted. */
export function checkInsertion(bytes: string, cursor: "shown" | "hidden", profile: Profile): void {
  if (cursor === "hidden" || profile.synchronized === "known" || bytes.includes(CURSOR_HIDE)) return;
  throw new Fault("state", "lines were inserted while the cursor was shown");
}
