// A diff as rows: marker, line number, and the line in the colours of its language. The marker makes it readable
// without colour.
//
//      41   const out = [];
//     -42   return out.join(",");
//     +42   return out.join(", ");
//      43 }

import type { Run } from "../../../text/code/grammar-run.js";
import { highlightRuns } from "../../../text/code/highlight.js";
import { type Language, languageOfName, languageOfPath } from "../../../text/code/languages.js";
import { changedWords, hunkRuns, type Range, withMarks } from "../../../text/diff/diff-marks.js";
import { type DiffFile, type DiffLine, type Hunk, parseUnifiedDiff } from "../../../text/diff/unified-diff.js";
import { humanCount } from "../../../text/humanize.js";
import { safeLine, safeLines } from "../../../text/safe.js";
import { paintRuns } from "../code/code-rows.js";
import type { Style } from "../style/style.js";

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

/** With more rows, the last one counts the missing lines. */
function limitedRows(rows: string[], rowsMax: number, style: Style): string[] {
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
  const rows = [...file.before.map(safeLine), ...headerRows(file, fileCount, options)];
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
  const runs = hunkRuns(safe, (side) => highlightRuns(side, look.language));
  return safe.map((line, index) => lineRow(line, runs[index] ?? [], marks.get(index) ?? [], look));
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
