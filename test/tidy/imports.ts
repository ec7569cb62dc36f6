// Reads what a file imports and exports by name. It sees static and dynamic imports, type-only ones, re-exports and
// `import("…")` types; specifiers are read from the text, their places from the code view.
import { posix } from "node:path";
import { lineAt, type SourceFile } from "./source-file.js";

export interface Import {
  readonly specifier: string;
  readonly line: number;
  /** Imported names as the other file calls them; "*" when all of them may be meant. */
  readonly names: readonly string[];
  /** Whether the names are passed on rather than used. */
  readonly passedOn: "passed-on" | "used";
}

const FROM = /(?<![\w$.])(import|export)\b((?:\s+type\b)?[\s\w$,{}*]*?)\bfrom\s*(["'])/g;
const BARE = /(?<![\w$.])import\s*(["'])/g;
const CALL = /(?<![\w$.])import\s*\(\s*(["'`])/g;

export function importsOf(file: SourceFile): Import[] {
  return [
    ...[...file.code.matchAll(FROM)].map((match) => {
      const passedOn = match[1] === "export" ? ("passed-on" as const) : ("used" as const);
      return { ...placeOf(file, match), names: namesIn(match[2] ?? ""), passedOn };
    }),
    ...[...file.code.matchAll(BARE)].map((match) => ({
      ...placeOf(file, match),
      names: [],
      passedOn: "used" as const,
    })),
    ...[...file.code.matchAll(CALL)].map((match) => ({
      ...placeOf(file, match),
      names: namesAround(file.code, match.index, match.index + match[0].length),
      passedOn: "used" as const,
    })),
  ];
}

function placeOf(file: SourceFile, match: RegExpExecArray): Pick<Import, "specifier" | "line"> {
  const start = match.index + match[0].length;
  const quote = file.text[start - 1] ?? '"';
  return { specifier: file.text.slice(start, file.text.indexOf(quote, start)), line: lineAt(file.text, start) };
}

/** The names in an import or export clause: `{ a, type B, c as d }`, `* as all`, `anything`. */
export function namesIn(clause: string): string[] {
  const bound = clause.replace(/^\s*type\s+(?=[\w$*{])/, "").trim();
  const braces = /\{([^}]*)\}/.exec(bound)?.[1] ?? "";
  const outside = bound
    .replace(/\{[^}]*\}/, "")
    .replaceAll(",", " ")
    .trim();
  const listed = braces.split(",").map((part) => /^\s*(?:type\s+)?([\w$]+)/.exec(part)?.[1] ?? "");
  const others = outside.startsWith("*") ? ["*"] : outside === "" ? [] : ["default"];
  return [...listed, ...others].filter((name) => name !== "");
}

// `const { run } = await import("…")` and `(await import("…")).run` name what they take; any other form may take all.
function namesAround(code: string, start: number, end: number): string[] {
  const destructured = /\{([^{}]*)\}\s*=\s*(?:await\s+)?$/.exec(code.slice(Math.max(0, start - 400), start))?.[1];
  if (destructured !== undefined) return namesIn(`{${destructured.replaceAll(":", " as ")}}`);
  const member = /^\s*["'`]\s*\)\)?\.([\w$]+)/.exec(code.slice(end, end + 400))?.[1];
  return member === undefined || member === "then" ? ["*"] : [member];
}

/** The project file a relative specifier means, or undefined when it names a package. */
export function resolveImport(from: string, specifier: string): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  const path = posix.join(posix.dirname(from), specifier);
  return path.replace(/\.js$/, ".ts");
}

/** The package of a bare specifier: `highlight.js/lib/core` is of `highlight.js`, `@a/b/c` of `@a/b`. */
export function packageOf(specifier: string): string {
  const [first = "", second = ""] = specifier.split("/");
  return specifier.startsWith("@") ? `${first}/${second}` : first;
}
