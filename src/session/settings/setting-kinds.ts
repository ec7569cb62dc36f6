// The kinds of values of settings: how to validate one from a file, how to read a typed one, and the message when it is wrong.
import { isRecord } from "../../contract/json-value.js";

export type Judged<Value> =
  | { readonly ok: true; readonly value: Value }
  /** `words` come after "must be". */
  | { readonly ok: false; readonly words: string };

export interface SettingKind<Value> {
  /** Such as "one of a, b" or "a whole number from 1 to 9". */
  readonly words: string;
  /** All values, for lists; empty when there are too many. */
  readonly values: readonly string[];
  judge(value: unknown): Judged<Value>;
  /** The value of a typed text, before `judge`; null when this kind cannot be typed in one line. */
  fromText: ((text: string) => unknown) | null;
}

function kindOf<Value>(
  words: string,
  isOne: (value: unknown) => value is Value,
  fromText: SettingKind<Value>["fromText"],
  values: readonly string[] = [],
): SettingKind<Value> {
  return { words, values, fromText, judge: (value) => (isOne(value) ? { ok: true, value } : { ok: false, words }) };
}

export function choice<const Values extends readonly string[]>(values: Values): SettingKind<Values[number]> {
  const isOne = (value: unknown): value is Values[number] => typeof value === "string" && values.includes(value);
  return kindOf(`one of ${values.join(", ")}`, isOne, (text) => text, values);
}

export function wholeNumber(min: number, max: number): SettingKind<number> {
  const isOne = (value: unknown): value is number =>
    typeof value === "number" && Number.isInteger(value) && value >= min && value <= max;
  const fromText = (text: string) => (/^\s*-?\d+\s*$/.test(text) ? Number(text) : text);
  return kindOf(`a whole number from ${min} to ${max}`, isOne, fromText);
}

const switchWords: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  "1": true,
  false: false,
  no: false,
  off: false,
  "0": false,
};

export function yesOrNo(): SettingKind<boolean> {
  const isOne = (value: unknown) => typeof value === "boolean";
  return kindOf("true or false", isOne, (text) => switchWords[text.trim().toLowerCase()] ?? text, ["true", "false"]);
}

const TEXT_UNITS_MAX = 4_096;

/** A piece of text; empty means that it is not set. */
export function text(what: string): SettingKind<string> {
  const isOne = (value: unknown): value is string => typeof value === "string" && value.length <= TEXT_UNITS_MAX;
  return kindOf(what, isOne, (typed) => typed);
}

const LIST_ITEMS_MAX = 1_000;

export function listOfTexts(what: string): SettingKind<readonly string[]> {
  const items = (typed: string) => typed.split(",").map((item) => item.trim());
  const fromText = (typed: string) => items(typed).filter((item) => item !== "");
  return kindOf(`a list of ${what}, such as ["…", "…"]`, isTextList, fromText);
}

/** Names of the user's own choosing, each with a value of one shape. */
export function namedValues<Value>(
  what: string,
  judgeOne: (value: unknown) => Judged<Value>,
): SettingKind<Readonly<Record<string, Value>>> {
  return {
    words: what,
    values: [],
    fromText: null,
    judge(value) {
      if (!isTable(value)) return { ok: false, words: what };
      const judged: Record<string, Value> = {};
      for (const [name, item] of Object.entries(value)) {
        const one = judgeOne(item);
        if (!one.ok) return { ok: false, words: `${what}; ${name} must be ${one.words}` };
        // A name such as __proto__ is a name like any other.
        Object.defineProperty(judged, name, { value: one.value, enumerable: true, configurable: true, writable: true });
      }
      return { ok: true, value: judged };
    },
  };
}

export function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length <= LIST_ITEMS_MAX && value.every((item) => typeof item === "string");
}

export function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && !(value instanceof Date);
}
