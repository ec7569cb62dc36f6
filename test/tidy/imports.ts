// Reads what a file imports and exports by name: static and dynamic imports, type-only ones, re-exports and `import("…")` types.
import { posix } from "node:path";
import { lineAt, type SourceFile } from "./source-file.js";

export interface Import {
  readonly specifier: string;
  readonly line: number;
  /** Types are gone at run time; a lazy import runs after both modules were evaluated. */
  readonly kind: "value" | "type" | "lazy";
  /** Imported names as the other file calls them; "*" when all of them may be meant. */
  readonly names: readonly string[];
  /** Whether the names are passed on rather than used. */
  readonly passedOn: "passed-on" | "used";
}

const STATEMENT = /^(import|export) (type )?(?:([^"';]*?)\s?from )?"([^"]+)";$/gm;
const CALL = /(?<![\w$.])import\("([^"]+)"\)/g;

export function importsOf({ code }: SourceFile): Import[] {
  const statements = [...code.matchAll(STATEMENT)].map((match): Import => {
    const [, word, type, clause = "", specifier = ""] = match;
    return {
      ...{ specifier, line: lineAt(code, match.index), names: namesIn(clause) },
      kind: type === undefined ? "value" : "type",
      passedOn: word === "export" ? "passed-on" : "used",
    };
  });
  const calls = [...code.matchAll(CALL)].map((match): Import => {
    const names = namesAround(code.slice(0, match.index), code.slice(match.index + match[0].length));
    return { specifier: match[1] ?? "", line: lineAt(code, match.index), kind: "lazy", names, passedOn: "used" };
  });
  return [...statements, ...calls];
}

/** The names in an import or export clause: `{ a, type B, c as d }`, `* as all`, `anything`. */
export function namesIn(clause: string): string[] {
  const outside = clause.replace(/\{[^}]*\}/, "").replaceAll(",", " ");
  const braces = /\{([^}]*)\}/.exec(clause)?.[1] ?? "";
  const listed = braces.split(",").flatMap((part) => /^\s*(?:type\s+)?([\w$]+)/.exec(part)?.[1] ?? []);
  if (outside.trim() === "") return listed;
  return [...listed, outside.trim().startsWith("*") ? "*" : "default"];
}

// `const { run } = await import("…")` and `(await import("…")).run` name what they take; any other form may take all.
function namesAround(before: string, after: string): string[] {
  const destructured = /\{([^{}]*)\}\s*=\s*(?:await\s+)?$/.exec(before.slice(-400))?.[1];
  if (destructured !== undefined) return namesIn(`{${destructured.replaceAll(":", " as ")}}`);
  const member = /^\)?\.([\w$]+)/.exec(after)?.[1];
  return member === undefined || member === "then" ? ["*"] : [member];
}

/** The project file a relative specifier means, or undefined when it names a package. */
export function resolveImport(from: string, specifier: string): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  return posix.join(posix.dirname(from), specifier).replace(/\.js(x?)$/, ".ts$1");
}

/** The package of a bare specifier: `highlight.js/lib/core` is of `highlight.js`, `@a/b/c` of `@a/b`. */
export function packageOf(specifier: string): string {
  const [first = "", second = ""] = specifier.split("/");
  return specifier.startsWith("@") ? `${first}/${second}` : first;
}
