// Reads unified diffs by git, `diff -u` or a model: with wrong counts, cut off, or without headers. Nothing throws;
// text that is not a diff gives no files.

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
  /** "renamed from a.ts", "new file", "binary". */
  readonly notes: string[];
  readonly hunks: Hunk[];
}

const HUNK = /^@@+(?: -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@+)? ?(.*)$/;
const NOTES: readonly (readonly [pattern: RegExp, note: (value: string) => string])[] = [
  [/^new file mode/, () => "new file"],
  [/^deleted file mode/, () => "deleted"],
  [/^rename from (.*)/, (from) => `renamed from ${from}`],
  [/^copy from (.*)/, (from) => `copied from ${from}`],
  [/^new mode (\d+)/, (mode) => `mode ${mode}`],
  [/^Binary files |^GIT binary patch/, () => "binary, not shown"],
];
const PATHS = [/^rename to (.*)/, /^copy to (.*)/, /^\*\*\* (?:Update|Add|Delete) File: (.*)/];

export function parseUnifiedDiff(text: string): DiffFile[] {
  const reader = new DiffReader(text.split(/\r?\n/));
  return reader.read();
}

class DiffReader {
  private readonly lines: readonly string[];
  private readonly files: DiffFile[] = [];
  private file: DiffFile | undefined;
  private hunk: Hunk | undefined;
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
    return this.files.filter((file) => file.hunks.length > 0 || file.notes.length > 0);
  }

  private readLine(line: string, index: number): void {
    if (line.startsWith("diff --git ")) this.beginFile(/ b\/(.*)$/.exec(line)?.[1] ?? "");
    else if (line.startsWith("@@")) this.beginHunk(line);
    else if (this.isFileHeader(index)) this.beginFromHeader(line, this.lines[index + 1] ?? "");
    else if (this.isSecondHeader(index)) return;
    else if (line.startsWith("*** ")) this.readPatchHeader(line);
    else if (line.startsWith("\\")) this.noteMissingNewline();
    else if (this.hunk === undefined && !/^[+-]/.test(line)) this.readMeta(line);
    else this.readContent(line);
  }

  // "--- a" may also remove a line "-- a". It is a header when "+++ b" follows and no hunk claims it.
  private isFileHeader(index: number): boolean {
    if (!this.lines[index]?.startsWith("--- ") || !this.lines[index + 1]?.startsWith("+++ ")) return false;
    return this.oldLeft <= 0 || this.lines[index + 2]?.startsWith("@@") === true;
  }

  private isSecondHeader(index: number): boolean {
    return index > 0 && this.hunk === undefined && this.lines[index]?.startsWith("+++ ") === true;
  }

  private beginFile(path: string): void {
    this.file = { path, notes: [], hunks: [] };
    this.files.push(this.file);
    this.hunk = undefined;
    this.oldLeft = 0;
    this.newLeft = 0;
  }

  private beginFromHeader(oldLine: string, newLine: string): void {
    const newPath = headerPath(newLine);
    const path = newPath === "/dev/null" ? headerPath(oldLine) : newPath;
    if (this.file === undefined || this.hunk !== undefined || this.file.hunks.length > 0) this.beginFile(path);
    else this.file.path = path;
  }

  private readPatchHeader(line: string): void {
    const path = PATHS[2]?.exec(line)?.[1];
    if (path !== undefined) this.beginFile(path);
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
