// Code as safe, coloured rows.

import type { Run } from "../../../text/code/grammar-run.js";
import { LineHighlighter } from "../../../text/code/highlight.js";
import type { Language } from "../../../text/code/languages.js";
import type { Style } from "../style/style.js";

export function paintRuns(runs: readonly Run[], style: Style): string {
  return runs.map(({ text, look }) => (look === undefined ? text : style.paint(look, text))).join("");
}

/** The rows of code that grows line by line. */
export function highlightedRows(language: Language | undefined, style: Style) {
  const lines = new LineHighlighter(style.depth === "none" ? undefined : language);
  return {
    take: (line: string) => paintRuns(lines.take(line), style),
    peek: (line: string) => paintRuns(lines.peek(line), style),
  };
}
