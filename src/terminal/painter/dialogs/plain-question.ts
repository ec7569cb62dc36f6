// An ask as plain lines, and what a typed line means. Nothing is redrawn, as a screen reader needs it. A question of
// several lines answers each with the next question.
import { safeLine, safeReveal } from "../../../text/safe.js";
import type { Choice } from "./choices.js";

export interface PlainQuestion {
  readonly lines: readonly string[];
  readonly secret: "yes" | "no";
  read(line: string): PlainRead;
}

export type PlainRead =
  | { readonly type: "answered"; readonly value: unknown }
  | { readonly type: "cancelled" }
  /** Not an answer: print these lines and keep the question. */
  | { readonly type: "again"; readonly lines: readonly string[] }
  /** This question replaces the current one. */
  | { readonly type: "next"; readonly question: PlainQuestion };

export function again(...lines: string[]): PlainRead {
  return { type: "again", lines };
}

/** "1 npm, lock file found. 2 pnpm.", or one line each where there are many. */
export function numbered(
  choices: readonly Choice[],
  numberOf: (choice: Choice, index: number) => number = (_, index) => index + 1,
): string[] {
  const lines = choices.map((choice, index) => {
    const words = [safeReveal(choice.label), safeReveal(choice.detail)].filter(Boolean).join(", ");
    return `${numberOf(choice, index)} ${sentence(words)}`;
  });
  return lines.length <= CHOICES_IN_ONE_LINE_MAX ? [lines.join(" ")] : lines;
}

const CHOICES_IN_ONE_LINE_MAX = 9;

export function sentence(words: string): string {
  return /[.!?:]$/.test(words) ? words : `${words}.`;
}

export function spoken(text: string): string[] {
  return text.split(/\r?\n/).map(safeReveal).filter(Boolean);
}

/** The choice a line names by number or label; -1 for none. */
export function choiceIn(line: string, choices: readonly Choice[]): number {
  const typed = line.trim().toLowerCase();
  if (/^\d+$/.test(typed)) return Number(typed) <= choices.length ? Number(typed) - 1 : -1;
  return typed === "" ? -1 : choices.findIndex(({ label }) => safeLine(label).toLowerCase() === typed);
}

export function wrongNumber(count: number): PlainRead {
  return again(count === 1 ? "Type 1." : `Type a number from 1 to ${count}.`);
}

/** The choices of a line such as "1 3"; null when one is unknown. */
export function choicesIn(line: string, choices: readonly Choice[]): number[] | null {
  const whole = choiceIn(line, choices);
  if (whole >= 0) return [whole];
  const found = line
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((word) => choiceIn(word, choices));
  return found.includes(-1) ? null : [...new Set(found)].sort((a, b) => a - b);
}
