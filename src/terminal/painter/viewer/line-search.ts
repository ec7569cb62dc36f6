// Finds text in lines. A lower-case query ignores case.
import { plainText, rowWidth, sliceRow } from "../../../text/row.js";
import { textWidth } from "../../../text/width.js";
import type { Direction } from "./viewer-state.js";

/** The next line with a match; wraps around at the end. */
export function nextMatch(
  lines: readonly string[],
  query: string,
  { from, direction }: { from: number; direction: Direction },
): number | null {
  const step = direction === "forward" ? 1 : -1;
  const count = lines.length;
  for (let tried = 0; tried < count; tried += 1) {
    const line = (((from + tried * step) % count) + count) % count;
    if (matchesIn(plainText(lines[line] ?? ""), query).length > 0) return line;
  }
  return null;
}

/** The numbers of all lines with a match. */
export function matchingLines(lines: readonly string[], query: string): number[] {
  return lines.flatMap((line, at) => (matchesIn(plainText(line), query).length > 0 ? [at] : []));
}

/** Matches as [from, to) in UTF-16 units, without overlaps. */
export function matchesIn(text: string, query: string): [from: number, to: number][] {
  if (query === "") return [];
  const isExact = query !== query.toLowerCase();
  const where = isExact ? text : lowered(text);
  const matches: [number, number][] = [];
  for (let at = where.indexOf(query); at >= 0; at = where.indexOf(query, at + query.length)) {
    matches.push([at, at + query.length]);
  }
  return matches;
}

// Letters whose lower case has another length stay, so that offsets hold.
function lowered(text: string): string {
  const small = text.toLowerCase();
  if (small.length === text.length) return small;
  return Array.from(text, (character) => {
    const one = character.toLowerCase();
    return one.length === character.length ? one : character;
  }).join("");
}

/** The line with every match marked, which replaces its colours: reversed in the current line, underlined in others. */
export function highlighted(line: string, query: string, which: "current" | "other"): string {
  const mark = which === "current" ? "\x1b[7m" : "\x1b[4m";
  const text = plainText(line);
  const matches = matchesIn(text, query);
  if (matches.length === 0) return line;
  let row = "";
  let cell = 0;
  for (const [from, to] of matches) {
    const start = textWidth(text.slice(0, from));
    const end = textWidth(text.slice(0, to));
    row += `${sliceRow(line, cell, start)}${mark}${text.slice(from, to)}\x1b[m`;
    cell = end;
  }
  return row + sliceRow(line, cell, rowWidth(line));
}
