// Compares what a person can scroll back to with what was printed there. Terminals wrap, and some of them cut or pad rows,
// so white space does not count: a line is found by its other characters, wherever the rows end.
//
//     | $059: usr/lib … :059$ |   shell      lost, mangled: `shellLost`
//     | T0000:abc … :0000E    |   stream     not there: `lost`; there in pieces: `mangled`; there again: `doubled`
//     | ▌⣏⣗ …                 |   live area  must be gone: `ghost`
//     |                       |   nobody printed an empty row: `blank`
//     | END-OF-SESSION        |

import { rowWidth } from "../../src/text/row.js";
import { hasLiveGlyph, withoutLiveGlyphs } from "./live-disguise.js";

export interface Expectation {
  readonly shell: readonly string[];
  /** Each with a unique head and end, as `heads` and `ends` give them. */
  readonly lines: readonly string[];
  readonly heads: readonly string[];
  readonly ends: readonly string[];
  readonly endMark: string;
  /** So many cells right of its edge the terminal keeps when it grows narrower, and shows them again when it grows. */
  readonly keptCells?: number;
  /** No window of the session was narrower; a live row that stands there whole begins left of it. */
  readonly narrowestCells?: number;
}

export const FAULTS = ["lost", "doubled", "mangled", "ghost", "blank", "shellLost", "order"] as const;
export type FaultName = (typeof FAULTS)[number];
export type Faults = Readonly<Record<FaultName, number>>;

export interface Verdict {
  readonly faults: Faults;
  /** One sentence per fault, for somebody who wants to look into the scrollback. */
  readonly details: readonly string[];
  /** Without the mark that closes the session nothing was read, and the counts mean nothing. */
  readonly isComplete: boolean;
}

interface Place {
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

class Findings {
  readonly counts: Record<FaultName, number> = {
    lost: 0,
    doubled: 0,
    mangled: 0,
    ghost: 0,
    blank: 0,
    shellLost: 0,
    order: 0,
  };
  readonly details: string[] = [];

  add(name: FaultName, what: string): void {
    this.counts[name] += 1;
    this.details.push(`${name}: ${what}`);
  }
}

export function judge(rows: readonly string[], expected: Expectation): Verdict {
  const findings = new Findings();
  const text = squashed(rows.filter((row) => !isWhollyLive(row)).join(""));
  const places = [...shellPlaces(text, expected, findings), ...linePlaces(text, expected, findings)];
  judgeOrder(places, findings);
  judgeGaps(text, places, expected, findings);
  judgeRows(rows, expected, findings);
  return {
    faults: findings.counts,
    details: findings.details,
    isComplete: text.includes(squashed(expected.endMark)),
  };
}

function squashed(text: string): string {
  return text.replace(/\s+/g, "");
}

function isWhollyLive(row: string): boolean {
  return hasLiveGlyph(row) && squashed(withoutLiveGlyphs(row)) === "";
}

function shellPlaces(text: string, { shell }: Expectation, findings: Findings): Place[] {
  return shell.flatMap((line, index) => {
    const wanted = squashed(line);
    const start = text.indexOf(wanted);
    if (start >= 0) return [{ index, start, end: start + wanted.length }];
    findings.add("shellLost", line);
    return [];
  });
}

function linePlaces(text: string, expected: Expectation, findings: Findings): Place[] {
  return expected.lines.flatMap((line, index) => {
    const wanted = squashed(line);
    const start = text.indexOf(wanted);
    const copies = occurrences(text, expected.heads[index] ?? wanted);
    if (start < 0) {
      const hasPiece = copies > 0 || text.includes(expected.ends[index] ?? wanted);
      findings.add(hasPiece ? "mangled" : "lost", line);
      return [];
    }
    if (copies > 1) findings.add("doubled", line);
    return [{ index: expected.shell.length + index, start, end: start + wanted.length }];
  });
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}

function judgeOrder(places: readonly Place[], findings: Findings): void {
  let last = -1;
  for (const place of places) {
    if (place.start < last) findings.add("order", `line ${place.index} stands before its predecessor`);
    last = place.start;
  }
}

// Between two neighbours that are both there nothing may stand: what does was printed once too often. Where a neighbour is
// missing the text may be its remains, and a second head was counted with its line.
function judgeGaps(text: string, places: readonly Place[], { heads }: Expectation, findings: Findings): void {
  places.forEach((place, at) => {
    const next = places[at + 1];
    if (next === undefined || next.index !== place.index + 1 || next.start <= place.end) return;
    const between = withoutLiveGlyphs(text.slice(place.end, next.start));
    const isCounted = heads.some((head) => between.includes(head));
    if (between !== "" && !isCounted) findings.add("doubled", `stray text behind line ${place.index}: ${between}`);
  });
}

function judgeRows(rows: readonly string[], expected: Expectation, findings: Findings): void {
  const { endMark } = expected;
  const first = rows.findIndex((row) => row.trim() !== "");
  const end = rows.findIndex((row) => row.includes(endMark));
  const last = end < 0 ? rows.length : end;
  rows.forEach((row, at) => {
    if (isKeptByTerminal(row, expected)) judgeKept(row, at, expected, findings);
    else if (hasLiveGlyph(row)) findings.add("ghost", `row ${at}: ${row.trim()}`);
    else if (row.trim() === "" && at > first && at < last) findings.add("blank", `row ${at}`);
  });
}

// Cells that were hidden behind the edge: they stand at the end of a row that is somebody else's otherwise, and there is no
// way to erase them from here. Plain printing leaves such cells as well, of text, and there they count as damage, too.
//
//     | T0081:m vr404r … 73d ijf⡫⡧                |
//     |                          └ two cells of a live row, from when the window was wider
function isKeptByTerminal(row: string, { keptCells = 0, narrowestCells = 0 }: Expectation): boolean {
  const text = row.trimEnd();
  const first = [...text].findIndex((glyph) => hasLiveGlyph(glyph));
  if (first < 0) return false;
  const kept = [...text].slice(first).join("");
  const startCell = rowWidth([...text].slice(0, first).join(""));
  return startCell >= narrowestCells && rowWidth(kept) <= keptCells && withoutLiveGlyphs(kept).trim() === "";
}

// In the middle of a line they break it, and it was found in pieces already.
function judgeKept(row: string, at: number, { ends }: Expectation, findings: Findings): void {
  const text = squashed(withoutLiveGlyphs(row));
  if (ends.some((end) => text.endsWith(end))) findings.add("mangled", `row ${at}: ${row.trim()}`);
}
