// The mouse wheel on the full screen. Apart from the keys, because the first frame needs it.

/** Button presses (1000) in the SGR form (1006). */
export const WHEEL_ON = "\x1b[?1000h\x1b[?1006h";
export const WHEEL_OFF = "\x1b[?1006l\x1b[?1000l";

const REPORT = /^\x1b\[<(\d+);\d+;\d+[Mm]$/;
const WHEEL_UP = 64;
const WHEEL_DOWN = 65;
/** Shift, Alt and Ctrl. */
const MODIFIERS = 4 | 8 | 16;
const ROWS_PER_NOTCH = 3;

/** Rows to scroll: 0 for another button, null for another sequence. */
export function wheelRows(sequence: string): number | null {
  const report = REPORT.exec(sequence);
  if (report === null) return null;
  const button = Number(report[1]) & ~MODIFIERS;
  if (button === WHEEL_UP) return -ROWS_PER_NOTCH;
  return button === WHEEL_DOWN ? ROWS_PER_NOTCH : 0;
}
