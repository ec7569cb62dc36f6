// What a person sees and can scroll to, as text: every row of the scrollback, a ruler, every row of the window, and a bar
// where the cursor stands.
//
//   › fix the failing test
//   ─── window 40×10 ───
//   › and then▏
//     claude
//   ─── 7 empty rows ───

import { textWidth } from "../../src/text/width.js";
import type { Emulator } from "../rigs/emulator.js";

const CURSOR = "▏";

export function frameText(emulator: Emulator): string {
  const { columns, rows } = emulator;
  const window = emulator.viewport().map((row) => row.trimEnd());
  const blanks = window.length - 1 - window.findLastIndex((row) => row !== "");
  const cursor = emulator.modes().isCursorShown ? emulator.cursor() : drawnCursor(emulator);
  if (cursor !== null) markCursor(window, cursor);
  const seen = window.slice(0, window.length - blanks + (isMarked(window, blanks) ? 1 : 0));
  const isAlternate = emulator.screen() === "alternate";
  const above = isAlternate ? [] : emulator.scrollback().map((row) => row.trimEnd());
  return [
    ...above,
    ruler(`${isAlternate ? "alternate screen" : "window"} ${columns}×${rows}`),
    ...seen,
    ruler(emptyRows(rows - seen.length)),
  ].join("\n");
}

/** While rows above the composer may move, its cursor is a cell in reverse; no other cell stands so alone. */
function drawnCursor(emulator: Emulator): { row: number; column: number } | null {
  const isDrawn = (row: number, column: number) => emulator.cell(row, column).isInverse;
  for (let row = 0; row < emulator.rows; row += 1) {
    for (let column = 0; column < emulator.columns; column += 1) {
      if (isDrawn(row, column) && !isDrawn(row, column + 1)) return { row, column };
      while (isDrawn(row, column)) column += 1;
    }
  }
  return null;
}

/** Whether the cursor stands in the first of the blank rows, which is then not blank any more. */
function isMarked(window: readonly string[], blanks: number): boolean {
  return (window[window.length - blanks] ?? "") !== "";
}

function markCursor(window: string[], { row, column }: { readonly row: number; readonly column: number }): void {
  const text = window[row] ?? "";
  let before = "";
  for (const character of text) {
    if (textWidth(before + character) > column) break;
    before += character;
  }
  window[row] = before.padEnd(before.length + column - textWidth(before)) + CURSOR + text.slice(before.length);
}

function ruler(words: string): string {
  return `─── ${words} ───`;
}

function emptyRows(count: number): string {
  return count === 1 ? "1 empty row" : `${count} empty rows`;
}
