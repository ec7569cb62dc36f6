// Validates answers by the rules of the ask, with messages for the user. Every dialog and the screen reader use it.
import type { FormField } from "../contract/dialogs.js";
import { safeLine } from "../text/safe.js";
import { patternVerdict } from "./ask-pattern.js";

export type TextRules = Pick<FormField, "required" | "min_length" | "max_length" | "pattern" | "format" | "validate">;

export type CountRules = { readonly min?: number | undefined; readonly max?: number | undefined };

const FORMATS: Readonly<Record<NonNullable<TextRules["format"]>, { readonly like: RegExp; readonly words: string }>> = {
  email: { like: /^[^\s@]+@[^\s@]+$/, words: "must be an e-mail address" },
  uri: { like: /^[a-z][a-z0-9+.-]*:\S+$/i, words: "must be a URL such as https://example.org" },
  date: { like: /^\d{4}-\d{2}-\d{2}$/, words: "a date looks like 2026-01-31" },
  "date-time": {
    like: /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d{2}:\d{2})?$/,
    words: "a moment looks like 2026-01-31T12:00:00Z",
  },
};

/** Why this text is invalid; null when it is valid. */
export function textProblem(text: string, rules: TextRules): string | null {
  const { required, min_length: least = 0, max_length: most, pattern, format } = rules;
  if (text === "") return required === true || (required !== false && least > 0) ? said(rules, "required") : null;
  const length = Array.from(text).length;
  if (length < least) return said(rules, `at least ${least} characters, this has ${length}`);
  if (most !== undefined && length > most) return said(rules, `at most ${most} characters, this has ${length}`);
  if (format !== undefined && !isLike(format, text)) return said(rules, FORMATS[format].words);
  if (pattern !== undefined && patternVerdict(pattern, text) === "differs") {
    return said(rules, `must match ${pattern}`);
  }
  return null;
}

export type NumberRules = CountRules & Pick<FormField, "required" | "integer" | "validate">;

/** The number, or why it is invalid; an empty optional one is undefined. */
export function readNumber(text: string, rules: NumberRules): { value?: number; problem: string | null } {
  const typed = text.trim();
  if (typed === "") return { problem: rules.required === true ? said(rules, "required") : null };
  const value = Number(typed.replace(/(?<=\d)[,_](?=\d{3}(?!\d))/g, ""));
  if (!Number.isFinite(value)) return { problem: said(rules, "must be a number") };
  return { value, problem: numberProblem(value, rules) };
}

function numberProblem(value: number, rules: NumberRules): string | null {
  if (rules.integer === true && !Number.isInteger(value)) return said(rules, "must be a whole number");
  if (rules.min !== undefined && value < rules.min) return said(rules, `at least ${rules.min}`);
  if (rules.max !== undefined && value > rules.max) return said(rules, `at most ${rules.max}`);
  return null;
}

/** Why this count is invalid; null when it is valid. */
export function countProblem(count: number, { min = 0, max }: CountRules): string | null {
  if (count < min) return `choose at least ${min}`;
  return max !== undefined && count > max ? `choose at most ${max}` : null;
}

/** A date may look like one and not be in the calendar. */
function isLike(format: NonNullable<TextRules["format"]>, text: string): boolean {
  if (!FORMATS[format].like.test(text)) return false;
  if (format !== "date" && format !== "date-time") return true;
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split("-").map(Number);
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function said({ validate }: { validate?: string | undefined }, words: string): string {
  return safeLine(validate ?? words);
}
