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

export function choice<const Values extends readonly string[]>(values: Values): SettingKind<Values[number]> {
  const words = `one of ${values.join(", ")}`;
  const isOne = (value: unknown): value is Values[number] => typeof value === "string" && values.includes(value);
  return {
    words,
    values,
    judge: (value) => (isOne(value) ? { ok: true, value } : { ok: false, words }),
    fromText: (text) => text,
  };
}

export function wholeNumber(min: number, max: number): SettingKind<number> {
  const words = `a whole number from ${min} to ${max}`;
  const isOne = (value: unknown): value is number =>
    typeof value === "number" && Number.isInteger(value) && value >= min && value <= max;
  return {
    words,
    values: [],
    judge: (value) => (isOne(value) ? { ok: true, value } : { ok: false, words }),
    fromText: (text) => (/^\s*-?\d+\s*$/.test(text) ? Number(text) : text),
  };
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
  const words = "true or false";
  return {
    words,
    values: ["true", "false"],
    judge: (value) => (typeof value === "boolean" ? { ok: true, value } : { ok: false, words }),
    fromText: (text) => switchWords[text.trim().toLowerCase()] ?? text,
  };
}

const TEXT_UNITS_MAX = 4_096;

/** A piece of text; empty means that it is not set. */
export function text(what: string): SettingKind<string> {
  const isOne = (value: unknown): value is string => typeof value === "string" && value.length <= TEXT_UNITS_MAX;
  return {
    words: what,
    values: [],
    judge: (value) => (isOne(value) ? { ok: true, value } : { ok: false, words: what }),
    fromText: (typed) => typed,
  };
}

const LIST_ITEMS_MAX = 1_000;

export function listOfTexts(what: string): SettingKind<readonly string[]> {
  const words = `a list of ${what}, such as ["…", "…"]`;
  return {
    words,
    values: [],
    judge: (value) => (isTextList(value) ? { ok: true, value } : { ok: false, words }),
    fromText: (typed) =>
      typed
        .split(",")
        .map((item) => item.trim())
        .filter((item) => item !== ""),
  };
}

/** Names of the person's own choosing, each with a value of one shape. */
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
