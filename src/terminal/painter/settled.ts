// Settled lines as bytes. Each is one logical line for the terminal: it wraps it, reflows it and copies it as one, and
// the only line break is at its end.

import { rowWidth } from "../../text/row.js";
import { closedRow } from "./row-change.js";
import { CRLF, ERASE_RIGHT } from "./sequences.js";

const BACKGROUND = /\x1b\[(?:[0-9:]+;)*(?:4[0-8]|10[0-7])[;:m]/;

/** `behind` is written after each line, before its end. */
export function settledText(lines: readonly string[], columns: number, behind = ""): string {
  const end = behind + CRLF;
  return lines.map((line) => settledLine(line, columns)).join(end) + end;
}

// When a line with a background wraps at the bottom of the screen, terminals fill the row that scrolls in with that
// background. The fill is taken back behind the text, unless the text ends exactly at the edge: there EL would hit it.
function settledLine(line: string, columns: number): string {
  if (!line.includes("\x1b")) return line;
  const closed = closedRow(line);
  if (!BACKGROUND.test(line)) return closed;
  const width = rowWidth(line);
  return width > columns && width % columns !== 0 ? closed + ERASE_RIGHT : closed;
}
