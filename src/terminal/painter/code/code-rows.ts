// Code as rows: every line harmless and in its colours, none cut, none padded. Colours are a comfort and are given up
// early: above a maximum of size the code is shown as it is.

import { safeLine } from "../../../text/safe.js";
import type { Style } from "../style/style.js";
import { type Run, runGrammar } from "./grammar-run.js";
import type { Language } from "./languages.js";

/** Longer lines are data, not code that somebody reads, and some grammars take quadratic time on them. */
export const COLOURED_LINE_UNITS_MAX = 2000;
const COLOURED_UNITS_MAX = 200_000;

/** One row per line of the code. A newline ends a line, so one at the end adds none. */
export function highlightLines(code: string, language: Language | undefined, style: Style): string[] {
  const lines = code.split(/\r\n|[\n\r]/);
  if (lines.at(-1) === "") lines.pop();
  // What the grammar sees is safe already; otherwise a colour could begin in the middle of an escape sequence.
  const safe = lines.map((line) => safeLine(line));
  if (style.depth === "none") return safe;
  return highlightRuns(safe, language).map((runs, index) => rowOfRuns(runs, safe[index] ?? "", style));
}

/** The same before painting, for who paints over it. The lines must be safe. */
export function highlightRuns(lines: readonly string[], language: Language | undefined): (readonly Run[])[] {
  const run = language === undefined || !isColoured(lines) ? undefined : runGrammar(lines.join("\n"), language);
  return lines.map((line, index) => {
    const runs = run?.lines[index];
    return runs !== undefined && spells(runs, line) ? runs : [{ text: line, look: undefined }];
  });
}

function isColoured(lines: readonly string[]): boolean {
  let units = 0;
  for (const { length } of lines) {
    units += length + 1;
    if (length > COLOURED_LINE_UNITS_MAX || units > COLOURED_UNITS_MAX) return false;
  }
  return true;
}

/** The runs of one line as a row; the line itself when the runs do not spell it, which no grammar should cause. */
export function rowOfRuns(runs: readonly Run[] | undefined, line: string, style: Style): string {
  if (runs === undefined || !spells(runs, line)) return line;
  return runs.map(({ text, look }) => (look === undefined ? text : style.paint(look, text))).join("");
}

function spells(runs: readonly Run[], line: string): boolean {
  return runs.map(({ text }) => text).join("") === line;
}
