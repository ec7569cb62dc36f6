// A file as the rules see it, and what a rule says about it. A rule is a pure function from files to findings, so that
// each can be fed a bad snippet in a test of its own.
import { viewsOf } from "./mask.js";
import { subRooms } from "./rooms.js";

export interface SourceFile {
  /** Path from the root of the project, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** The text with comments and the insides of literals blanked out; same length, same lines. */
  readonly code: string;
  /** The comments alone; same length, same lines. */
  readonly comments: string;
}

export interface Finding {
  readonly path: string;
  readonly line: number;
  /** What is wrong and what to do about it. */
  readonly message: string;
}

export function sourceFile(path: string, text: string): SourceFile {
  const { code, comments } = /\.(ts|mjs|js)$/.test(path) ? viewsOf(text) : { code: text, comments: text };
  return { path, text, code, comments };
}

/** The top folder a file lies in: `src`, `test`, … */
export function topFolder({ path }: Pick<SourceFile, "path">): string {
  return path.split("/")[0] ?? "";
}

/** The room of a file under src/, or undefined when it lies elsewhere or in no room. */
export function roomOf(path: string): string | undefined {
  const inSource = /^src\/(.+)\//.exec(path)?.[1];
  if (inSource === undefined) return undefined;
  return subRooms.find((room) => inSource === room || inSource.startsWith(`${room}/`)) ?? inSource.split("/")[0];
}

export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

export function countLines(text: string): number {
  return lineAt(text, text.length) - (text.endsWith("\n") ? 1 : 0);
}

/** One finding for every match of the pattern in one view of the file. */
export function findingsOf(
  file: SourceFile,
  view: "text" | "code" | "comments",
  pattern: RegExp,
  message: (match: string) => string,
): Finding[] {
  const matches = [...file[view].matchAll(new RegExp(pattern.source, `${pattern.flags.replace("g", "")}g`))];
  return matches.map((match) => ({
    path: file.path,
    line: lineAt(file.text, match.index),
    message: message(match[0].trim()),
  }));
}

export function report(findings: readonly Finding[]): string {
  return findings.map(({ path, line, message }) => `${path}:${line}  ${message}`).join("\n");
}
