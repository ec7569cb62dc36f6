// Positions in a valid TOML text: each assignment with its path and the offsets of its key and value, so that one value can be
// changed in place and a problem can name its line.

export interface TomlAssignment {
  /** The whole path, the table's and the key's. */
  readonly path: readonly string[];
  readonly tablePath: readonly string[];
  /** Offsets: the line of the key, the value, and the start of the line after it. */
  readonly start: number;
  readonly valueStart: number;
  readonly valueEnd: number;
  readonly end: number;
}

export interface TomlHeader {
  readonly path: readonly string[];
  readonly start: number;
  readonly end: number;
}

const KEY_PART = /[ \t]*("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[A-Za-z0-9_-]+)[ \t]*/y;
const BLANK = /(?:[ \t\r\n\ufeff]+|#[^\n]*)+/y;
/** An entry of an array of tables has no path. */
const NAMELESS = "[]";

export function scanToml(text: string): { assignments: TomlAssignment[]; headers: TomlHeader[] } {
  const assignments: TomlAssignment[] = [];
  const headers: TomlHeader[] = [];
  let tablePath: readonly string[] = [];
  for (let at = skip(BLANK, text, 0); at < text.length; at = skip(BLANK, text, at)) {
    const start = text.lastIndexOf("\n", at - 1) + 1;
    const isHeader = text.charAt(at) === "[";
    const isArray = isHeader && text.charAt(at + 1) === "[";
    const key = readKey(text, isArray ? at + 2 : isHeader ? at + 1 : at);
    if (key === null) break;
    if (isHeader) {
      tablePath = isArray ? [...key.path, NAMELESS] : key.path;
      at = lineEnd(text, key.end);
      headers.push({ path: tablePath, start, end: at });
      continue;
    }
    const valueStart = skip(/[= \t]*/y, text, key.end);
    const valueEnd = endOfValue(text, valueStart);
    at = lineEnd(text, valueEnd);
    assignments.push({ path: [...tablePath, ...key.path], tablePath, start, valueStart, valueEnd, end: at });
  }
  return { assignments, headers };
}

/** `a.b` and `a."b c"` as a path; null when it is no key. */
export function keyPath(key: string): readonly string[] | null {
  const read = readKey(key, 0);
  return read !== null && read.end === key.length ? read.path : null;
}

/** The line, from 1, on which a path is set: exactly, or by the nearest thing above or below it. */
export function lineOfPath(text: string, path: readonly string[]): number | null {
  const { assignments, headers } = scanToml(text);
  const exact = assignments.find((assignment) => isSame(assignment.path, path));
  const near = [...assignments, ...headers]
    .sort((a, b) => a.start - b.start)
    .find((place) => isBeginning(place.path, path) || isBeginning(path, place.path));
  const place = exact ?? near;
  return place === undefined ? null : text.slice(0, place.start).split("\n").length;
}

export function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((part, index) => part === b[index]);
}

function isBeginning(short: readonly string[], long: readonly string[]): boolean {
  return short.length > 0 && short.length <= long.length && short.every((part, index) => part === long[index]);
}

function readKey(text: string, from: number): { path: string[]; end: number } | null {
  const path: string[] = [];
  for (let at = from; ; at += 1) {
    KEY_PART.lastIndex = at;
    const match = KEY_PART.exec(text);
    if (match === null) return null;
    path.push(unquoted(match[1] ?? ""));
    at = KEY_PART.lastIndex;
    if (text.charAt(at) !== ".") return { path, end: at };
  }
}

function unquoted(part: string): string {
  if (part.startsWith("'")) return part.slice(1, -1);
  if (!part.startsWith('"')) return part;
  try {
    return String(JSON.parse(part));
  } catch {
    // An escape that JSON lacks; such a key is never one of ours.
    return part.slice(1, -1);
  }
}

const STRINGS = [/"""(?:[^\\]|\\[\s\S])*?"{3,5}/y, /'''[\s\S]*?'{3,5}/y, /"(?:[^"\\\n]|\\.)*"/y, /'[^'\n]*'/y] as const;

// Counts brackets, which may span lines and have comments, and skips strings.
function endOfValue(text: string, from: number): number {
  let depth = 0;
  let at = from;
  let end = from;
  while (at < text.length) {
    const string = STRINGS.map((pattern) => skip(pattern, text, at)).find((after) => after > at);
    if (string !== undefined) {
      at = string;
      end = at;
      continue;
    }
    const character = text.charAt(at);
    if (character === "#") at = lineFeed(text, at) - 1;
    else if (character === "\n" && depth === 0) break;
    else if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") depth -= 1;
    at += 1;
    if (character !== "#" && !/\s/.test(character)) end = at;
    if (character === "#" && depth === 0) break;
  }
  return end;
}

function lineFeed(text: string, from: number): number {
  const at = text.indexOf("\n", from);
  return at < 0 ? text.length : at;
}

function lineEnd(text: string, from: number): number {
  return Math.min(text.length, lineFeed(text, from) + 1);
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
