// Compares the terminal with what ought to be there, row by row from the cursor: the live area from its first row down,
// blank rows below it, and above it exactly the printed lines. Equality in this strict sense leaves no room for lost,
// doubled or mangled lines, ghosts of the live area, or gaps.
//
//     | $ before           |  ▲
//     | settled, wrapped b |  │ printed lines, last one first
//     | y the terminal     |  │
//     | █live row 1        |  ▼ live rows
//     | live row 2         |
//     |                    |    nothing

import { EMPTY_FRAME } from "../../../src/terminal/painter/frame.js";
import { plainText } from "../../../src/text/row.js";
import { graphemes, isDisputed } from "../../../src/text/width.js";
import { Fault } from "./fault.js";
import type { Entry } from "./ledger.js";
import type { Shown } from "./program.js";
import type { Window } from "./window.js";

/** Neighbours of the first wrong line that a report shows. */
const CONTEXT_LINES = 3;

/** `shown` is what fits into the window; undefined while the program has given the terminal back. */
export function checkLiveArea(window: Window, shown: Shown | undefined): { readonly topRow: number } {
  const cursor = window.cursor();
  const frame = shown?.frame ?? EMPTY_FRAME;
  const isInside = cursor.state === "shown" && frame.cursor !== null;
  if (cursor.state === "shown" && frame.cursor === null && shown !== undefined) {
    throw new Fault("cursor", "the cursor is shown although there is no place for it");
  }
  const column = isInside ? (frame.cursor?.column ?? 0) : 0;
  if (cursor.column !== column) {
    throw new Fault("cursor", `the ${cursor.state} cursor is at column ${cursor.column} instead of ${column}`);
  }
  const topRow = cursor.row - (isInside ? (frame.cursor?.row ?? 0) : 0);
  compareLiveRows(window, topRow, frame.rows);
  if (topRow > 0 && window.isContinuation(topRow)) {
    throw new Fault("live area", "the terminal takes the first live row for a part of the transcript");
  }
  return { topRow };
}

function compareLiveRows(window: Window, topRow: number, rows: readonly string[]): void {
  const expected = rows.map((row) => plainText(row).trimEnd());
  const isWrong = (index: number): boolean => {
    const row = expected[index] ?? "";
    return window.row(topRow + index) !== row && !graphemes(row).some(isDisputed);
  };
  const rowsLeft = Math.max(rows.length, window.rowCount - topRow);
  const first = Array.from({ length: rowsLeft }, (_, index) => index).find(isWrong);
  if (first === undefined) return;
  const where =
    first < rows.length ? `live row ${first + 1} of ${rows.length} is wrong` : "something stands below the live area";
  throw new Fault("live area", where, {
    expected,
    seen: Array.from({ length: rowsLeft }, (_, index) => window.row(topRow + index)),
  });
}

/** Compares upwards from the live area: all lines, or as many as take about this many rows. */
export function checkTranscript(window: Window, topRow: number, printed: readonly Entry[], rowsMax: number): void {
  let row = topRow - 1;
  let index = printed.length - 1;
  for (; index >= 0 && topRow - row <= rowsMax; index--) {
    const entry = printed[index];
    if (entry?.kind === "gap") {
      [row, index] = skipGap(window, row, printed, index);
      continue;
    }
    const expected = lineText(entry);
    if (row < 0) throw transcriptFault(window, topRow, printed, index, "lines are missing at the top");
    const { text, firstRow } = window.logicalLineUpTo(row);
    if (text !== expected) throw transcriptFault(window, row, printed, index, differenceName(window, row, expected));
    row = firstRow - 1;
  }
  if (index < 0 && row >= 0) {
    const seen = Array.from({ length: Math.min(8, row + 1) }, (_, i) => window.row(i));
    throw new Fault("transcript", `${row + 1} rows too many at the top`, { seen });
  }
}

/** The text that the terminal should give back for a printed line. */
function lineText(entry: Entry | undefined): string {
  return entry?.kind === "line" ? plainText(entry.text).trimEnd() : "";
}

// Blank lines that were printed just above the gap cannot be told from it.
function skipGap(window: Window, fromRow: number, printed: readonly Entry[], fromIndex: number): [number, number] {
  let row = fromRow;
  let index = fromIndex;
  while (row >= 0 && window.row(row) === "" && !window.isContinuation(row)) row -= 1;
  while (index > 0 && lineText(printed[index - 1]) === "") index -= 1;
  return [row, index];
}

function differenceName(window: Window, row: number, expected: string): string {
  const { text } = window.logicalLineUpTo(row);
  if (text === "") return "a gap or a lost line";
  return text.includes(expected) || expected.includes(text)
    ? "a line is joined or cut"
    : "a line is lost, doubled or wrong";
}

function transcriptFault(window: Window, row: number, printed: readonly Entry[], index: number, what: string): Fault {
  const seen: string[] = [];
  for (let at = row; at >= 0 && seen.length < CONTEXT_LINES; ) {
    const { text, firstRow } = window.logicalLineUpTo(at);
    seen.unshift(text);
    at = firstRow - 1;
  }
  const expected = printed.slice(Math.max(0, index + 1 - CONTEXT_LINES), index + 1).map(lineText);
  return new Fault("transcript", `${what}, ${printed.length - index} lines above the live area`, { expected, seen });
}
