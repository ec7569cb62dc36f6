// Finds words in lines. A query in small letters finds capitals too; one with a capital means it.
import { plainText, rowWidth, sliceRow } from "../../../text/row.js";
import { textWidth } from "../../../text/width.js";
import type { Direction } from "./viewer-state.js";

/** The first line with a match from here on in this direction; past the end it goes on at the other end. */
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

/** Where the query stands in a text, as [from, to) in UTF-16 units; matches do not overlap. */
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

// Some capitals become two letters when they are made small; those stay as they are, so that places keep their numbers.
function lowered(text: string): string {
  const small = text.toLowerCase();
  if (small.length === text.length) return small;
  return Array.from(text, (character) => {
    const one = character.toLowerCase();
    return one.length === character.length ? one : character;
  }).join("");
}

/** The line with every match in reverse. Inside a match its own colours are gone; around it they stay. */
export function highlighted(line: string, query: string): string {
  const text = plainText(line);
  const matches = matchesIn(text, query);
  if (matches.length === 0) return line;
  let row = "";
  let cell = 0;
  for (const [from, to] of matches) {
    const start = textWidth(text.slice(0, from));
    const end = textWidth(text.slice(0, to));
    row += `${sliceRow(line, cell, start)}\x1b[7m${text.slice(from, to)}\x1b[m`;
    cell = end;
  }
  return row + sliceRow(line, cell, rowWidth(line));
}
