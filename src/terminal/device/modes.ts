// The modes and questions of the terminal as a whole, apart from painting: how keys and pastes arrive, and what the
// terminal is. Everything that is switched on here has its opposite beside it.
import { BACKGROUND_QUERY, GROUND_REPORTS_OFF, GROUND_REPORTS_ON } from "../painter/style/theme-choice.js";

const BRACKETED_PASTE_ON = "\x1b[?2004h";
const BRACKETED_PASTE_OFF = "\x1b[?2004l";
/** Keys that differ arrive differently (1), with their shifted and base-layout forms (4). */
const KITTY_KEYS_PUSH = "\x1b[>5u";
const KITTY_KEYS_POP = "\x1b[<u";
const KITTY_KEYS_QUERY = "\x1b[?u";
/** The older way to tell Shift+Enter from Enter, for terminals without the kitty protocol. */
export const MODIFY_OTHER_KEYS_ON: string = "\x1b[>4;2m";
const MODIFY_OTHER_KEYS_OFF = "\x1b[>4m";

/** Reports when the window gets and loses the keyboard: nobody is called who is looking. */
const FOCUS_REPORTS_ON = "\x1b[?1004h";
const FOCUS_REPORTS_OFF = "\x1b[?1004l";

const VERSION_QUERY = "\x1b[>0q";
const SECONDARY_ATTRIBUTES_QUERY = "\x1b[>c";
const SYNCHRONIZED_UPDATES_QUERY = "\x1b[?2026$p";
/** How large a character cell is, in pixels. Asked only where pictures can be shown, and before the other questions. */
export const CELL_SIZE_QUERY: string = "\x1b[16t";
/** Every terminal answers it, and in its turn: whatever was written before has been read by then. */
export const FENCE_QUERY: string = "\x1b[c";

export const TAKE_KEYBOARD: string = BRACKETED_PASTE_ON + FOCUS_REPORTS_ON + GROUND_REPORTS_ON + KITTY_KEYS_PUSH;
/** Konsole takes the pop for "back to the saved cursor", and would put the shell's prompt over the transcript. */
const SAVE_CURSOR = "\x1b7";
/** Popping an empty stack and resetting an unset mode do nothing, so this may be sent whatever was negotiated. */
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
