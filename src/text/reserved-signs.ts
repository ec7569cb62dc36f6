// Signs that only Palaver draws: the bar before a dialog, the arrow at a choice, the mark before a widget. They are how a
// person knows that something wants an answer and takes keys, so text from outside never has them, at any place and before
// any kind of blank: long lines wrap, and any place of a line can become the start of a row.
//
//   agent says          is shown as
//   | ▌ Allow it?  |    | │ Allow it?  |
//   | ▌ ❯ 1  yes   |    | │ > 1  yes   |

// Upright bars of more than a hair's breadth, and the dashed ones of which the widgets' mark is one. The full block is not
// among them: it is twice as wide as ours, and QR codes and progress bars are made of it.
const BARS = "▉▊▋▌▍▎▏▐▕┃╹╻╽╿┆┇┊┋╎╏❙❚▮⏽\u{1fb70}-\u{1fb75}\u{1fb87}-\u{1fb8b}";
const ARROWS = "❯❱❭";

const BAR = new RegExp(`[${BARS}]`, "gu");
const ARROW = new RegExp(`[${ARROWS}]`, "gu");
const ANY = new RegExp(`[${BARS}${ARROWS}]`, "u");

export function isReserved(text: string): boolean {
  return ANY.test(text);
}

/** Each reserved sign as a plainer one of the same width. */
export function withPlainSigns(text: string): string {
  return ANY.test(text) ? text.replace(BAR, "│").replace(ARROW, ">") : text;
}
