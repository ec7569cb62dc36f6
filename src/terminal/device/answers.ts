// Picks the terminal's answers to our questions out of the keyboard stream. No key on any keyboard sends what begins like
// these reports, so they are taken out whenever they come, also long after we stopped waiting: a slow connection must not
// type its device attributes into somebody's message.

import type { Size } from "../painter/frame.js";

export type TerminalReport =
  | { readonly type: "version"; readonly text: string }
  | { readonly type: "secondary-attributes"; readonly params: string }
  | { readonly type: "mode"; readonly mode: number; readonly value: number }
  | { readonly type: "keyboard-flags"; readonly flags: number }
  /** What is known of the background, as it came; screen/style/theme-choice.ts reads it. */
  | { readonly type: "ground"; readonly sequence: string }
  /** One character cell, in pixels. */
  | { readonly type: "cell"; readonly widthPx: number; readonly heightPx: number }
  /** The place of the last cell, which was asked for as the place of a cursor that had gone there. */
  | { readonly type: "window"; readonly size: Size }
  /** DA1, which every terminal answers: whatever was asked before it has been answered by now or never will be. */
  | { readonly type: "fence" };

interface Sifted {
  readonly answers: readonly TerminalReport[];
  readonly keys: string;
}

interface Report {
  readonly pattern: RegExp;
  readonly answer: (match: RegExpExecArray) => TerminalReport;
}

const REPORTS: readonly Report[] = [
  { pattern: /\x1bP>\|([^\x1b\x07]*)(?:\x1b\\|\x07)/y, answer: ([, text = ""]) => ({ type: "version", text }) },
  { pattern: /\x1b\[>([\d;]*)c/y, answer: ([, params = ""]) => ({ type: "secondary-attributes", params }) },
  {
    pattern: /\x1b\[\?(\d+);(\d+)\$y/y,
    answer: ([, mode, value]) => ({ type: "mode", mode: Number(mode), value: Number(value) }),
  },
  { pattern: /\x1b\[\?(\d+)u/y, answer: ([, flags]) => ({ type: "keyboard-flags", flags: Number(flags) }) },
  { pattern: /\x1b\]11;[^\x07\x1b]{1,64}(?:\x07|\x1b\\)/y, answer: ([sequence]) => ({ type: "ground", sequence }) },
  { pattern: /\x1b\[\?997;[12]n/y, answer: ([sequence]) => ({ type: "ground", sequence }) },
  {
    pattern: /\x1b\[6;(\d{1,4});(\d{1,4})t/y,
    answer: ([, height, width]) => ({ type: "cell", widthPx: Number(width), heightPx: Number(height) }),
  },
  { pattern: /\x1b\[\?[\d;]*c/y, answer: () => ({ type: "fence" }) },
];

// F3 with a modifier looks the same on some keyboards, so this one counts only while somebody has asked for it.
const CURSOR_REPORT: Report = {
  pattern: /\x1b\[(\d{1,4});(\d{1,4})R/y,
  answer: ([, rows, columns]) => ({ type: "window", size: { columns: Number(columns), rows: Number(rows) } }),
};

const WITH_CURSOR_REPORT: readonly Report[] = [...REPORTS, CURSOR_REPORT];

/** The beginning of a report whose end has not arrived; a lone ESC counts only while answers are expected. */
const UNFINISHED =
  /\x1b(?:P(?:>(?:\|[^\x1b\x07]*\x1b?)?)?|\](?:1(?:1(?:;[^\x1b\x07]*\x1b?)?)?)?|\[(?:[?>][\d;]*\$?|\d{1,4}(?:;[\d;]*)?)?)?$/;
/** A report that has not ended after this many characters is none. */
const REPORT_UNITS_MAX = 256;

export class AnswerFilter {
  /** How many reports of the cursor are still to come. */
  cursorReports = 0;
  private held = "";

  /** While `expecting`, a chunk that ends in the first byte of a possible report is held back until the next. */
  feed(chunk: string, expecting: "answers" | "keys"): Sifted {
    const input = this.held + chunk;
    this.held = "";
    const answers: TerminalReport[] = [];
    let keys = "";
    let at = 0;
    let afterReport = 0;
    while (at < input.length) {
      const start = input.indexOf("\x1b", at);
      if (start < 0) break;
      keys += input.slice(at, start);
      const report = this.reportAt(input, start);
      if (report === undefined) keys += "\x1b";
      else {
        answers.push(report.answer);
        afterReport = keys.length;
      }
      at = report?.end ?? start + 1;
    }
    keys += input.slice(at);
    // What stood before a report and what comes after it do not belong together, though nothing is between them any more.
    const settled = keys.slice(0, afterReport);
    return { answers, keys: settled + this.holdUnfinished(keys.slice(afterReport), expecting) };
  }

  get isHolding(): boolean {
    return this.held !== "";
  }

  /** Nothing more came: what was held back is keys after all. */
  release(): string {
    const keys = this.held;
    this.held = "";
    return keys;
  }

  private reportAt(input: string, at: number): FoundReport | undefined {
    const report = reportAt(input, at, this.cursorReports > 0 ? WITH_CURSOR_REPORT : REPORTS);
    if (report?.answer.type === "window") this.cursorReports -= 1;
    return report;
  }

  private holdUnfinished(keys: string, expecting: "answers" | "keys"): string {
    // From where a report could still become one; its end may be the beginning of the next.
    const from = Math.max(0, keys.length - REPORT_UNITS_MAX);
    const match = UNFINISHED.exec(keys.slice(from));
    if (match === null) return keys;
    const isCertain = /^\x1b(?:P>|\]11;|\[[?>])/.test(match[0]);
    if (!isCertain && expecting === "keys" && this.cursorReports === 0) return keys;
    this.held = match[0];
    return keys.slice(0, from + match.index);
  }
}

interface FoundReport {
  readonly answer: TerminalReport;
  readonly end: number;
}

function reportAt(input: string, at: number, reports: readonly Report[]): FoundReport | undefined {
  for (const { pattern, answer } of reports) {
    pattern.lastIndex = at;
    const match = pattern.exec(input);
    // Also when it came in one piece: what counts as a report must not depend on where the chunks end.
    if (match !== null && match[0].length <= REPORT_UNITS_MAX) return { answer: answer(match), end: pattern.lastIndex };
  }
  return undefined;
}
