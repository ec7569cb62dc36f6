// The command of an approval as rows. Runs of empty lines are folded, and the first, last and dangerous rows are
// marked, so that a small dialog keeps them.
//
//     npm test
//     … 119 empty lines
//     touch PWN
import { dangerOfCommand } from "../../../session/permission/danger.js";
import { rowWidth } from "../../../text/row.js";
import { safeReveal } from "../../../text/safe.js";
import { wrapRow } from "../../../text/wrap.js";
import type { Appearance } from "../blocks/glyphs.js";

export interface CommandRows {
  readonly rows: readonly string[];
  /** The rows to keep, most important first. */
  readonly telling: readonly number[];
  /** Rows that stand for several lines. */
  readonly folded: ReadonlyMap<number, number>;
}

/** Beyond these, lines in the middle are counted unless they are dangerous. */
const HEAD_LINES_MAX = 120;
const TAIL_LINES_MAX = 60;
const DANGEROUS_LINES_MAX = 20;
/** The middle of a longer line is cut. */
const LINE_UNITS_MAX = 20_000;
const EMPTY_LINES_FOLDED_MIN = 3;
/** The whole command was judged before. */
const LINES_JUDGED_MAX = 2_000;
const INDENT = "  ";

type Line = { readonly text: string; readonly kind: "command" | "note"; readonly lines?: number };

export function commandRows(command: string, widthCells: number, look: Appearance): CommandRows {
  const rows: string[] = [];
  const dangerous: number[] = [];
  const folded = new Map<number, number>();
  const innerCells = Math.max(1, widthCells - INDENT.length);
  for (const { text, kind, lines } of shownLines(command, look)) {
    if (lines !== undefined) folded.set(rows.length, lines);
    // Wrapped at cells, so that no blank disappears.
    const shown =
      kind === "note" ? [look.style.paint("dim", text)] : wrapRow(safeReveal(text), innerCells, { at: "cells" });
    if (kind === "command") dangerous.push(...dangerousRows(text, innerCells).map((row) => rows.length + row));
    rows.push(...shown.map((row) => INDENT + row));
  }
  const ends = rows.length === 0 ? [] : [0, rows.length - 1];
  return { rows, telling: [...new Set([...ends, ...dangerous])], folded };
}

function shownLines(command: string, { glyphs }: Appearance): Line[] {
  const note: Note = (count, what) => ({
    text: `${glyphs.more} ${count} ${what}`,
    kind: "note",
    ...(what === "characters" ? {} : { lines: count }),
  });
  const lines = foldedLines(command, note);
  if (lines.length <= HEAD_LINES_MAX + TAIL_LINES_MAX) return lines;
  const middle = lines.slice(HEAD_LINES_MAX, -TAIL_LINES_MAX);
  const kept: Line[] = [];
  let skipped = 0;
  for (const line of middle.slice(0, LINES_JUDGED_MAX)) {
    const isKept = kept.length < 2 * DANGEROUS_LINES_MAX && dangerOfCommand(line.text) !== null;
    if (isKept) kept.push(...(skipped === 0 ? [] : [note(skipped, "lines")]), line);
    skipped = isKept ? 0 : skipped + 1;
  }
  const rest = skipped + Math.max(0, middle.length - LINES_JUDGED_MAX);
  const last = rest === 0 ? [] : [note(rest, "lines")];
  return [...lines.slice(0, HEAD_LINES_MAX), ...kept, ...last, ...lines.slice(-TAIL_LINES_MAX)];
}

type Note = (count: number, what: string) => Line;

function foldedLines(command: string, note: Note): Line[] {
  const all = command === "" ? [] : command.replace(/\r?\n$/, "").split(/\r?\n/);
  const lines: Line[] = [];
  let empty: string[] = [];
  const flush = () => {
    if (empty.length >= EMPTY_LINES_FOLDED_MIN) lines.push(note(empty.length, "empty lines"));
    else lines.push(...empty.map((text): Line => ({ text, kind: "command" })));
    empty = [];
  };
  for (const text of all) {
    if (text.trim() === "") empty.push(text);
    else {
      flush();
      lines.push(...cutLine(text, note));
    }
  }
  flush();
  return lines;
}

function cutLine(text: string, note: Note): Line[] {
  if (text.length <= LINE_UNITS_MAX) return [{ text, kind: "command" }];
  const half = LINE_UNITS_MAX / 2;
  const [head, tail] = [text.slice(0, half), text.slice(-half)];
  return [{ text: head, kind: "command" }, note(text.length - 2 * half, "characters"), { text: tail, kind: "command" }];
}

function dangerousRows(line: string, widthCells: number): number[] {
  if (dangerOfCommand(line) === null) return [];
  const parts = line.split(/(?<=[;&|])/);
  const found: number[] = [];
  let at = 0;
  parts.forEach((part, index) => {
    const start = at + (part.length - part.trimStart().length);
    // A pipe may be dangerous only as a whole.
    const isDangerous = dangerOfCommand(part) !== null || dangerOfCommand(part + (parts[index + 1] ?? "")) !== null;
    if (isDangerous) found.push(Math.floor(rowWidth(safeReveal(line.slice(0, start))) / widthCells));
    at += part.length;
  });
  return found.length === 0 ? [0] : found;
}
