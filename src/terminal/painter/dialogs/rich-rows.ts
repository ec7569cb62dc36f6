// Diffs and Markdown as rows of a dialog. The readers and grammars behind them are a fifth of all the code that a small dialog
// would load, so one that shows neither does without this file.

import { diffRows } from "../diff/diff-rows.js";
import { markdownRows } from "../markdown/markdown-stream.js";
import type { Style } from "../style/style.js";

export interface RichRows {
  diff(source: string, look: { readonly style: Style; readonly path?: string }): string[];
  markdown(source: string, widthCells: number, look: { readonly style: Style }): string[];
}

export const richRows: RichRows = {
  diff: diffRows,
  markdown: (source, widthCells, { style }) => markdownRows(source, widthCells, { style, wrap: "words" }),
};
