// A schema error in words: which field, and what was expected.
import type * as z from "zod";

export type SchemaError = z.ZodError;

/** `where` is the path of the field, empty for the whole; `what` says what is wrong with it. */
export type SchemaProblem = { where: string; what: string };

/** With the value that was checked, `what` says what stands there instead of one of a few words. */
export function problemOf(error: SchemaError, checked?: unknown): SchemaProblem {
  const { path, what } = deepest(error.issues, []) ?? { path: [], what: "does not match the schema" };
  const isChoice = checked !== undefined && what.startsWith('must be "');
  return { where: pathName(path), what: isChoice ? besideFound(what, valueAt(checked, path)) : what };
}

function valueAt(whole: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key], whole);
}

const FOUND_CHARS_MAX = 60;

function besideFound(what: string, found: unknown): string {
  if (found === undefined) return `is missing; it ${what}`;
  if (Array.isArray(found)) return `${what}, not a list`;
  return `${what}, not ${typeof found === "object" && found !== null ? "an object" : JSON.stringify(found).slice(0, FOUND_CHARS_MAX)}`;
}

/** The path of every field that is wrong. */
export function badPaths({ issues }: SchemaError): (readonly PropertyKey[])[] {
  return issues.map(({ path }) => path);
}

type Issue = { path: readonly PropertyKey[]; what: string };

// A union reports one list of issues per branch. The branch that came furthest is the one the sender meant.
function deepest(issues: readonly z.core.$ZodIssue[], base: readonly PropertyKey[]): Issue | null {
  let best: Issue | null = null;
  for (const issue of issues) {
    const path = [...base, ...issue.path];
    const branches = issue.code === "invalid_union" ? issue.errors.map((branch) => deepest(branch, path)) : [];
    for (const candidate of [...branches, { path, what: wordsOf(issue) }]) {
      if (candidate !== null && (best === null || candidate.path.length > best.path.length)) best = candidate;
    }
  }
  return best;
}

/** Names of types that readers of other languages know as well. */
const typeWords: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  tuple: "a list",
  object: "an object",
  record: "an object",
  null: "null",
};

// What the field must be, so that the message is also the cure.
function wordsOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_value") return `must be ${oneOf(issue.values)}`;
  if (issue.code === "invalid_union" && "options" in issue) return `must be ${oneOf(issue.options ?? [])}`;
  if (issue.code !== "invalid_type") return issue.message.charAt(0).toLowerCase() + issue.message.slice(1);
  const expected = typeWords[issue.expected] ?? issue.expected;
  const received = /received (\w+)$/.exec(issue.message)?.[1] ?? "";
  if (received === "undefined") return `is missing; it must be ${expected}`;
  return `must be ${expected}, not ${typeWords[received] ?? received}`;
}

function oneOf(values: readonly unknown[]): string {
  const words = values.map((value) => JSON.stringify(value) ?? "missing");
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

function pathName(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (name, key) => (typeof key === "number" ? `${name}[${key}]` : name === "" ? String(key) : `${name}.${String(key)}`),
    "",
  );
}
