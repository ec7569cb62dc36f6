// The modes and queries that are not about painting: keyboard, pastes and terminal type. Each mode stands beside the
// sequence that ends it.
import { BACKGROUND_QUERY, GROUND_REPORTS_OFF, GROUND_REPORTS_ON } from "../painter/style/theme-choice.js";

const BRACKETED_PASTE_ON = "\x1b[?2004h";
const BRACKETED_PASTE_OFF = "\x1b[?2004l";
/** Keys that differ arrive differently (1), with their shifted and base-layout forms (4). */
const KITTY_KEYS_PUSH = "\x1b[>5u";
const KITTY_KEYS_POP = "\x1b[<u";
const KITTY_KEYS_QUERY = "\x1b[?u";
/** Distinguishes Shift+Enter from Enter where the kitty protocol is missing. */
export const MODIFY_OTHER_KEYS_ON: string = "\x1b[>4;2m";
const MODIFY_OTHER_KEYS_OFF = "\x1b[>4m";

/** Focus reports, so that a notification is sent only while the window has no focus. */
const FOCUS_REPORTS_ON = "\x1b[?1004h";
const FOCUS_REPORTS_OFF = "\x1b[?1004l";

const VERSION_QUERY = "\x1b[>0q";
const SECONDARY_ATTRIBUTES_QUERY = "\x1b[>c";
const SYNCHRONIZED_UPDATES_QUERY = "\x1b[?2026$p";
/** The cell size in pixels. Sent only where pictures can be shown, before the other queries. */
export const CELL_SIZE_QUERY: string = "\x1b[16t";
/** Every terminal answers it, in order: everything written before has been read by then. */
export const FENCE_QUERY: string = "\x1b[c";

export const TAKE_KEYBOARD: string = BRACKETED_PASTE_ON + FOCUS_REPORTS_ON + GROUND_REPORTS_ON + KITTY_KEYS_PUSH;
/** Konsole treats the pop as "restore cursor" and would put the shell's prompt over the transcript. */
const SAVE_CURSOR = "\x1b7";
/** Safe whatever was negotiated: popping an empty stack and resetting an unset mode do nothing. */
export const GIVE_KEYBOARD_BACK: string =
  SAVE_CURSOR + KITTY_KEYS_POP + MODIFY_OTHER_KEYS_OFF + FOCUS_REPORTS_OFF + GROUND_REPORTS_OFF + BRACKETED_PASTE_OFF;
export const ASK_TERMINAL: string =
  KITTY_KEYS_QUERY +
  VERSION_QUERY +
  SECONDARY_ATTRIBUTES_QUERY +
  SYNCHRONIZED_UPDATES_QUERY +
  BACKGROUND_QUERY +
  FENCE_QUERY;

/** Puts a text on the clipboard, also over ssh (OSC 52). */
export function clipboardBytes(text: string): string {
  return `\x1b]52;c;${Buffer.from(text).toString("base64")}\x07`;
}
