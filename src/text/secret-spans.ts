// Where the secrets of a text are: declared ones in every encoding, private key blocks, and known shapes. Spans are
// ordered and do not overlap.
import { secretShapes } from "./secret-shapes.js";

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Replaces every secret, so that not even its length is visible. */
export const REDACTED = "••••••";

/** A shorter secret would match everywhere. */
export const SECRET_UNITS_MIN = 4;

const KEY_BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;

export function secretSpans(text: string, declared: RegExp | null): readonly Span[] {
  return joined([...declaredSpans(text, declared), ...keyBlockSpans(text), ...shapeSpans(text)]);
}

export function blackened(text: string, spans: readonly Span[]): string {
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
export function patternOfForms(forms: Iterable<string>): RegExp | null {
  const sorted = [...new Set(forms)].sort((a, b) => b.length - a.length);
  if (sorted.length === 0) return null;
  return new RegExp(sorted.map((form) => form.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|"), "g");
}

/** A secret travels as it is, inside JSON (also twice), inside an address, and as base64. */
export function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const twice = JSON.stringify(json).slice(1, -1);
  const base64 = base64Of(new TextEncoder().encode(secret)).replace(/=+$/, "");
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

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function base64Of(bytes: Uint8Array): string {
  let result = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const [first = 0, second = 0, third = 0] = bytes.subarray(at, at + 3);
    const bits = (first << 16) | (second << 8) | third;
    const left = bytes.length - at;
    result += BASE64.charAt(bits >> 18) + BASE64.charAt((bits >> 12) & 63);
    result += (left > 1 ? BASE64.charAt((bits >> 6) & 63) : "=") + (left > 2 ? BASE64.charAt(bits & 63) : "=");
  }
  return result;
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
