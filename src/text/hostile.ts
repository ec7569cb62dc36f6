// Reads untrusted text. It is split into printable text, colour changes, erasures and the few control
// characters with a meaning; every other escape sequence and control character ends here. The rules, which never let a
// sequence swallow text without bound:
//
// - A CSI sequence is its introducer, its parameters and its final byte. Without a final byte only the first two go.
// - A string sequence (OSC, DCS, APC, PM, SOS, and the title of screen) goes whole when it is terminated before the next
//   line break, escape or 8-bit control. Otherwise only its introducer goes and its body stays as visible text.
// - The 8-bit controls U+0080–U+009F mean the same as their ESC forms.
import { mayBeReplaced } from "./reserved-signs.js";
import { SIMPLE_CELLS } from "./simple-cells.js";

export type Piece = { kind: "text"; text: string } | { kind: "sgr"; params: string } | { kind: "tab" } | CursorControl;

/** Moves or erases within the line, as progress bars do. */
export type CursorControl = { kind: "erase"; what: "to the end" | "all" } | { kind: "return" | "backspace" };

const STRING = /(?:\x1b[\]PX^_k]|[\x9d\x90\x98\x9e\x9f])[^\x07\x0a\x0d\x1b\x80-\x9f]*(?:\x07|\x1b\\|\x9c)/;
const CSI = /(?:\x1b\[|\x9b)[\x20-\x3f]*[\x40-\x7e]?/;
const OTHER_ESCAPE = /\x1b[\x20-\x2f]*[\x30-\x7e]?/;
const CONTROL = /[\x00-\x1f\x7f-\x9f]/;
const SPECIAL = new RegExp([STRING, CSI, OTHER_ESCAPE, CONTROL].map(({ source }) => `(?:${source})`).join("|"), "g");

const SGR = /^(?:\x1b\[|\x9b)([0-9;:]{0,64})m$/;
const FIRST_COLUMN = /^(?:\x1b\[|\x9b)[01]?G$/;
const ERASE_IN_LINE = /^(?:\x1b\[|\x9b)([02]?)K$/;

/** Whether a text is safe as it is, which nearly all text is. */
export function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (!PLAIN_UNITS[text.charCodeAt(i)]) return false;
  return true;
}

// Reserved signs are simple to measure but must be replaced.
const PLAIN_UNITS = SIMPLE_CELLS.map((cells, unit) =>
  cells !== 0 && !(unit >= 0x2000 && mayBeReplaced(String.fromCharCode(unit))) ? 1 : 0,
);

/** The pieces of one line. A line break inside it vanishes like any other control character. */
export function hostilePieces(line: string): Piece[] {
  const pieces: Piece[] = [];
  let textStart = 0;
  for (const match of line.matchAll(SPECIAL)) {
    if (match.index > textStart) pieces.push({ kind: "text", text: line.slice(textStart, match.index) });
    textStart = match.index + match[0].length;
    const piece = meaning(match[0]);
    if (piece !== undefined) pieces.push(piece);
  }
  if (textStart < line.length) pieces.push({ kind: "text", text: line.slice(textStart) });
  return pieces;
}

function meaning(special: string): Piece | undefined {
  if (special === "\t") return { kind: "tab" };
  if (special === "\r" || FIRST_COLUMN.test(special)) return { kind: "return" };
  if (special === "\b") return { kind: "backspace" };
  const sgr = SGR.exec(special);
  if (sgr) return { kind: "sgr", params: sgr[1] ?? "" };
  const erase = ERASE_IN_LINE.exec(special);
  if (erase) return { kind: "erase", what: erase[1] === "2" ? "all" : "to the end" };
  return undefined;
}
