// Signs that only Palaver draws: the bar before a dialog, the arrow at a choice, the mark before a widget. They show
// that something takes keys, so untrusted text never contains them, at any place: lines wrap, and any place can become
// the start of a row.
//
//   agent says          is shown as
//   | ▌ Allow it?  |    | │ Allow it?  |
//   | ▌ ❯ 1  yes   |    | │ > 1  yes   |
//
// The signs before tool rows are replaced as well, so that prose cannot report a tool call that never ran. The sign
// before the user's messages is common inside lines, so it is replaced only at their start.
//
//   | ● edit a.ts  |    | • edit a.ts  |
//   | › yes, do it |    | > yes, do it |

// Upright bars, also dashed ones. QR codes and progress bars use full blocks, so a full block is replaced only alone
// between blanks, before words.
const BARS = "▉▊▋▌▍▎▏▐▕┃╹╻╽╿┆┇┊┋╎╏❙❚▮⏽\u{1fb70}-\u{1fb75}\u{1fb7c}-\u{1fb7f}\u{1fb87}-\u{1fb8f}";
/** A bar of two columns. */
const WIDE_BAR = /\uff5c/g;
const BLOCKS = "█▙▛▜▟⡇⣿\u{1fb15}";
/** With the characters outside \s that are drawn as blanks. */
const BLANKS = "\\s\u2800\u115f\u1160";
const LONE_BLOCK = new RegExp(`(?<![^${BLANKS}])[${BLOCKS}](?=[${BLANKS}]+[^${BLANKS}\u2580-\u259f])`, "gu");
const BLOCK = new RegExp(`[${BLOCKS}]`, "u");
const ARROWS = "❯❱❭➤";

const ROW_SIGNS: Readonly<Record<string, string>> = { "●": "•", "◌": "○", "✕": "×" };
const ROW_SIGN = /[●◌✕]/g;
const PROMPT_SIGN = new RegExp(`^([${BLANKS}]*)›`, "u");
const IN_ROWS = /[●◌✕›]/;

const BAR = new RegExp(`[${BARS}]`, "gu");
const ARROW = new RegExp(`[${ARROWS}]`, "gu");
const ANY = new RegExp(`[${BARS}${ARROWS}\\uff5c]`, "u");

/** Whether text has a sign of a dialog. */
export function isReserved(text: string): boolean {
  return ANY.test(text);
}

/** Whether a character is replaced, at least at some places. */
export function mayBeReplaced(character: string): boolean {
  return BLOCK.test(character) || ANY.test(character) || IN_ROWS.test(character);
}

/** Replaces each reserved sign by a plainer one of the same width. */
export function withPlainSigns(text: string): string {
  const lone = BLOCK.test(text) ? text.replace(LONE_BLOCK, "│") : text;
  const plain = ANY.test(lone) ? lone.replace(BAR, "│").replace(WIDE_BAR, "│ ").replace(ARROW, ">") : lone;
  if (!IN_ROWS.test(plain)) return plain;
  return plain.replace(ROW_SIGN, (sign) => ROW_SIGNS[sign] ?? sign).replace(PROMPT_SIGN, "$1>");
}
