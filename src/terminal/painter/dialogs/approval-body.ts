// What is being approved, as rows: dangers, the agent's message, the whole command, the diff. Invisible characters and
// those that reorder text are spelt out.
//
//   ▌ ▲ writes outside the workspace
//   ▌   curl https://example.org/x | sh
import {
  type Approval,
  approvalParts,
  detailLines,
  disguisesIn,
  firstLines,
  ownMessage,
  performerLines,
  unsaidPaths,
} from "../../../session/approval.js";
import { dangerOfCommand } from "../../../session/permission/danger.js";
import { diffStat } from "../../../text/diff/diff-stat.js";
import { plainText, rowWidth } from "../../../text/row.js";
import { safeReveal } from "../../../text/safe.js";
import { wrapRow } from "../../../text/wrap.js";
import type { Appearance } from "../blocks/glyphs.js";
import type { DialogBody } from "./dialog-frame.js";
import type { WholeText } from "./dialog-keys.js";
import { messageRows } from "./dialog-rows.js";
import type { RichRows } from "./rich-rows.js";

/** Without `rich`, diffs and Markdown are shown as text. */
export function approvalBody(
  approval: Approval,
  widthCells: number,
  look: Appearance,
  rich: RichRows | undefined,
): DialogBody {
  const { command, diff, danger } = approval;
  const words = firstLines(ownMessage(approval));
  const change = firstLines(diff);
  const inputs = commandRows(detailLines(approval).join("\n"), widthCells, look);
  const run = commandRows(command, widthCells, look);
  const warnings = [danger, ...disguisesIn(approval)].flatMap((each) => dangerRows(each, widthCells, look));
  const message =
    rich !== undefined && approval.messageIs === "markdown"
      ? markdownMessage(words.text, widthCells, look, rich)
      : messageRows(words.text, widthCells);
  const paths = unsaidPaths(approval).flatMap((path) => commandRows(path, widthCells, look).rows);
  const above = [...warnings, ...message];
  const before = [...above, ...run.rows, ...paths];
  const performer = performerLines(approval).flatMap((line) =>
    wrapRow(look.style.paint("dim", line), widthCells, { at: "words", hangingIndentCells: 2 }),
  );
  const changed = diff === "" ? [] : changeRows(change.text, approval, widthCells, look, rich);
  // In a few rows, the lines that go and come are what a diff is about.
  const lines = changed.filter(([first = ""]) => /^[-+]/.test(plainText(first))).flat();
  const beyond = words.beyond + change.beyond;
  const laidOut = (rows: readonly string[], inputsFrom: number): DialogBody => ({
    rows: [...before, ...rows],
    telling: [
      ...warnings.slice(0, 1).keys(),
      ...run.telling.map((row) => above.length + row),
      ...paths.map((_, row) => above.length + run.rows.length + row),
      ...Array.from({ length: inputsFrom - before.length }, (_, row) => before.length + row),
      ...inputs.telling.map((row) => inputsFrom + row),
    ],
    folded: new Map([
      ...[...run.folded].map(([row, lines]) => [above.length + row, lines] as const),
      ...[...inputs.folded].map(([row, lines]) => [inputsFrom + row, lines] as const),
    ]),
    beyond,
  });
  const whole = laidOut([...inputs.rows, ...performer, ...changed.flat()], before.length);
  if (lines.length === 0) return whole;
  const brief = laidOut([...lines, ...inputs.rows, ...performer], before.length + lines.length);
  return { ...whole, brief: { ...brief, beyond: beyond + changed.flat().length - lines.length } };
}

// Rows of code keep their length, so that they would end beyond the edge.
function markdownMessage(text: string, widthCells: number, look: Appearance, rich: RichRows): string[] {
  const rows = rich.markdown(revealed(text), widthCells, look);
  return rows.flatMap((row) => wrapRow(row, widthCells, { at: "cells", hangingIndentCells: 0 }));
}

export function approvalStat({ diff }: Approval): string {
  return diff === "" ? "" : diffStat(diff);
}

/** Everything, for the viewer; null when the title says it all. */
export function approvalWhole(approval: Approval): WholeText | null {
  const { title, diff, path, danger } = approval;
  const parts = approvalParts(approval);
  const paths = unsaidPaths(approval);
  const warnings = [danger, ...disguisesIn(approval)].filter((words) => words !== "");
  const inputs = detailLines(approval);
  const notes = [...warnings, ...inputs, ...performerLines(approval)];
  const hasDiffOnly = diff !== "" && parts.length === 1 + paths.length + (inputs.length === 0 ? 0 : 1);
  const named = [title, ...paths].join("  ");
  if (hasDiffOnly) return { title: named, source: diff, kind: "diff", notes, ...(path === "" ? {} : { path }) };
  const isTitleOnly = parts.length === 0 && warnings.length === 0;
  if (isTitleOnly) return title.length > TITLE_UNITS_SHORT ? { title, source: title, kind: "text" } : null;
  return {
    title,
    source: [title, ...parts].join("\n\n"),
    kind: "text",
    notes: [...warnings, ...performerLines(approval)],
  };
}

const TITLE_UNITS_SHORT = 60;

/** The rows for the viewer, with invisible characters spelt out. */
export function wholeRows(
  { source, kind, path, notes = [] }: WholeText,
  { style }: Appearance,
  rich: RichRows | undefined,
): string[] {
  const before = notes.length === 0 ? [] : [...notes.map(safeReveal), ""];
  if (kind === "text" || rich === undefined) return [...before, ...source.split(/\r?\n/).map(safeReveal)];
  return [...before, ...rich.diff(revealed(source), { style, ...(path === undefined ? {} : { path }) })];
}

function dangerRows(danger: string, widthCells: number, { style, glyphs }: Appearance): string[] {
  if (danger === "") return [];
  const row = style.paint("danger", `${glyphs.warning} ${safeReveal(danger)}`);
  return wrapRow(row, widthCells, { at: "words", hangingIndentCells: 2 });
}

/** The rows of each line. */
function changeRows(
  diff: string,
  { path }: Approval,
  widthCells: number,
  { style }: Appearance,
  rich: RichRows | undefined,
): string[][] {
  const rows =
    rich === undefined
      ? diff.split(/\r?\n/).map(safeReveal)
      : rich.diff(revealed(diff), { style, ...(path === "" ? {} : { path }) });
  return rows.map((row) => wrapRow(row, widthCells, { at: "cells", hangingIndentCells: 1 }));
}

// Spells out invisible characters, except tabs.
function revealed(diff: string): string {
  return diff
    .split(/\r?\n/)
    .map((line) => line.split("\t").map(safeReveal).join("\t"))
    .join("\n");
}

// The command of an approval as rows. Runs of empty lines are folded, and the first, last and dangerous rows are
// marked, so that a small dialog keeps them.
//
//     npm test
//     … 119 empty lines
//     touch PWN

interface CommandRows {
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

function commandRows(command: string, widthCells: number, look: Appearance): CommandRows {
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
