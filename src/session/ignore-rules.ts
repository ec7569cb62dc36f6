// What searches leave out: version control, installed packages, and the rules of .gitignore files. Deeper files win; an ignored
// folder is not entered.
import { compileGlob, type Glob } from "./permission/glob.js";

const ALWAYS_IGNORED = new Set([".git", ".hg", ".svn", "node_modules"]);
export const IGNORE_BYTES_MAX = 256 * 1024;
const LINE_CHARS_MAX = 1_000;
/** Every rule is tried on every path. */
const RULES_MAX = 1_000;

export type IgnoreRule = {
  readonly glob: Glob;
  /** The folder of the file it stands in, relative to the workspace; "" for the workspace itself. */
  readonly base: string;
  readonly verdict: "ignore" | "keep";
  readonly folders: "only" | "too";
};

export function parseIgnoreFile(text: string, base: string): IgnoreRule[] {
  const rules = text.split(/\r?\n/).flatMap((line) => {
    const rule = parseLine(line, base);
    return rule === undefined ? [] : [rule];
  });
  return rules.slice(-RULES_MAX);
}

function parseLine(line: string, base: string): IgnoreRule | undefined {
  const trimmed = line.trimEnd();
  // A backslash keeps the space behind it.
  const written = trimmed.endsWith("\\") && trimmed !== line ? `${trimmed} ` : trimmed;
  if (written === "" || written.length > LINE_CHARS_MAX || written.startsWith("#")) return undefined;
  const isKept = written.startsWith("!");
  const body = isKept ? written.slice(1) : written.replace(/^\\([#!])/, "$1");
  const bare = body.replace(/\/$/, "");
  if (bare === "") return undefined;
  // A slash at the beginning or in the middle ties the pattern to the folder of the file.
  const pattern = bare.includes("/") ? bare.replace(/^\//, "") : `**/${bare}`;
  return {
    glob: compileGlob(withPlainBraces(pattern)),
    base,
    verdict: isKept ? "keep" : "ignore",
    folders: body.endsWith("/") ? "only" : "too",
  };
}

/** Braces mean nothing to git. */
function withPlainBraces(pattern: string): string {
  return pattern.replace(/\\[\s\S]|[{}]/g, (part) => (part.length === 1 ? `\\${part}` : part));
}

export function isIgnored(rules: readonly IgnoreRule[], path: string, kind: "folder" | "file"): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (ALWAYS_IGNORED.has(name)) return true;
  const last = rules.findLast((rule) => speaksOf(rule, path, kind));
  return last?.verdict === "ignore";
}

function speaksOf({ glob, base, folders }: IgnoreRule, path: string, kind: "folder" | "file"): boolean {
  if (folders === "only" && kind !== "folder") return false;
  if (base !== "" && !path.startsWith(`${base}/`)) return false;
  return glob.matches(base === "" ? path : path.slice(base.length + 1));
}
