// A diff as rows: marker, line number, and the line in the colours of its language. The marker makes it readable
// without colour.
//
//      41   const out = [];
//     -42   return out.join(",");
//     +42   return out.join(", ");
//      43 }
import { diffWordsWithSpace } from "diff";
import { humanCount } from "../../../text/humanize.js";
import { safeLine, safeLines } from "../../../text/safe.js";
import { highlightRuns, paintRuns } from "../code/code-rows.js";
import type { Run } from "../code/grammar-run.js";
import { type Language, languageOfName, languageOfPath } from "../code/languages.js";
import type { Style } from "../style/style.js";
import { type DiffFile, type DiffLine, type Hunk, parseUnifiedDiff } from "./unified-diff.js";

interface DiffRowsOptions {
  readonly style: Style;
  /** The path, when the diff does not say. */
  readonly path?: string;
  /** Takes precedence over the header of the diff, and that over `path`. */
  readonly language?: string;
  /** With more rows, the last one counts the missing lines. */
  readonly rowsMax?: number;
  /** Whether the sender cut the diff. */
  readonly truncated?: "yes" | "no";
}

interface Numbered {
  readonly style: Style;
  readonly language: Language | undefined;
  readonly digits: number;
}

const SIGN = { context: " ", add: "+", remove: "-" } as const;
const MINUS = "−";

/** Text that is not a diff is shown as it is. */
export function diffRows(text: string, options: DiffRowsOptions): string[] {
  const { style } = options;
  const files = parseUnifiedDiff(text);
  const rows = files.length === 0 && text.trim() !== "" ? safeLines(text) : [];
  for (const file of files) for (const row of fileRows(file, files.length, options)) rows.push(row);
  if (rows.length === 0) return [style.paint("dim", "no changes to show")];
  const shown = limitedRows(rows, options.rowsMax ?? Number.POSITIVE_INFINITY, style);
  if (options.truncated === "yes") shown.push(style.paint("dim", "… the rest was not sent"));
  return shown;
}

/** `+12 −3`, as it stands behind the name of a file. */
export function diffStat(text: string): string {
  const lines = parseUnifiedDiff(text).flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines));
  const count = (kind: DiffLine["kind"]) => humanCount(lines.filter((line) => line.kind === kind).length);
  return `+${count("add")} ${MINUS}${count("remove")}`;
}

/** With more rows, the last one counts the missing lines. */
export function limitedRows(rows: string[], rowsMax: number, style: Style): string[] {
  if (rows.length <= rowsMax) return rows;
  const kept = Math.max(0, rowsMax - 1);
  return [...rows.slice(0, kept), style.paint("dim", `… ${humanCount(rows.length - kept)} more lines`)];
}

function fileRows(file: DiffFile, fileCount: number, options: DiffRowsOptions): string[] {
  const { style } = options;
  const numbers = file.hunks.flatMap(({ lines }) => lines.map(({ number = 0 }) => number));
  const digits = String(numbers.reduce((a, b) => Math.max(a, b), 0)).length;
  const isNumbered = numbers.some((number) => number > 0);
  const look: Numbered = { style, language: languageFor(file, options), digits: isNumbered ? digits : 0 };
  const rows = headerRows(file, fileCount, options);
  file.hunks.forEach((hunk, index) => {
    if (index > 0) rows.push(style.paint("dim", `⋯ ${safeLine(hunk.section)}`.trimEnd()));
    // One by one: a call takes a limited number of arguments.
    for (const row of hunkRows(hunk, look)) rows.push(row);
  });
  return rows;
}

// A single file needs no header: the caller has named it.
function headerRows(file: DiffFile, fileCount: number, { style, path }: DiffRowsOptions): string[] {
  if (fileCount < 2 && file.notes.length === 0) return [];
  const name = safeLine(file.path || path || "a file");
  const notes = file.notes.map((note) => safeLine(note)).join(", ");
  return [`${style.paint("bold", name)}${notes === "" ? "" : `  ${style.paint("dim", notes)}`}`];
}

function languageFor(file: DiffFile, { language, path }: DiffRowsOptions): Language | undefined {
  const named = language === undefined ? undefined : languageOfName(language);
  return named ?? languageOfPath(file.path) ?? (path === undefined ? undefined : languageOfPath(path));
}

function hunkRows({ lines }: Hunk, look: Numbered): string[] {
  const safe = lines.map((line) => ({ ...line, text: safeLine(line.text) }));
  const marks = changedWords(safe);
  const runs = hunkRuns(safe, look.language);
  return safe.map((line, index) => lineRow(line, runs[index] ?? [], marks.get(index) ?? [], look));
}

// Each side is coloured on its own: context with removals, and context with additions.
function hunkRuns(lines: readonly DiffLine[], language: Language | undefined): (readonly Run[])[] {
  const runs: (readonly Run[])[] = [];
  for (const side of ["remove", "add"] as const) {
    const indexes = lines.flatMap(({ kind }, index) => (kind === side || kind === "context" ? [index] : []));
    const coloured = highlightRuns(
      indexes.map((index) => lines[index]?.text ?? ""),
      language,
    );
    indexes.forEach((index, i) => {
      runs[index] = coloured[i] ?? [];
    });
  }
  return runs;
}

function lineRow(line: DiffLine, runs: readonly Run[], marks: readonly Range[], look: Numbered): string {
  const { style, digits } = look;
  const number = digits === 0 ? "" : `${String(line.number ?? "").padStart(digits)} `;
  const end = line.isWithoutNewline ? style.paint("dim", "  no newline at the end") : "";
  if (line.kind === "context") return `${style.paint("dim", ` ${number}`)}${paintRuns(runs, style)}${end}`.trimEnd();
  const kind = line.kind;
  // Without a tint the whole line has the colour of the change.
  const body = style.changes === "tinted" ? runs : [{ text: line.text, look: undefined }];
  return style.paint(kind, SIGN[kind] + number + paintRuns(withMarks(body, marks, kind), style)) + end;
}

// Cuts the runs at the edges of the marks and replaces their look.
function withMarks(runs: readonly Run[], marks: readonly Range[], kind: "add" | "remove"): Run[] {
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
type Range = readonly [start: number, end: number];

/** Comparing words takes quadratic time. */
const LINE_UNITS_MAX = 400;
/** A larger block is a rewrite; pairing its lines would mislead. */
const BLOCK_LINES_MAX = 40;
/** Marks help only when at least this part of the line stayed. */
const COMMON_PART_MIN = 0.4;

/** The changed words of a hunk by line index: a removed line is compared with the added line in its place. */
function changedWords(lines: readonly DiffLine[]): Map<number, Range[]> {
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
