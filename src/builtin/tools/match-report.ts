// What a search found, as lines for the model, within limits.
//
//   src/a.ts:12:a line that matches
//   src/a.ts-13-a line of context
//   --
//   src/b.ts:3:another
import { counted } from "./attempt.js";
import { GREP_LINE_CHARS_MAX, GREP_TEXT_CHARS_MAX } from "./limits.js";

export type ReportOptions = {
  readonly contextLines: number;
  readonly matchesMax: number;
  readonly show: "lines" | "files";
};

export class MatchReport {
  private readonly options: ReportOptions;
  private readonly lines: string[] = [];
  private chars = 0;
  private matches = 0;
  private files = 0;
  private isCut = false;
  private readonly skipped = new Map<string, number>();

  constructor(options: ReportOptions) {
    this.options = options;
  }

  get isFull(): boolean {
    return this.matches >= this.options.matchesMax || this.chars >= GREP_TEXT_CHARS_MAX;
  }

  skip(reason: string): void {
    this.skipped.set(reason, (this.skipped.get(reason) ?? 0) + 1);
  }

  add(path: string, lines: readonly string[], found: readonly number[]): void {
    if (found.length === 0) return;
    this.files++;
    if (this.options.show === "files") {
      this.matches++;
      this.push(path);
    } else this.addLines(path, lines, found);
  }

  private addLines(path: string, lines: readonly string[], found: readonly number[]): void {
    const { contextLines } = this.options;
    const hits = new Set(found);
    let shownTo = -1;
    for (const hit of found) {
      if (this.isFull) {
        this.isCut = true;
        return;
      }
      this.matches++;
      const first = Math.max(shownTo + 1, hit - contextLines);
      if (contextLines > 0 && first > shownTo + 1 && this.lines.length > 0) this.push("--");
      const last = Math.min(lines.length - 1, hit + contextLines);
      for (let at = first; at <= last; at++) {
        // The context of one match ends where the next match begins, which is counted by itself.
        if (at > hit && hits.has(at)) break;
        this.push(lineOf(path, at, lines[at] ?? "", hits.has(at) ? ":" : "-"));
        shownTo = at;
      }
    }
  }

  private push(line: string): void {
    this.lines.push(line);
    this.chars += line.length + 1;
  }

  text(pattern: string, end: "complete" | "cut" | "too-many"): string {
    const notes: string[] = [];
    if (end === "cut" || this.isCut)
      notes.push(`the first ${counted(this.matches, "match", "matches")}; search for less to see others`);
    if (end === "too-many") notes.push("not everything was searched: too many files; give a folder as path");
    for (const [reason, count] of this.skipped) notes.push(`${counted(count, "file")} left out: ${reason}`);
    const body = this.lines.length === 0 ? [`Nothing matches ${pattern}.`] : this.lines;
    return [...body, ...notes.map((note) => `[${note}]`)].join("\n");
  }

  get details(): { matches: number; files: number } {
    return { matches: this.matches, files: this.files };
  }
}

function lineOf(path: string, at: number, text: string, mark: ":" | "-"): string {
  const shown = text.length > GREP_LINE_CHARS_MAX ? `${text.slice(0, GREP_LINE_CHARS_MAX)}…` : text;
  return `${path}${mark}${at + 1}${mark}${shown}`;
}
