// A diff as rows: a marker, the line's number, and the line in the colours of its language. The marker and the number stay
// in front of every line, so that the meaning survives without colour.
//
//      41   const out = [];
//     -42   return out.join(",");
//     +42   return out.join(", ");
//      43 }

import { humanCount } from "../../../text/humanize.js";
import { safeLine, safeLines } from "../../../text/safe.js";
import { highlightRuns } from "../code/code-rows.js";
import type { Run } from "../code/grammar-run.js";
import { type Language, languageOfName, languageOfPath } from "../code/languages.js";
import type { Style } from "../style/style.js";
import { changedWords, type Range } from "./changed-words.js";
import { type DiffFile, type DiffLine, type Hunk, parseUnifiedDiff } from "./unified-diff.js";

export interface DiffRowsOptions {
  readonly style: Style;
  /** The file that the diff is about, when its text does not say. */
  readonly path?: string;
  /** A language by name; it beats the header of the diff, which beats `path`. */
  readonly language?: string;
  /** At most this many rows; a last one then says how many lines are missing. */
  readonly rowsMax?: number;
  /** Whether whoever made the diff had already cut it. */
  readonly truncated?: "yes" | "no";
}

interface Numbered {
  readonly style: Style;
  readonly language: Language | undefined;
  readonly digits: number;
}

const SIGN = { context: " ", add: "+", remove: "-" } as const;
const MINUS = "−";

/** The rows of a diff text. What is no diff is shown as it is; what is empty is said to be. */
export function diffRows(text: string, options: DiffRowsOptions): string[] {
  const { style } = options;
  const files = parseUnifiedDiff(text);
  const rows = files.length === 0 && text.trim() !== "" ? safeLines(text) : [];
  for (const file of files) for (const row of fileRows(file, files.length, options)) rows.push(row);
  if (rows.length === 0) return [style.paint("dim", "no changes to show")];
  const shown = limited(rows, options);
  if (options.truncated === "yes") shown.push(style.paint("dim", "… the rest was not sent"));
  return shown;
}

/** `+12 −3`, as it stands behind the name of a file. */
export function diffStat(text: string): string {
  const lines = parseUnifiedDiff(text).flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines));
  const count = (kind: DiffLine["kind"]) => humanCount(lines.filter((line) => line.kind === kind).length);
  return `+${count("add")} ${MINUS}${count("remove")}`;
}

function limited(rows: string[], { rowsMax, style }: DiffRowsOptions): string[] {
  if (rowsMax === undefined || rows.length <= rowsMax) return rows;
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
    // One by one: a hunk may have more lines than a function may have arguments.
    for (const row of hunkRows(hunk, look)) rows.push(row);
  });
  return rows;
}

// One file needs no header: whoever shows the diff has named it. Several do, and so does what no line shows.
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

// Each side of a change is coloured as the code that it is: context with removals, and context with additions.
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
  // Without a tint the line itself carries the colour of the change, and the colours of the language would hide it.
  const body = style.changes === "tinted" ? runs : [{ text: line.text, look: undefined }];
  return style.paint(kind, SIGN[kind] + number + paintRuns(withMarks(body, marks, kind), style)) + end;
}

function paintRuns(runs: readonly Run[], style: Style): string {
  return runs.map(({ text, look }) => (look === undefined ? text : style.paint(look, text))).join("");
}

// Cuts the runs at the edges of the marks; what is marked has the look of the mark instead of its own.
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
