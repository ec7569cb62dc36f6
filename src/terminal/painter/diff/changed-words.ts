// Which words of a changed line are new. A removed line and the added line in its place are compared word by word; when
// they have little in common, marks would be noise and there are none.

import { diffWordsWithSpace } from "diff";
import type { DiffLine } from "./unified-diff.js";

/** From, up to but not including, in UTF-16 units of the line. */
export type Range = readonly [start: number, end: number];

/** Longer lines are compared as wholes: the comparison takes quadratic time. */
const LINE_UNITS_MAX = 400;
/** A block of more changed lines is a rewrite, and pairing its lines one by one would mislead. */
const BLOCK_LINES_MAX = 40;
/** Marks help when at least this part of the longer line stayed. */
const COMMON_PART_MIN = 0.4;

/** The marked ranges of the lines of a hunk, by index; lines without marks are missing. */
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
