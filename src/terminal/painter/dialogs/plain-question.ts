// A question as plain lines: what is said, and what a typed line means. Nothing is drawn twice and nothing moves, which is
// what a screen reader needs, and all that a terminal without cursor control can do. A question that needs several lines
// (a reason, a form, a text) answers one line with the next question.
import { safeLine, safeReveal } from "../../../text/safe.js";
import type { Choice } from "./choices.js";

export interface PlainQuestion {
  /** One utterance a line. */
  readonly lines: readonly string[];
  /** Whether what is typed must not be shown or kept. */
  readonly secret: "yes" | "no";
  read(line: string): PlainRead;
}

export type PlainRead =
  | { readonly type: "answered"; readonly value: unknown }
  | { readonly type: "cancelled" }
  /** The line was no answer, or asked for more: say these lines; the same question stays. */
  | { readonly type: "again"; readonly lines: readonly string[] }
  /** Say the lines of this question; it is the one that stands now. */
  | { readonly type: "next"; readonly question: PlainQuestion };

export function again(...lines: string[]): PlainRead {
  return { type: "again", lines };
}

/** "1 npm, lock file found. 2 pnpm." in one utterance, or one line each where there are many. */
export function numbered(choices: readonly Choice[]): string[] {
  const lines = choices.map(({ label, detail }, index) => {
    const words = [safeReveal(label), safeReveal(detail)].filter(Boolean).join(", ");
    return `${index + 1} ${sentence(words)}`;
  });
  return lines.length <= CHOICES_IN_ONE_LINE_MAX ? [lines.join(" ")] : lines;
}

const CHOICES_IN_ONE_LINE_MAX = 9;

export function sentence(words: string): string {
  return /[.!?:]$/.test(words) ? words : `${words}.`;
}

/** The words of a message, one utterance a line, nothing hidden in them. */
export function spoken(text: string): string[] {
  return text.split(/\r?\n/).map(safeReveal).filter(Boolean);
}

/** Which of the choices a line names, by its number or by its words; -1 for none of them. */
export function choiceIn(line: string, choices: readonly Choice[]): number {
  const typed = line.trim().toLowerCase();
  if (/^\d+$/.test(typed)) return Number(typed) <= choices.length ? Number(typed) - 1 : -1;
  return typed === "" ? -1 : choices.findIndex(({ label }) => safeLine(label).toLowerCase() === typed);
}

export function wrongNumber(count: number): PlainRead {
  return again(count === 1 ? "Type 1." : `Type a number from 1 to ${count}.`);
}

/** The choices of a line such as "1 3"; null when one of the words is none of them. */
export function choicesIn(line: string, choices: readonly Choice[]): number[] | null {
  const whole = choiceIn(line, choices);
  if (whole >= 0) return [whole];
  const found = line
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((word) => choiceIn(word, choices));
  return found.includes(-1) ? null : [...new Set(found)].sort((a, b) => a - b);
}
