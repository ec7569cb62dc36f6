// A schema error in words: which field, and what was expected.
import type * as z from "zod";

export type SchemaError = z.ZodError;

/** `where` is the path of the field, empty for the whole; `what` says what is wrong with it. */
export type SchemaProblem = { where: string; what: string };

export function problemOf(error: SchemaError): SchemaProblem {
  const { path, message } = deepest(error.issues, []) ?? { path: [], message: "does not fit the schema" };
  return { where: pathName(path), what: message.charAt(0).toLowerCase() + message.slice(1) };
}

/** The path of every field that is wrong. */
export function badPaths({ issues }: SchemaError): (readonly PropertyKey[])[] {
  return issues.map(({ path }) => path);
}

type Issue = { path: readonly PropertyKey[]; message: string };

// A union reports one list of issues per branch. The branch that came furthest is the one the sender meant.
function deepest(issues: readonly z.core.$ZodIssue[], base: readonly PropertyKey[]): Issue | null {
  let best: Issue | null = null;
  for (const issue of issues) {
    const path = [...base, ...issue.path];
    const branches = issue.code === "invalid_union" ? issue.errors.map((branch) => deepest(branch, path)) : [];
    for (const candidate of [...branches, { path, message: issue.message }]) {
      if (candidate !== null && (best === null || candidate.path.length > best.path.length)) best = candidate;
    }
  }
  return best;
}

function pathName(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (name, key) => (typeof key === "number" ? `${name}[${key}]` : name === "" ? String(key) : `${name}.${String(key)}`),
    "",
  );
}
