// The mouse, as far as the full screen uses it: presses are reported, and of those only the turns of the wheel mean
// anything. The sequences that switch it on have their opposite beside them.

/** Presses (1000), in the form that has no largest column (1006). */
export const WHEEL_ON = "\x1b[?1000h\x1b[?1006h";
export const WHEEL_OFF = "\x1b[?1006l\x1b[?1000l";

const REPORT = /^\x1b\[<(\d+);\d+;\d+[Mm]$/;
const WHEEL_UP = 64;
const WHEEL_DOWN = 65;
/** Shift, Alt and Ctrl are bits of the button and change nothing here. */
const MODIFIERS = 4 | 8 | 16;
const ROWS_PER_NOTCH = 3;

/** How far a report of the mouse scrolls: 0 for one that is no turn of the wheel, null when it is no report at all. */
export function wheelRows(sequence: string): number | null {
  const report = REPORT.exec(sequence);
  if (report === null) return null;
  const button = Number(report[1]) & ~MODIFIERS;
  if (button === WHEEL_UP) return -ROWS_PER_NOTCH;
  return button === WHEEL_DOWN ? ROWS_PER_NOTCH : 0;
}
