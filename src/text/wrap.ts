// Wraps one row into several that fit a width, at words or at cells. Every resulting row stands alone: it opens the styles
// and links it needs and closes them, so any of them may be drawn, dropped or scrolled away without its neighbours.

import { breakLine } from "./line-breaks.js";
import { cutRow } from "./row-cutter.js";
import { plainText } from "./row-tokens.js";

type WrapOptions = { at: "words" | "cells"; hangingIndentCells?: number };

/**
 * At "words", the spaces at a break disappear, ideographs part from each other, and only a word longer than a row is
 * broken inside. At "cells" nothing disappears. No row is wider than `widthCells` (at least 1).
 *
 *     wrapRow("- the quick brown fox", 12, { at: "words", hangingIndentCells: 2 })
 *
 *     | - the quick  |
 *     |   brown fox  |
 */
export function wrapRow(row: string, widthCells: number, options: WrapOptions): string[] {
  const firstCells = Math.max(1, Math.floor(widthCells));
  // An indent that would leave no room for a wide character gives way.
  const indentCells = Math.max(0, Math.min(options.hangingIndentCells ?? 0, firstCells - 2));
  const plain = plainText(row);
  const pieces = breakLine(plain, { firstCells, laterCells: firstCells - indentCells, at: options.at });
  const rows =
    plain === row
      ? pieces.map((piece) => piece.insteadText ?? plain.slice(piece.startOffset, piece.endOffset))
      : cutRow(row, pieces);
  if (indentCells === 0) return rows;
  const indent = " ".repeat(indentCells);
  return rows.map((text, index) => (index === 0 ? text : indent + text));
}
