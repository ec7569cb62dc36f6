// Finds what src/ exports and nobody imports. A room's exports.ts is its public list and the scripts name the files
// that the build starts from, so what those export is alive; everything else must be imported by name, or through a
// namespace that mentions it, in another file. A type that its own file uses names part of a signature: alive too.
import { type Import, importsOf, namesIn, resolveImport } from "./imports.js";
import { type Finding, lineAt, type SourceFile } from "./source-file.js";

interface Export {
  readonly name: string;
  readonly line: number;
}

const DECLARED =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|const|let|var|type|interface) ([\w$]+)/gm;
const LISTED = /^export (?:type )?\{([^}]*)\}/gm;
const DEFAULT = /^export default\b/gm;

export function exportsOf(file: SourceFile): Export[] {
  const at = (match: RegExpExecArray, name: string) => ({ name, line: lineAt(file.code, match.index) });
  return [
    ...[...file.code.matchAll(DECLARED)].map((match) => at(match, match[1] ?? "")),
    ...[...file.code.matchAll(LISTED)].flatMap((match) => outwardNames(match[1] ?? "").map((name) => at(match, name))),
    ...[...file.code.matchAll(DEFAULT)].map((match) => at(match, "default")),
  ];
}

// In `export { a as b }` the others know the thing as b.
function outwardNames(list: string): string[] {
  return list.split(",").flatMap((part) => namesIn(`{${part.replace(/^[\s\S]*\bas\s+/, "")}}`));
}

export function checkDeadExports(files: readonly SourceFile[]): Finding[] {
  const alive = importedNames(files);
  const entries = entryPaths(files);
  const inner = files.filter(({ path }) => /^src\/(?!.*\/exports\.ts$)/.test(path) && !entries.has(path));
  return inner.flatMap((file) =>
    exportsOf(file)
      .filter(({ name }) => !alive.has(`${file.path}#${name}`) && !reachedWhole(files, alive, file, name))
      .filter(({ name }) => !isUsedType(file, name))
      .map(({ name, line }) => ({
        path: file.path,
        line,
        message: `nobody imports ${name}: drop the word export, or the code`,
      })),
  );
}

function isUsedType({ code }: SourceFile, name: string): boolean {
  const declared = new RegExp(`\\bexport\\s+(?:type|interface)\\s+${name}\\b`).test(code);
  return declared && (code.match(new RegExp(`(?<![\\w$])${name}(?![\\w$])`, "g")) ?? []).length > 1;
}

function entryPaths(files: readonly SourceFile[]): ReadonlySet<string> {
  const scripts = files.filter(({ path }) => path.startsWith("scripts/"));
  const named = scripts.flatMap(({ text }) => [...text.matchAll(/["'`](src\/[\w./-]+\.ts)["'`]/g)]);
  return new Set(named.map((match) => match[1] ?? ""));
}

/** `path#name` for every name that some other file takes, and `path#*` with the taker when it may take all. */
function importedNames(files: readonly SourceFile[]): ReadonlySet<string> {
  const alive = new Set<string>();
  for (const file of files) {
    for (const imported of importsOf(file)) for (const mark of marksOf(file, imported)) alive.add(mark);
  }
  return alive;
}

function marksOf(file: SourceFile, { specifier, names, passedOn }: Import): string[] {
  const target = resolveImport(file.path, specifier);
  if (target === undefined || target === file.path) return [];
  return names.map((name) => {
    if (name !== "*") return `${target}#${name}`;
    return passedOn === "passed-on" && file.path.endsWith("/exports.ts")
      ? `${target}#public`
      : `${target}#*${file.path}`;
  });
}

// Who took a whole module uses those of its names that it mentions.
function reachedWhole(
  files: readonly SourceFile[],
  alive: ReadonlySet<string>,
  file: SourceFile,
  name: string,
): boolean {
  if (alive.has(`${file.path}#public`)) return true;
  const mention = new RegExp(`(?<![\\w$])${name.replaceAll("$", "\\$")}(?![\\w$])`);
  return files.some((other) => alive.has(`${file.path}#*${other.path}`) && mention.test(other.code));
}
