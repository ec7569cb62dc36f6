// Removes secrets from what is written to disk or sent elsewhere: declared ones in every encoding, and text that looks
// like one. Redacting twice changes nothing. Growing text is handed out only up to where a secret may begin.
import { secretName, secretShapes } from "./secret-shapes.js";

/** Replaces every secret, so that not even its length is visible. */
export const REDACTED = "••••••";

/** A shorter secret would match everywhere. */
const SECRET_UNITS_MIN = 4;
/** A variable such as TOKEN=auto is a switch; keys are longer. */
const ENVIRONMENT_UNITS_MIN = 8;
/** The oldest is dropped first. */
const DECLARED_MAX = 1_000;
/** How deep a value is searched. Deeper parts are removed. */
const LEVELS_MAX = 256;

// Protocol words stay: a password may be "user", and every message would lose its role.
const PROTOCOL_FIELDS: ReadonlySet<string> = new Set(
  "type role kind level stream placement reason choice phase status dir".split(" "),
);
const PROTOCOL_WORD = /^[a-z][a-z_.-]{0,39}$/;

/** No shape of a secret reaches over these. */
const BREAK = /[\s\u2e80-\ud7ff]/;

/** How much of a growing text is held back at most; a longer word is no secret. */
const HELD_UNITS_MAX = 16_384;
/** How long a line is searched again with each piece of it; of a longer one only the context is. */
const LINE_UNITS_MAX = 4_096;
/** What a later piece may need of the text before it: the name in front of a value. */
const CONTEXT_UNITS = 256;

export interface Redactor {
  /** Declares a secret. */
  declare(secret: string): void;
  text(text: string): string;
  /** Redacts every string and field name in a value. */
  value(value: unknown): unknown;
  /** A text whose end is still to come, without the part that might become a secret. */
  unfinished(text: string): string;
  /** A text that comes in pieces. */
  stream(): RedactedStream;
}

export interface RedactedStream {
  /** What may be handed on now. */
  push(piece: string): string;
  /** The rest; the stream starts again after it. */
  end(): string;
}

export function createRedactor(secrets: Iterable<string> = []): Redactor {
  const declared = new Set<string>();
  let pattern: RegExp | null = null;
  let forms: Forms = { all: [], reaching: [] };

  function declare(secret: string): void {
    if (secret.trim().length < SECRET_UNITS_MIN) return;
    declared.delete(secret);
    declared.add(secret);
    if (declared.size > DECLARED_MAX) declared.delete(declared.values().next().value ?? "");
    const all = [...declared].flatMap(formsOf);
    pattern = patternOfForms(all);
    forms = { all, reaching: all.filter((form) => BREAK.test(form)) };
  }
  for (const secret of secrets) declare(secret);

  const spans = (text: string) => (text.length < SECRET_UNITS_MIN ? [] : secretSpans(text, pattern));
  const redact = (text: string) => blackened(text, spans(text));
  return {
    declare,
    text: redact,
    value: (value) => redactValue(value, redact, LEVELS_MAX),
    unfinished: (text) => redact(text.slice(0, safeEnd(text, forms))),
    stream: () => redactedStream({ spans, safeEnd: (text) => safeEnd(text, forms) }),
  };
}

/** Values of environment variables whose names announce secrets. */
export function secretsIn(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, value]) => {
    if (value === undefined || value.length < ENVIRONMENT_UNITS_MIN || FOLDER_NAMES.has(name)) return [];
    return secretName.test(name) ? [value] : [];
  });
}

/** Folders, not passwords: redacting them would damage every path below. */
const FOLDER_NAMES: ReadonlySet<string> = new Set(["PWD", "OLDPWD"]);

/** What declared secrets look like; those that reach over several words apart. */
type Forms = { readonly all: readonly string[]; readonly reaching: readonly string[] };

/** The last word of a sentence. No known shape of a secret begins like this. */
const LAST_WORD = /^[("']?[A-Za-z]{1,12}[.?!:][)"']?$/;

// An unfinished word may become a secret, and so may the beginning of a declared one that has spaces in it.
function safeEnd(text: string, { all, reaching }: Forms): number {
  let start = text.length;
  while (start > 0 && !BREAK.test(text.charAt(start - 1))) start -= 1;
  const word = text.slice(start);
  const isWhole = LAST_WORD.test(word) && !all.some((form) => beginningAtEnd(word, form, 0) > 0);
  const held = isWhole ? 0 : word.length;
  return text.length - Math.max(held, ...reaching.map((form) => beginningAtEnd(text, form, held)));
}

/** How much of the end of a text is the beginning of a secret, if it is more than so many units. */
function beginningAtEnd(text: string, form: string, than: number): number {
  for (let units = Math.min(form.length - 1, text.length); units > than; units -= 1) {
    if (text.endsWith(form.slice(0, units))) return units;
  }
  return 0;
}

interface Finder {
  spans(text: string): readonly Span[];
  safeEnd(text: string): number;
}

//     | forgotten | context | handed out | held back |
//                 0                    `given`       the end
function redactedStream({ spans, safeEnd: endOf }: Finder): RedactedStream {
  let text = "";
  let given = 0;

  function handOut(found: readonly Span[], upTo: number): string {
    const inside = found.flatMap(({ start, end }) => {
      const piece = { start: Math.max(start, given) - given, end: Math.min(end, upTo) - given };
      return piece.end > piece.start ? [piece] : [];
    });
    const result = blackened(text.slice(given, upTo), inside);
    given = upTo;
    return result;
  }

  // A block that is longer than what may be held leaves its beginning here: what follows still belongs to it.
  function forgetOld(openSecret: number): void {
    if (openSecret < given) {
      text = text.slice(openSecret, openSecret + CONTEXT_UNITS);
      given = text.length;
      return;
    }
    const lineStart = text.lastIndexOf("\n", Math.max(0, given - CONTEXT_UNITS)) + 1;
    const from = given - lineStart > LINE_UNITS_MAX ? given - CONTEXT_UNITS : lineStart;
    text = text.slice(from);
    given -= from;
  }

  return {
    push(piece) {
      text += piece;
      const found = spans(text);
      const last = found.at(-1);
      // A secret that reaches to the end may go on, so it is held back whole.
      const openSecret = last !== undefined && last.end === text.length ? last.start : text.length;
      const isTooMuch = text.length - given > HELD_UNITS_MAX;
      const upTo = isTooMuch ? text.length : Math.max(given, Math.min(endOf(text), openSecret));
      const result = handOut(found, upTo);
      forgetOld(openSecret);
      return result;
    },
    end() {
      const rest = handOut(spans(text), text.length);
      text = "";
      given = 0;
      return rest;
    },
  };
}

function redactValue(value: unknown, redact: (text: string) => string, levels: number, name: string = ""): unknown {
  if (typeof value === "string") return redactNamed(name, value, redact);
  if (typeof value === "number" || typeof value === "bigint") {
    return redact(String(value)) === String(value) ? value : REDACTED;
  }
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return REDACTED;
  if (Array.isArray(value)) return value.map((item) => redactValue(item, redact, levels - 1, name));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [redact(key), redactValue(item, redact, levels - 1, key)]),
  );
}

function redactNamed(name: string, text: string, redact: (text: string) => string): string {
  if (PROTOCOL_FIELDS.has(name) && PROTOCOL_WORD.test(text)) return text;
  return text !== "" && secretName.test(name) ? REDACTED : redact(text);
}

// Where the secrets of a text are. Spans are ordered and do not overlap.
interface Span {
  readonly start: number;
  readonly end: number;
}

const KEY_BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;

function secretSpans(text: string, declared: RegExp | null): readonly Span[] {
  return joined([...declaredSpans(text, declared), ...keyBlockSpans(text), ...shapeSpans(text)]);
}

function blackened(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  let result = "";
  let at = 0;
  for (const { start, end } of spans) {
    result += text.slice(at, start) + REDACTED;
    at = end;
  }
  return result + text.slice(at);
}

/** One pattern for all forms, the longest first; null when there are none. */
function patternOfForms(forms: Iterable<string>): RegExp | null {
  const sorted = [...new Set(forms)].sort((a, b) => b.length - a.length);
  if (sorted.length === 0) return null;
  return new RegExp(sorted.map((form) => form.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|"), "g");
}

/** A secret travels as it is, inside JSON (also twice), inside an address, and as base64. */
function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const twice = JSON.stringify(json).slice(1, -1);
  const bytes = Array.from(new TextEncoder().encode(secret), (byte) => String.fromCharCode(byte));
  const base64 = btoa(bytes.join("")).replace(/=+$/, "");
  const url = base64.replaceAll("+", "-").replaceAll("/", "_");
  return [secret, json, twice, addressForm(secret), base64, url].filter((form) => form.length >= SECRET_UNITS_MIN);
}

function addressForm(secret: string): string {
  try {
    return encodeURIComponent(secret);
  } catch {
    // Half of a surrogate pair has no form in an address.
    return secret;
  }
}

function declaredSpans(text: string, declared: RegExp | null): Span[] {
  if (declared === null) return [];
  return [...text.matchAll(declared)].map(({ index, 0: { length } }) => ({ start: index, end: index + length }));
}

/** A block without an end was cut off, or is still being written: everything behind its beginning may be the key. */
function keyBlockSpans(text: string): Span[] {
  if (!text.includes("-----BEGIN ")) return [];
  const spans: Span[] = [];
  let after = 0;
  for (const begin of text.matchAll(KEY_BEGIN)) {
    if (begin.index < after) continue;
    KEY_END.lastIndex = begin.index;
    const end = KEY_END.exec(text);
    after = end === null ? text.length : end.index + end[0].length;
    spans.push({ start: begin.index, end: after });
  }
  return spans;
}

function shapeSpans(text: string): Span[] {
  return secretShapes.flatMap(({ pattern, group, hint }) => {
    if (hint !== undefined && !hint.test(text)) return [];
    return [...text.matchAll(pattern)].flatMap((match) => {
      const secret = match[group ?? 0] ?? "";
      if (secret === "" || secret.startsWith(REDACTED)) return [];
      const start = match.index + match[0].lastIndexOf(secret);
      return [{ start, end: start + secret.length }];
    });
  });
}

function joined(spans: Span[]): Span[] {
  const result: Span[] = [];
  for (const span of spans.sort((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last === undefined || span.start > last.end) result.push(span);
    else result[result.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
  }
  return result;
}
