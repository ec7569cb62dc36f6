// Separates the terminal's reports from typed keys, at any time: no key sends bytes that begin like these reports, and
// a late report must not end up in the composer. Also reads the reports that are still due when the program exits.
import { closeSync, constants, openSync, readSync } from "node:fs";
import type { Size } from "../painter/frame.js";

export type TerminalReport =
  | { readonly type: "version"; readonly text: string }
  | { readonly type: "secondary-attributes"; readonly params: string }
  | { readonly type: "mode"; readonly mode: number; readonly value: number }
  | { readonly type: "keyboard-flags"; readonly flags: number }
  /** The background report as it came; painter/style/theme-choice.ts parses it. */
  | { readonly type: "ground"; readonly sequence: string }
  | { readonly type: "cell"; readonly widthPx: number; readonly heightPx: number }
  /** The position of the last cell. */
  | { readonly type: "window"; readonly size: Size }
  /** DA1, which every terminal answers; reports to earlier queries have arrived by then. */
  | { readonly type: "fence" };

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

// F3 with a modifier looks the same on some keyboards, so this one counts only after a query.
const CURSOR_REPORT: Report = {
  pattern: /\x1b\[(\d{1,4});(\d{1,4})R/y,
  answer: ([, rows, columns]) => ({ type: "window", size: { columns: Number(columns), rows: Number(rows) } }),
};

const WITH_CURSOR_REPORT: readonly Report[] = [...REPORTS, CURSOR_REPORT];

/** The beginning of a report; a lone ESC counts only while reports are expected. */
const UNFINISHED =
  /\x1b(?:P(?:>(?:\|[^\x1b\x07]*\x1b?)?)?|\](?:1(?:1(?:;[^\x1b\x07]*\x1b?)?)?)?|\[(?:[?>][\d;]*\$?|\d{1,4}(?:;[\d;]*)?)?)?$/;
const REPORT_UNITS_MAX = 256;

export class AnswerFilter {
  /** How many cursor reports are still due. */
  cursorReports = 0;
  private held = "";

  /** While reports are expected, a chunk that ends in the first byte of a possible report is held back. */
  feed(chunk: string, expecting: "answers" | "keys"): { answers: readonly TerminalReport[]; keys: string } {
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
    // Text before a report and text after it must not be joined into one sequence.
    const settled = keys.slice(0, afterReport);
    return { answers, keys: settled + this.holdUnfinished(keys.slice(afterReport), expecting) };
  }

  get isHolding(): boolean {
    return this.held !== "";
  }

  /** Nothing more came: the bytes held back are keys. */
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
    // The limit also applies to a report in one chunk: the result must not depend on chunk borders.
    if (match !== null && match[0].length <= REPORT_UNITS_MAX) return { answer: answer(match), end: pattern.lastIndex };
  }
  return undefined;
}

const LOOK_EVERY_MS = 2;
const CHUNK_BYTES = 4_096;

/**
 * Sends the query and reads until `isLast` accepts the text, the input ends or the limit passes. It blocks, because the
 * event loop no longer runs at exit. If /dev/tty cannot be opened, nothing is sent.
 */
export function takeLateAnswers(ask: () => void, isLast: (text: string) => boolean, limitMs: number): void {
  const terminal = openTerminal();
  if (terminal === null) return;
  ask();
  const deadlineMs = performance.now() + limitMs;
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let text = "";
  while (!isLast(text) && performance.now() < deadlineMs) {
    const sizeBytes = readNow(terminal, chunk);
    if (sizeBytes === "gone") break;
    if (sizeBytes === "nothing yet") pause(LOOK_EVERY_MS);
    else text += chunk.toString("latin1", 0, sizeBytes);
  }
  closeSync(terminal);
}

// A file description of our own, so that O_NONBLOCK does not affect others who share stdin.
function openTerminal(): number | null {
  try {
    return openSync("/dev/tty", constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return null;
  }
}

function readNow(terminal: number, chunk: Buffer): number | "nothing yet" | "gone" {
  try {
    return readSync(terminal, chunk) || "gone";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EAGAIN" ? "nothing yet" : "gone";
  }
}

function pause(delayMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, delayMs);
}
