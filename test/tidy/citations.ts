// Finds which requirements the tests cite. A citation is a call of `verifies` with plain strings inside the body of a
// test; anything else could look proven without ever running.
import { matchBrackets } from "./brackets.js";
import { type Finding, findingsOf, lineAt, type SourceFile } from "./source-file.js";

export interface Citation {
  readonly path: string;
  readonly line: number;
  readonly ids: readonly string[];
}

export interface Citations {
  readonly citations: readonly Citation[];
  readonly findings: readonly Finding[];
}

export interface CitableRequirement {
  readonly id: string;
  readonly declined?: string;
}

const CALL = /(?<![\w$.])(?<!function\s+)verifies\s*\(/g;
const RENAMED = /(?<![\w$.])verifies\s+as\b/;
const STRINGS_ONLY = /^\s*(?:(["'])\s*\1\s*,?\s*)+$/;
const RUNNER = /(?<![\w$.])(?:test|it|\w+Test)\s*$/;

export function citationsIn(file: SourceFile, requirements: readonly CitableRequirement[]): Citations {
  const partners = matchBrackets(file.code);
  const citations: Citation[] = [];
  const findings = findingsOf(file, "code", RENAMED, () => "hides citations: import verifies under its own name");
  for (const match of file.code.matchAll(CALL)) {
    const open = match.index + match[0].length - 1;
    const close = partners.get(open) ?? file.code.length;
    const place = { path: file.path, line: lineAt(file.text, match.index) };
    if (!isInTest(file.code, match.index, partners)) {
      findings.push({ ...place, message: "cites outside of a test body: move it into the test that proves it" });
    }
    if (!STRINGS_ONLY.test(file.code.slice(open + 1, close))) {
      findings.push({ ...place, message: "cites something other than plain strings: write the ids out" });
    }
    const ids = [...file.text.slice(open + 1, close).matchAll(/["']([^"']*)["']/g)].map((quoted) => quoted[1] ?? "");
    citations.push({ ...place, ids });
    findings.push(...ids.flatMap((id) => objection(id, requirements)).map((message) => ({ ...place, message })));
  }
  return { citations, findings };
}

function objection(id: string, requirements: readonly CitableRequirement[]): string[] {
  const requirement = requirements.find((candidate) => candidate.id === id);
  if (requirement === undefined) return [`cites ${id}, which is no requirement: see test/requirements.ts`];
  return requirement.declined === undefined ? [] : [`cites ${id}, which was decided against: ${requirement.declined}`];
}

// A call lies in a test when one of the parentheses around it belongs to test(…), it(…), something called …Test(…) or
// what one of them returned, as in test.each(…)(…), and it stands in a function that was handed over there.
function isInTest(code: string, offset: number, partners: ReadonlyMap<number, number>): boolean {
  return [...partners].some(([open, close]) => {
    const around = open < offset && offset < close && code[open] === "(";
    return around && isRunner(code, open, partners) && /=>|\bfunction\b/.test(code.slice(open, offset));
  });
}

// Walks back over the callee, from its end to its first word: `test.skipIf(…).each<…>(…)` → `test`.
function isRunner(code: string, open: number, partners: ReadonlyMap<number, number>): boolean {
  let end = open;
  for (;;) {
    const shorter = calleeWithoutLastPart(code, code.slice(0, end).trimEnd().length, partners);
    if (shorter === null) return RUNNER.test(code.slice(Math.max(0, end - 80), end));
    end = shorter;
  }
}

function calleeWithoutLastPart(code: string, end: number, partners: ReadonlyMap<number, number>): number | null {
  const last = code[end - 1];
  if (last === ")") return partners.get(end - 1) ?? null;
  if (last === ">" && code[end - 2] !== "=") return startOfTypeArguments(code, end);
  const member = /\.\s*\w+$/.exec(code.slice(Math.max(0, end - 80), end));
  return member === null ? null : end - member[0].length;
}

function startOfTypeArguments(code: string, end: number): number | null {
  let depth = 0;
  for (let at = end - 1; at >= 0; at -= 1) {
    if (code[at] === ">" && code[at - 1] !== "=") depth += 1;
    if (code[at] === "<") depth -= 1;
    if (depth === 0) return at;
  }
  return null;
}

/** One readable line: how many requirements stand proven, out of how many that were not declined. */
export function summaryOf(requirements: readonly CitableRequirement[], citations: readonly Citation[]): string {
  const cited = new Set(citations.flatMap(({ ids }) => ids));
  const declined = requirements.filter((requirement) => requirement.declined !== undefined);
  const wanted = requirements.filter((requirement) => requirement.declined === undefined);
  const proven = wanted.filter(({ id }) => cited.has(id));
  return `requirements: ${proven.length} of ${wanted.length} proven, ${declined.length} declined`;
}
