// Tells code, comments and literals of a source apart without a compiler, so that a rule about code is not fooled by
// a word in a string. Each view has the length and the lines of the source, with everything else as blanks:
//
//   source     const a = "any"; // any      `${b}`
//   code       const a = "   ";             `${b}`
//   comments                    // any

export interface Views {
  /** Code alone; of literals only the quotes stay. */
  readonly code: string;
  /** Comments alone, with their markers. */
  readonly comments: string;
}

type Kind = "code" | "comment" | "literal";

const REGEX_MAY_FOLLOW_WORD = /(?:^|[^\w$.])(?:return|typeof|case|in|of|delete|void|throw|new|else|do|yield|await)$/;

export function viewsOf(text: string): Views {
  const kinds: Kind[] = new Array(text.length);
  const end = scanCode(text, 0, kinds, { until: "end" });
  kinds.fill("code", end);
  return { code: pick(text, kinds, "code"), comments: pick(text, kinds, "comment") };
}

function pick(text: string, kinds: readonly Kind[], wanted: Kind): string {
  let out = "";
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    out += kinds[at] === wanted || char === "\n" ? char : " ";
  }
  return out;
}

/** Marks code from `start` on; inside a template it stops behind the brace that closes the substitution. */
function scanCode(text: string, start: number, kinds: Kind[], { until }: { until: "end" | "brace" }): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const next = scanLiteral(text, at, kinds);
    if (next > at) {
      at = next;
      continue;
    }
    kinds[at] = "code";
    if (text[at] === "{") depth++;
    if (text[at] === "}" && depth-- === 0 && until === "brace") return at + 1;
    at++;
  }
  return at;
}

/** Marks the comment or literal that begins here, if one does, and returns where it ends. */
function scanLiteral(text: string, at: number, kinds: Kind[]): number {
  const char = text[at];
  if (char === '"' || char === "'") return quoted(kinds, at, endOfString(text, at));
  if (char === "`") return scanTemplate(text, at, kinds);
  if (char !== "/" && char !== "#") return at;
  if (char === "#") return at === 0 && text[1] === "!" ? marked(kinds, at, endOfLine(text, at), "comment") : at;
  if (text[at + 1] === "/") return marked(kinds, at, endOfLine(text, at), "comment");
  if (text[at + 1] === "*") return marked(kinds, at, endAfter(text, at + 2, "*/"), "comment");
  return regexMayStart(text, at, kinds) ? quoted(kinds, at, endOfRegex(text, at)) : at;
}

function scanTemplate(text: string, start: number, kinds: Kind[]): number {
  kinds[start] = "code";
  let at = start + 1;
  while (at < text.length && text[at] !== "`") {
    if (text[at] === "$" && text[at + 1] === "{") {
      kinds[at] = "code";
      kinds[at + 1] = "code";
      at = scanCode(text, at + 2, kinds, { until: "brace" });
    } else {
      const step = text[at] === "\\" ? 2 : 1;
      at = marked(kinds, at, at + step, "literal");
    }
  }
  kinds[at] = "code";
  return at + 1;
}

// A slash after a value divides; anywhere else it opens a regular expression. Comments in between do not count.
function regexMayStart(text: string, at: number, kinds: readonly Kind[]): boolean {
  let back = at - 1;
  while (back >= 0 && (kinds[back] === "comment" || /\s/.test(text.charAt(back)))) back--;
  if (back < 0) return true;
  if (/[\w$]/.test(text.charAt(back))) return REGEX_MAY_FOLLOW_WORD.test(text.slice(Math.max(0, back - 12), back + 1));
  return !/[)\]}"'`/]/.test(text.charAt(back));
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === text[start] || text[at] === "\n") return at + 1;
  }
  return text.length;
}

function endOfRegex(text: string, start: number): number {
  let inClass = false;
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at];
    if (char === "\\") at++;
    else if (char === "\n") return at;
    else if (char === "[") inClass = true;
    else if (char === "]") inClass = false;
    else if (char === "/" && !inClass) return at + 1;
  }
  return text.length;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

function endAfter(text: string, at: number, closing: string): number {
  const end = text.indexOf(closing, at);
  return end < 0 ? text.length : end + closing.length;
}

function marked(kinds: Kind[], start: number, end: number, kind: Kind): number {
  kinds.fill(kind, start, Math.min(end, kinds.length));
  return end;
}

function quoted(kinds: Kind[], start: number, end: number): number {
  marked(kinds, start, end, "literal");
  kinds[start] = "code";
  kinds[end - 1] = "code";
  return end;
}
