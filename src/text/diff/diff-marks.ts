// What stands out in a hunk: the words that changed, and the colours of the language on each side. The lines must be safe.
import { diffWordsWithSpace } from "diff";
import type { Run } from "../code/grammar-run.js";
import type { DiffLine } from "./unified-diff.js";

/** Colours lines of one text. */
type HighlightLines = (lines: readonly string[]) => (readonly Run[])[];

// Each side is coloured on its own: context with removals, and context with additions.
export function hunkRuns(lines: readonly DiffLine[], highlight: HighlightLines): (readonly Run[])[] {
  const runs: (readonly Run[])[] = [];
  for (const side of ["remove", "add"] as const) {
    const indexes = lines.flatMap(({ kind }, index) => (kind === side || kind === "context" ? [index] : []));
    const coloured = highlight(indexes.map((index) => lines[index]?.text ?? ""));
    indexes.forEach((index, i) => {
      runs[index] = coloured[i] ?? [];
    });
  }
  return runs;
}

// Cuts the runs at the edges of the marks and replaces their look.
export function withMarks(runs: readonly Run[], marks: readonly Range[], kind: "add" | "remove"): Run[] {
  if (marks.length === 0) return [...runs];
  const text = runs.map((run) => run.text).join("");
  const edges = new Set([0, text.length, ...marks.flat()]);
  let offset = 0;
  for (const run of runs) {
    offset += run.text.length;
    edges.add(offset);
  }
  const sorted = [...edges].sort((a, b) => a - b);
  return sorted.slice(1).map((end, i) => {
    const start = sorted[i] ?? 0;
    const isMarked = marks.some(([from, to]) => from <= start && end <= to);
    return { text: text.slice(start, end), look: isMarked ? ([kind, "mark"] as const) : lookAt(runs, start) };
  });
}

function lookAt(runs: readonly Run[], offset: number): Run["look"] {
  let end = 0;
  for (const run of runs) {
    end += run.text.length;
    if (offset < end) return run.look;
  }
  return undefined;
}

/** Start and end in UTF-16 units, the end excluded. */
export type Range = readonly [start: number, end: number];

/** Comparing words takes quadratic time. */
const LINE_UNITS_MAX = 400;
/** A larger block is a rewrite; pairing its lines would mislead. */
const BLOCK_LINES_MAX = 40;
/** Marks help only when at least this part of the line stayed. */
const COMMON_PART_MIN = 0.4;

/** The changed words of a hunk by line index: a removed line is compared with the added line in its place. */
export function changedWords(lines: readonly DiffLine[]): Map<number, Range[]> {
  const marks = new Map<number, Range[]>();
  for (let index = 0; index < lines.length; ) {
    const removed = runLength(lines, index, "remove");
    const added = runLength(lines, index + removed, "add");
    if (removed > 0 && added > 0 && removed + added <= BLOCK_LINES_MAX) {
      for (let i = 0; i < Math.min(removed, added); i++) markPair(lines, index + i, index + removed + i, marks);
    }
    index += Math.max(1, removed + added);
  }
  return marks;
}

function runLength(lines: readonly DiffLine[], start: number, kind: DiffLine["kind"]): number {
  let end = start;
  while (lines[end]?.kind === kind) end++;
  return end - start;
}

function markPair(lines: readonly DiffLine[], before: number, after: number, marks: Map<number, Range[]>): void {
  const oldText = lines[before]?.text ?? "";
  const newText = lines[after]?.text ?? "";
  const longer = Math.max(oldText.length, newText.length);
  if (longer > LINE_UNITS_MAX) return;
  const found = compare(oldText, newText);
  if (found.commonUnits < longer * COMMON_PART_MIN) return;
  if (found.removed.length > 0) marks.set(before, found.removed);
  if (found.added.length > 0) marks.set(after, found.added);
}

function compare(before: string, after: string): { removed: Range[]; added: Range[]; commonUnits: number } {
  const removed: Range[] = [];
  const added: Range[] = [];
  let oldOffset = 0;
  let newOffset = 0;
  let commonUnits = 0;
  for (const change of diffWordsWithSpace(before, after)) {
    const units = change.value.length;
    if (change.removed) removed.push([oldOffset, oldOffset + units]);
    else if (change.added) added.push([newOffset, newOffset + units]);
    else commonUnits += units;
    if (!change.added) oldOffset += units;
    if (!change.removed) newOffset += units;
  }
  return { removed, added, commonUnits };
}
