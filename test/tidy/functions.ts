// Finds the functions of a source and how far they reach: declarations, methods, accessors and arrow functions with a
// block as body. It looks at each pair of parentheses and asks whether what follows makes them a parameter list.
import { matchBrackets, skipSpace } from "./brackets.js";
import { lineAt, type SourceFile } from "./source-file.js";

export interface FunctionExtent {
  readonly name: string;
  readonly firstLine: number;
  readonly lines: number;
  /** Offsets of the body's braces. */
  readonly bodyStart: number;
  readonly bodyEnd: number;
}

// Words before parentheses that are followed by a block without being a function.
const CONTROL = new Set(["if", "for", "while", "switch", "catch", "with", "await"]);
const STATEMENT_WORD = /^(?:case|default|break|return|const|let|if|for|while|switch|throw|export|import|class)\b/;

export function functionsOf({ code, text }: Pick<SourceFile, "code" | "text">): FunctionExtent[] {
  const partners = matchBrackets(code);
  const found: FunctionExtent[] = [];
  for (const [open, close] of partners) {
    if (close < open || code[open] !== "(") continue;
    const bodyStart = bodyAfter(code, close + 1, partners);
    const bodyEnd = bodyStart === undefined ? undefined : partners.get(bodyStart);
    const head = code.slice(Math.max(0, open - 200), open);
    if (bodyStart === undefined || bodyEnd === undefined || CONTROL.has(lastWord(head))) continue;
    const firstLine = lineAt(text, open);
    found.push({ name: nameOf(head), firstLine, lines: lineAt(text, bodyEnd) - firstLine + 1, bodyStart, bodyEnd });
  }
  return found.sort((a, b) => a.bodyStart - b.bodyStart);
}

/** The brace that opens a body behind a closed parameter list, or undefined when there is none. */
function bodyAfter(code: string, at: number, partners: ReadonlyMap<number, number>): number | undefined {
  let next = skipSpace(code, at);
  if (code[next] === ":") next = endOfReturnType(code, next + 1, partners);
  if (code.startsWith("=>", next)) next = skipSpace(code, next + 2);
  return code[next] === "{" ? next : undefined;
}

// Walks over a type to what ends it: the body's brace or the arrow. A brace where an operand is due is part of the type.
function endOfReturnType(code: string, start: number, partners: ReadonlyMap<number, number>): number {
  let operandDue = true;
  let angles = 0;
  let at = skipSpace(code, start);
  while (at < code.length) {
    const char = code.charAt(at);
    if (char === "=" && code[at + 1] === ">") {
      if (angles === 0 && !closesParameters(code, at)) return at;
      operandDue = true;
      at += 2;
    } else if (/[([{]/.test(char)) {
      if (char === "{" && !operandDue && angles === 0) return at;
      at = (partners.get(at) ?? code.length) + 1;
      operandDue = false;
    } else if (
      /[;)\]}=]/.test(char) ||
      (char === "," && angles === 0) ||
      STATEMENT_WORD.test(code.slice(at, at + 10))
    ) {
      return at;
    } else {
      if (char === "<") angles++;
      if (char === ">") angles--;
      const word = /^[\w$]+/.exec(code.slice(at, at + 80))?.[0];
      operandDue =
        word === undefined ? /[|&<,:?]/.test(char) : /^(?:is|keyof|typeof|extends|infer|readonly)$/.test(word);
      at += word?.length ?? 1;
    }
    at = skipSpace(code, at);
  }
  return at;
}

// `(): (a: A) => B => {`: an arrow right behind parentheses that stand in the type belongs to the type, unless a block
// follows it directly, in which case the parentheses were a parenthesised type.
function closesParameters(code: string, arrow: number): boolean {
  return code.slice(0, arrow).trimEnd().endsWith(")") && code[skipSpace(code, arrow + 2)] !== "{";
}

function lastWord(head: string): string {
  return /([\w$]+)\s*$/.exec(head)?.[1] ?? "";
}

function nameOf(head: string): string {
  const before = head.replace(/<[^<>]*(?:<[^<>]*>[^<>]*)*>\s*$/, "").trimEnd();
  const assigned = /([\w$#]+)\s*(?::[^=;]*)?[=:]\s*(?:async)?$/.exec(before)?.[1];
  const word = /([\w$#]+)\*?$/.exec(before)?.[1];
  if (word !== undefined && word !== "async" && word !== "function") return word;
  return assigned ?? /([\w$#]+)\s*[=:]\s*(?:async\s+)?function\s*\*?$/.exec(before)?.[1] ?? "(anonymous)";
}
