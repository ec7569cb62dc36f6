// Every control sequence that the screen writes. There is no "erase the screen" and no "erase the scrollback", so they
// cannot be sent by accident.

export const CR = "\r";
export const CRLF = "\r\n";
export const LF = "\n";
export const BACKSPACE = "\b";
/** IND: one row down, scrolling at the bottom. Unlike LF it leaves the column and xterm.js's wrap flags alone. */
export const INDEX = "\x1bD";
export const SAVE_CURSOR = "\x1b7";
export const RESTORE_CURSOR = "\x1b8";
export const PLAIN_STYLE = "\x1b[m";
export const END_LINK = "\x1b]8;;\x1b\\";
export const ERASE_RIGHT = "\x1b[K";
export const ERASE_BELOW = "\x1b[J";
export const CURSOR_RIGHT = "\x1b[C";
export const WRAP_ON = "\x1b[?7h";
export const WRAP_OFF = "\x1b[?7l";
export const CURSOR_SHOW = "\x1b[?25h";
export const CURSOR_HIDE = "\x1b[?25l";
export const SYNC_BEGIN = "\x1b[?2026h";
export const SYNC_END = "\x1b[?2026l";
/** OSC 133;A: "a prompt begins here". kitty blanks everything from there on when the window changes its size. */
export const PROMPT_MARK = "\x1b]133;A\x07";
export const ALTERNATE_ENTER = "\x1b[?1049h";
export const ALTERNATE_LEAVE = "\x1b[?1049l";

export function cursorUp(rows: number): string {
  return rows === 1 ? "\x1b[A" : `\x1b[${rows}A`;
}

export function cursorDown(rows: number): string {
  return rows === 1 ? "\x1b[B" : `\x1b[${rows}B`;
}

/** Columns count from 0 in this program and from 1 on the wire. */
export function cursorColumn(column: number): string {
  return `\x1b[${column + 1}G`;
}

export function cursorAt(row: number, column: number): string {
  return column === 0 ? `\x1b[${row + 1}H` : `\x1b[${row + 1};${column + 1}H`;
}

export function insertRows(rows: number): string {
  return rows === 1 ? "\x1b[L" : `\x1b[${rows}L`;
}

export function deleteRows(rows: number): string {
  return rows === 1 ? "\x1b[M" : `\x1b[${rows}M`;
}
