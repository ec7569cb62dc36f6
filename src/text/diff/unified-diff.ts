// Reads unified diffs by git, `diff -u` or a model: with wrong counts, cut off, or without headers. Nothing throws;
// text that is not a diff gives no files. Every line that is no known header of a diff is kept.

export interface DiffLine {
  readonly kind: "context" | "add" | "remove";
  readonly text: string;
  /** The old number for a removal, else the new one. Unknown without a header. */
  readonly number?: number;
  isWithoutNewline?: boolean;
}

export interface Hunk {
  /** The text behind the second @@, usually a function name. */
  readonly section: string;
  readonly lines: DiffLine[];
}

export interface DiffFile {
  path: string;
  /** Text above the changes that is no header of a diff, such as the message of a commit. */
  readonly before: string[];
  /** "renamed from a.ts", "new file", "binary". */
  readonly notes: string[];
  readonly hunks: Hunk[];
}

const HUNK = /^@@+(?: -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@+)? ?(.*)$/;
const BINARY = "binary, not shown";
const NOTES: readonly (readonly [pattern: RegExp, note: (value: string) => string])[] = [
  [/^new file mode \d+$/, () => "new file"],
  [/^deleted file mode \d+$/, () => "deleted"],
  [/^rename from (.*)/, (from) => `renamed from ${from}`],
  [/^copy from (.*)/, (from) => `copied from ${from}`],
  [/^new mode (\d+)$/, (mode) => `mode ${mode}`],
  [/^Binary files .* differ$|^GIT binary patch$/, () => BINARY],
  [/^\*\*\* Move to: (.*)/, (to) => `moved to ${to}`],
];
const PATHS = [/^rename to (.*)/, /^copy to (.*)/];
const PATCH_FILE = /^\*\*\* (Update|Add|Delete) File: (.*)/;
const PATCH_NOTES: Readonly<Record<string, string>> = { Add: "new file", Delete: "deleted" };
const SILENT_PATCH_HEADER = /^\*\*\* (?:Begin Patch|End Patch|End of File)$/;
/** Headers that say nothing about the change. */
const SILENT_HEADERS = [
  /^index [0-9a-f,]+\.\.[0-9a-f]+(?: \d+)?$/,
  /^(?:dis)?similarity index \d+%$/,
  /^old mode \d+$/,
  /^diff (?:-\S+ )*\S+ \S+$/,
  /^Index: \S+$/,
  /^=+$/,
  /^(?:literal|delta) \d+$/,
];

export function parseUnifiedDiff(text: string): DiffFile[] {
  const reader = new DiffReader(text.split(/\r?\n/));
  return reader.read();
}

class DiffReader {
  private readonly lines: readonly string[];
  private readonly files: DiffFile[] = [];
  private file: DiffFile | undefined;
  private hunk: Hunk | undefined;
  /** Text above the first file. */
  private before: string[] = [];
  /** Next line numbers, and how many lines the header still announces. */
  private oldNumber: number | undefined;
  private newNumber: number | undefined;
  private oldLeft = 0;
  private newLeft = 0;

  constructor(lines: readonly string[]) {
    const end = lines.at(-1) === "" ? lines.length - 1 : lines.length;
    this.lines = lines.slice(0, end);
  }

  read(): DiffFile[] {
    this.lines.forEach((line, index) => {
      this.readLine(line, index);
    });
    for (const { before } of this.files) while (before.at(-1)?.trim() === "") before.pop();
    return this.files.filter((file) => [file.hunks, file.notes, file.before].some((part) => part.length > 0));
  }

  private readLine(line: string, index: number): void {
    if (line.startsWith("diff --git ")) this.beginFile(/ b\/(.*)$/.exec(line)?.[1] ?? "");
    else if (line.startsWith("@@")) this.beginHunk(line);
    else if (this.isFileHeader(index)) this.beginFromHeader(line, this.lines[index + 1] ?? "");
    else if (this.isSecondHeader(index)) return;
    else if (SILENT_PATCH_HEADER.test(line)) return;
    else if (PATCH_FILE.test(line)) this.beginPatchFile(line);
    else if (this.hunk !== undefined && line.startsWith("\\ ")) this.noteMissingNewline();
    else if (this.hunk === undefined && !/^[+-]/.test(line)) this.readMeta(line);
    else this.readContent(line);
  }

  // "--- a" may also remove a line "-- a". It is a header when "+++ b" follows and no hunk claims it.
  private isFileHeader(index: number): boolean {
    if (!this.lines[index]?.startsWith("--- ") || !this.lines[index + 1]?.startsWith("+++ ")) return false;
    return this.oldLeft <= 0 || this.lines[index + 2]?.startsWith("@@") === true;
  }

  private isSecondHeader(index: number): boolean {
    const isAfterFirst = this.lines[index - 1]?.startsWith("--- ") === true;
    return isAfterFirst && this.hunk === undefined && this.lines[index]?.startsWith("+++ ") === true;
  }

  private beginFile(path: string): void {
    this.file = { path, before: this.before, notes: [], hunks: [] };
    this.before = [];
    this.files.push(this.file);
    this.hunk = undefined;
    this.oldLeft = 0;
    this.newLeft = 0;
  }

  private beginPatchFile(line: string): void {
    const [, verb = "", path = ""] = PATCH_FILE.exec(line) ?? [];
    this.beginFile(path);
    const note = PATCH_NOTES[verb];
    if (note !== undefined) this.note(note);
  }

  private beginFromHeader(oldLine: string, newLine: string): void {
    const newPath = headerPath(newLine);
    const path = newPath === "/dev/null" ? headerPath(oldLine) : newPath;
    if (this.file === undefined || this.hunk !== undefined || this.file.hunks.length > 0) this.beginFile(path);
    else this.file.path = path;
  }

  private readMeta(line: string): void {
    for (const pattern of PATHS) {
      const path = pattern.exec(line)?.[1];
      if (path !== undefined && this.file !== undefined) this.file.path = path;
    }
    for (const [pattern, note] of NOTES) {
      const match = pattern.exec(line);
      if (match !== null) this.note(note(match[1] ?? ""));
    }
    if (!this.isHeader(line)) this.keep(line);
  }

  private isHeader(line: string): boolean {
    const isSilent = SILENT_HEADERS.some((header) => header.test(line));
    if (this.file === undefined) return isSilent;
    // Behind this note come the bytes of the file, as letters.
    const isBytes = this.file.notes.includes(BINARY) && !/\s/.test(line);
    return isSilent || isBytes || [...PATHS, ...NOTES.map(([header]) => header)].some((header) => header.test(line));
  }

  private keep(line: string): void {
    const before = this.file?.before ?? this.before;
    if (line.trim() !== "" || before.length > 0) before.push(line);
  }

  private note(note: string): void {
    if (this.file !== undefined && !this.file.notes.includes(note)) this.file.notes.push(note);
  }

  private noteMissingNewline(): void {
    const last = this.hunk?.lines.at(-1);
    if (last !== undefined) last.isWithoutNewline = true;
  }

  private beginHunk(line: string): void {
    const [, oldStart, oldCount, newStart, newCount, section = ""] = HUNK.exec(line) ?? [];
    if (this.file === undefined) this.beginFile("");
    this.hunk = { section: section.replace(/^@@\s*|\s*@@$/g, ""), lines: [] };
    this.file?.hunks.push(this.hunk);
    this.oldNumber = numberOf(oldStart);
    this.newNumber = numberOf(newStart);
    this.oldLeft = oldStart === undefined ? 0 : (numberOf(oldCount) ?? 1);
    this.newLeft = newStart === undefined ? 0 : (numberOf(newCount) ?? 1);
  }

  private readContent(line: string): void {
    if (this.hunk === undefined) this.beginHunk("@@");
    const mark = line.charAt(0);
    const kind = mark === "+" ? "add" : mark === "-" ? "remove" : "context";
    // Editors and models drop the blank of an empty context line.
    const text = mark === "+" || mark === "-" || mark === " " ? line.slice(1) : line;
    const number = kind === "remove" ? this.oldNumber : this.newNumber;
    this.hunk?.lines.push(number === undefined ? { kind, text } : { kind, text, number });
    if (kind !== "add") {
      this.oldLeft -= 1;
      if (this.oldNumber !== undefined) this.oldNumber += 1;
    }
    if (kind !== "remove") {
      this.newLeft -= 1;
      if (this.newNumber !== undefined) this.newNumber += 1;
    }
  }
}

function numberOf(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number.parseInt(digits, 10);
}

// "+++ b/src/a.ts<tab>2026-01-01 …"
function headerPath(line: string): string {
  const path = line.slice(4).split("\t")[0]?.trim() ?? "";
  return path.replace(/^"(.*)"$/, "$1").replace(/^[ab]\//, "");
}
