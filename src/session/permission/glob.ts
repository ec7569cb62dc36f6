// Path patterns, matched without regular expressions, so that no pattern of a model or a file can take exponential time.
// Rules, ignore files and searches all mean the same by a pattern because all of them ask here.
//
//   *   anything within one name        ?      one character        [a-z] [!a]   one of these, none of these
//   **  any number of folders, or none  {a,b}  either of these      \*           the character itself

/** A pattern is a few readable alternatives; one that unfolds into more than this is taken literally from there on. */
const ALTERNATIVES_MAX = 256;

type Atom =
  | { readonly kind: "char"; readonly char: string }
  | { readonly kind: "one" }
  | { readonly kind: "some" }
  | { readonly kind: "set"; readonly ranges: readonly (readonly [string, string])[]; readonly negated: boolean };

type Segment = "folders" | readonly Atom[];

export type Glob = { matches(path: string): boolean };

export function compileGlob(pattern: string): Glob {
  const alternatives = unfoldBraces(pattern).map((each) => each.split("/").map(segmentOf));
  return { matches: (path) => alternatives.some((segments) => matchSegments(segments, path.split("/"))) };
}

/** Whether the pattern stands for one path only. */
export function isLiteral(pattern: string): boolean {
  return !/[*?[{]/.test(pattern.replace(/\\[\s\S]/g, ""));
}

/** The pattern that matches exactly this path. */
export function literalGlob(path: string): string {
  return path.replace(/[\\*?[\]{}]/g, "\\$&");
}

function segmentOf(text: string): Segment {
  if (text === "**") return "folders";
  const chars = [...text];
  const atoms: Atom[] = [];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? "";
    const set = char === "[" ? setAt(chars, at) : undefined;
    if (set !== undefined) {
      atoms.push(set.atom);
      at = set.end;
    } else if (char === "*") {
      if (atoms.at(-1)?.kind !== "some") atoms.push({ kind: "some" });
    } else if (char === "?") atoms.push({ kind: "one" });
    else if (char === "\\" && at + 1 < chars.length) atoms.push({ kind: "char", char: chars[++at] ?? "" });
    else atoms.push({ kind: "char", char });
  }
  return atoms;
}

// A bracket that is never closed is a bracket. A "]" right at the start is one of the characters, as in a shell.
function setAt(chars: readonly string[], open: number): { atom: Atom; end: number } | undefined {
  const negated = chars[open + 1] === "!" || chars[open + 1] === "^";
  const first = open + (negated ? 2 : 1);
  const end = chars.indexOf("]", first + 1);
  if (end < 0) return undefined;
  const ranges: [string, string][] = [];
  for (let at = first; at < end; at++) {
    const from = chars[at] ?? "";
    const isRange = chars[at + 1] === "-" && at + 2 < end;
    ranges.push([from, isRange ? (chars[at + 2] ?? from) : from]);
    if (isRange) at += 2;
  }
  return { atom: { kind: "set", ranges, negated }, end };
}

// The classic walk with one remembered place: when something does not fit, the last "**" takes one folder more.
function matchSegments(segments: readonly Segment[], names: readonly string[]): boolean {
  return walk(segments, names, (segment) => segment === "folders", matchName);
}

function matchName(segment: Segment, name: string): boolean {
  if (segment === "folders") return true;
  return walk(segment, [...name], (atom) => atom.kind === "some", matchChar);
}

function matchChar(atom: Atom, char: string): boolean {
  switch (atom.kind) {
    case "char":
      return atom.char === char;
    case "set":
      return atom.ranges.some(([from, to]) => from <= char && char <= to) !== atom.negated;
    default:
      return true;
  }
}

/** Whether the parts fit the items; `isAny` ones fit any number of them. Time is the product of both lengths at worst. */
export function walk<Part, Item>(
  parts: readonly Part[],
  items: readonly Item[],
  isAny: (part: Part) => boolean,
  fits: (part: Part, item: Item) => boolean,
): boolean {
  let part = 0;
  let item = 0;
  let retry: { part: number; item: number } | undefined;
  while (item < items.length) {
    const wanted = parts[part];
    const found = items[item];
    if (wanted !== undefined && isAny(wanted)) {
      retry = { part: ++part, item };
    } else if (wanted !== undefined && found !== undefined && fits(wanted, found)) {
      part++;
      item++;
    } else if (retry !== undefined) {
      retry = { part: retry.part, item: retry.item + 1 };
      ({ part, item } = retry);
    } else return false;
  }
  return parts.slice(part).every(isAny);
}

function unfoldBraces(pattern: string): string[] {
  const done: string[] = [];
  const open = [pattern];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const brace = firstBrace(next);
    if (brace === undefined || open.length + done.length >= ALTERNATIVES_MAX) done.push(next);
    else open.unshift(...brace);
  }
  return done;
}

/** The alternatives of the first complete pair of braces with a comma in it, each with what stands around it. */
function firstBrace(pattern: string): string[] | undefined {
  for (let open = pattern.indexOf("{"); open >= 0; open = pattern.indexOf("{", open + 1)) {
    if (isEscaped(pattern, open)) continue;
    const found = alternativesAt(pattern, open);
    if (found !== undefined) {
      return found.choices.map((choice) => pattern.slice(0, open) + choice + pattern.slice(found.end + 1));
    }
  }
  return undefined;
}

function alternativesAt(pattern: string, open: number): { choices: string[]; end: number } | undefined {
  const choices: string[] = [];
  let depth = 0;
  let start = open + 1;
  for (let at = open; at < pattern.length; at++) {
    const char = pattern[at];
    if (char === "\\") at++;
    else if (char === "{") depth++;
    else if (char === "}" && --depth === 0) {
      choices.push(pattern.slice(start, at));
      return choices.length > 1 ? { choices, end: at } : undefined;
    } else if (char === "," && depth === 1) {
      choices.push(pattern.slice(start, at));
      start = at + 1;
    }
  }
  return undefined;
}

function isEscaped(pattern: string, at: number): boolean {
  const backslashes = /\\*$/.exec(pattern.slice(0, at))?.[0].length ?? 0;
  return backslashes % 2 === 1;
}
