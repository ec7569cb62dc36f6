// Asks a terminal what it is and can do, as the terminal UI does, and restores it. Every question is followed by one that all
// terminals answer, and has a time limit.
//
//   | $ palaver doctor    |     | $ palaver doctor    |     | $ palaver doctor    |
//   | █                   |  →  | 漢█                 |  →  | █                   |
//
// Wide characters stand on a row of our own for as long as it takes to measure them; then that row is wiped.

import { AnswerFilter, type TerminalReport } from "../../terminal/device/answers.js";
import { ASK_TERMINAL, GIVE_KEYBOARD_BACK, MODIFY_OTHER_KEYS_ON, TAKE_KEYBOARD } from "../../terminal/device/modes.js";
import type { InputStream, OutputStream, Timers } from "../../terminal/device/streams.js";
import * as seq from "../../terminal/painter/sequences.js";
import { type GroundHints, hintIn } from "../../terminal/painter/style/theme-choice.js";
import { textWidth } from "../../text/width.js";

/**
 * "plain" ones are the same everywhere: without UTF-8, or with another idea of a wide character, no line is where it
 * should be. "ambiguous" ones are narrow here and wide where a terminal is set up for East Asian text. "disputed" ones
 * differ from terminal to terminal, and the painter places the cursor after them itself.
 */
type ProbeKind = "plain" | "ambiguous" | "disputed";

interface WidthProbe {
  readonly kind: ProbeKind;
  readonly name: string;
  readonly text: string;
}

export interface WidthDifference extends WidthProbe {
  readonly expectedCells: number;
  readonly measuredCells: number;
}

export const widthProbes: readonly WidthProbe[] = [
  { kind: "plain", name: "é", text: "\u00e9" },
  { kind: "plain", name: "漢", text: "\u6f22" },
  { kind: "plain", name: "한", text: "\ud55c" },
  { kind: "ambiguous", name: "●", text: "\u25cf" },
  { kind: "ambiguous", name: "▌", text: "\u258c" },
  { kind: "ambiguous", name: "…", text: "\u2026" },
  { kind: "ambiguous", name: "─", text: "\u2500" },
  { kind: "disputed", name: "an emoji", text: "\u{1f680}" },
  { kind: "disputed", name: "an emoji of Unicode 14", text: "\u{1fae0}" },
  { kind: "disputed", name: "an emoji of Unicode 15", text: "\u{1fabf}" },
  { kind: "disputed", name: "a sign made an emoji (U+FE0F)", text: "\u26a0\ufe0f" },
  { kind: "disputed", name: "a keycap", text: "1\ufe0f\u20e3" },
  { kind: "disputed", name: "a skin tone", text: "\u{1f44d}\u{1f3fd}" },
  { kind: "disputed", name: "a flag", text: "\u{1f1e9}\u{1f1ea}" },
  { kind: "disputed", name: "a joined emoji", text: "\u{1f469}\u200d\u{1f4bb}" },
  { kind: "disputed", name: "a joined flag", text: "\u{1f3f3}\ufe0f\u200d\u{1f308}" },
  { kind: "disputed", name: "Hangul in pieces", text: "\u1112\u1161\u11ab" },
  { kind: "disputed", name: "Devanagari", text: "\u0928\u093f" },
  { kind: "disputed", name: "Thai", text: "\u0e01\u0e33" },
];

/** `cells` as they were measured, one for each probe, in order. */
export function widthDifferences(cells: readonly number[]): WidthDifference[] {
  return widthProbes.flatMap((probe, index) => {
    const expectedCells = textWidth(probe.text);
    const measuredCells = cells[index] ?? expectedCells;
    return measuredCells === expectedCells ? [] : [{ ...probe, expectedCells, measuredCells }];
  });
}

export interface SurveyParts {
  readonly input: InputStream;
  readonly output: Pick<OutputStream, "write" | "columns" | "rows">;
  readonly timers: Timers;
}

export interface TerminalSurvey {
  /** Whether the terminal answered at all; one that does not is treated as a plain one. */
  readonly answered: "yes" | "no";
  readonly columns: number;
  readonly rows: number;
  /** XTVERSION, DA1 and DA2 as they came. */
  readonly version: string | null;
  readonly attributes: string | null;
  readonly secondaryAttributes: string | null;
  /** DECRQM for mode 2026. */
  readonly synchronizedUpdates: number | null;
  /** "unsaid": it takes what it gets, and does not tell which of the newer ways it understands. */
  readonly keyboard: "kitty" | "modify-other-keys" | "unsaid";
  readonly ground: GroundHints;
  /** Cells of each of `widthProbes`; null when they could not be measured. */
  readonly widths: readonly number[] | null;
}

/** A slow line may need this long; a terminal that answers is done in a few milliseconds. */
export const ANSWER_MS_MAX = 1_500;
/** Below this a character that is taken apart could reach the next row. */
const PROBE_COLUMNS_MIN = 20;
const RAW_UNITS_MAX = 65_536;

const POSITION_QUERY = "\x1b[6n";
const MODIFY_OTHER_KEYS_QUERY = "\x1b[?4m";
const FENCE_QUERY = "\x1b[c";
const POSITION = /\x1b\[(\d+);(\d+)R/g;
const ATTRIBUTES = /\x1b\[\?([\d;]*)c/;
const MODIFY_OTHER_KEYS = /\x1b\[>4;([12])m/;
const CTRL_C = "\x03";

export class TerminalSurveyor {
  private readonly parts: SurveyParts;
  private readonly filter = new AnswerFilter();
  private readonly answers: TerminalReport[] = [];
  private raw = "";
  private fences = 0;
  private isOurs = false;
  private isInterrupted = false;
  private wake: () => void = () => undefined;

  constructor(parts: SurveyParts) {
    this.parts = parts;
  }

  /** Null when the user pressed ctrl+c meanwhile. The terminal is given back in any case. */
  async survey(): Promise<TerminalSurvey | null> {
    this.take();
    try {
      const answered = await this.ask(TAKE_KEYBOARD + POSITION_QUERY + ASK_TERMINAL);
      if (answered === "yes" && !this.isInterrupted) await this.ask(this.secondQuestions());
      return this.isInterrupted ? null : this.result(answered);
    } finally {
      this.giveBack();
    }
  }

  /** Safe at any moment and more than once; also what an ending process calls. */
  giveBack(): void {
    if (!this.isOurs) return;
    this.isOurs = false;
    const { input, output } = this.parts;
    input.off("data", this.onData);
    input.off("end", this.onEnd);
    output.write(seq.SYNC_END + seq.CURSOR_SHOW + GIVE_KEYBOARD_BACK);
    input.setRawMode?.(false);
    input.pause();
  }

  private take(): void {
    const { input } = this.parts;
    this.isOurs = true;
    input.setRawMode?.(true);
    input.setEncoding("utf8");
    input.on("data", this.onData);
    input.on("end", this.onEnd);
    input.resume();
  }

  private async ask(bytes: string): Promise<"yes" | "no"> {
    const before = this.fences;
    await new Promise<void>((resolve) => {
      const cancel = this.parts.timers.after(ANSWER_MS_MAX, resolve);
      this.wake = () => {
        cancel();
        resolve();
      };
      this.parts.output.write(bytes);
    });
    return this.fences > before ? "yes" : "no";
  }

  // A row with text is left alone; ours begins below it.
  private secondQuestions(): string {
    const [start] = this.positions();
    const ownRow = start !== undefined && start.column > 1 ? seq.CRLF : "";
    // A terminal that does not know the question may take it for a change of style.
    const keys = this.keyboardFlags() > 0 ? "" : MODIFY_OTHER_KEYS_ON + MODIFY_OTHER_KEYS_QUERY + seq.PLAIN_STYLE;
    const wipe = seq.CR + seq.ERASE_RIGHT;
    const probes = this.canMeasure() ? widthProbes.map(({ text }) => text + POSITION_QUERY + wipe) : [];
    return ownRow + keys + seq.CURSOR_HIDE + seq.SYNC_BEGIN + probes.join("") + seq.SYNC_END + FENCE_QUERY;
  }

  private canMeasure(): boolean {
    return this.positions().length > 0 && (this.parts.output.columns ?? 0) >= PROBE_COLUMNS_MIN;
  }

  private result(answered: "yes" | "no"): TerminalSurvey {
    const { columns = 0, rows = 0 } = this.parts.output;
    const says = <Type extends TerminalReport["type"]>(type: Type) =>
      this.answers.find((answer): answer is Extract<TerminalReport, { type: Type }> => answer.type === type);
    const widths = this.positions()
      .slice(1)
      .map(({ column }) => column - 1);
    const sync = this.answers.find((answer) => answer.type === "mode" && answer.mode === 2026);
    return {
      answered,
      columns,
      rows,
      version: says("version")?.text ?? null,
      attributes: ATTRIBUTES.exec(this.raw)?.[1] ?? null,
      secondaryAttributes: says("secondary-attributes")?.params ?? null,
      synchronizedUpdates: sync?.type === "mode" ? sync.value : null,
      keyboard: this.keyboardFlags() > 0 ? "kitty" : MODIFY_OTHER_KEYS.test(this.raw) ? "modify-other-keys" : "unsaid",
      ground: this.ground(),
      widths: widths.length === widthProbes.length ? widths : null,
    };
  }

  private keyboardFlags(): number {
    const flags = this.answers.find((answer) => answer.type === "keyboard-flags");
    return flags?.type === "keyboard-flags" ? flags.flags : 0;
  }

  private ground(): GroundHints {
    let hints: GroundHints = {};
    for (const answer of this.answers) if (answer.type === "ground") hints = { ...hints, ...hintIn(answer.sequence) };
    return hints;
  }

  private positions(): { row: number; column: number }[] {
    return [...this.raw.matchAll(POSITION)].map(([, row, column]) => ({ row: Number(row), column: Number(column) }));
  }

  private readonly onData = (chunk: string): void => {
    this.raw = (this.raw + chunk).slice(0, RAW_UNITS_MAX);
    const { answers, keys } = this.filter.feed(chunk, "answers");
    this.answers.push(...answers);
    this.fences += answers.filter(({ type }) => type === "fence").length;
    // Even then the answers are waited for: the shell would take those that come late for typing.
    this.isInterrupted ||= keys.includes(CTRL_C);
    if (answers.some(({ type }) => type === "fence")) this.wake();
  };

  private readonly onEnd = (): void => this.wake();
}
