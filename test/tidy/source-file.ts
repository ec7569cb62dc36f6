// A file as the rules see it, and what a rule says about it. A rule is a pure function from files to findings, so that each can be
// fed a bad snippet in a test of its own. The formatter has been here before: statements begin where their line begins.
import { subRooms } from "./rooms.js";

export interface SourceFile {
  /** Path from the root of the project, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** The text with the lines that are comments left blank; same lines. */
  readonly code: string;
}

export interface Finding {
  readonly path: string;
  readonly line: number;
  /** What is wrong and what to do about it. */
  readonly message: string;
}

export function sourceFile(path: string, text: string): SourceFile {
  return { path, text, code: text.replace(/^[ \t]*(?:\/\/|\/\*|\*[ /]|\*$).*$/gm, "") };
}

/** The room of a file under src/, or undefined when it lies elsewhere or in no room. */
export function roomOf(path: string): string | undefined {
  const inSource = /^src\/(.+)\//.exec(path)?.[1];
  if (inSource === undefined) return undefined;
  return subRooms.find((room) => inSource === room || inSource.startsWith(`${room}/`)) ?? inSource.split("/")[0];
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** One finding for every match of the pattern in the text or the code of the file. */
export function findingsOf(
  file: SourceFile,
  view: "text" | "code",
  pattern: RegExp,
  message: (match: string) => string,
): Finding[] {
  const matches = [...file[view].matchAll(new RegExp(pattern.source, `${pattern.flags}g`))];
  return matches.map((match) => ({
    path: file.path,
    line: lineAt(file[view], match.index),
    message: message(match[0].trim()),
  }));
}

export function report(findings: readonly Finding[]): string {
  return findings.map(({ path, line, message }) => `${path}:${line}  ${message}`).join("\n");
}
