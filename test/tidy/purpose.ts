// Every source opens with a comment that says what it owns and why it exists, right after a shebang if there is one.
import type { Finding, SourceFile } from "./source-file.js";

const WORDS_MIN = 5;
// Comments that speak to tools, not to readers.
const DIRECTIVE = /^\s*(?:@ts-|biome-ignore|\/?\s*<reference|eslint|-\*-|type:|shellcheck)/;

export function checkPurpose({ path, text }: SourceFile): Finding[] {
  const shebang = text.startsWith("#!") ? 1 : 0;
  const opening = text.split("\n").slice(shebang).join("\n").trimStart();
  const comment = openingComment(path, opening);
  const words = comment.split(/\s+/).filter((word) => /\w/.test(word));
  if (words.length >= WORDS_MIN && !DIRECTIVE.test(comment)) return [];
  const message = "does not open with a comment of purpose: say in two to five lines what it owns and why it exists";
  return [{ path, line: 1 + shebang, message }];
}

function openingComment(path: string, opening: string): string {
  if (path.endsWith(".py")) return docstring(opening) ?? lineComments(opening, /^#/);
  if (path.endsWith(".sh")) return lineComments(opening, /^#/);
  const block = /^\/\*\*?([\s\S]*?)\*\//.exec(opening)?.[1];
  return block ?? lineComments(opening, /^\/\//);
}

function docstring(opening: string): string | undefined {
  return /^(?:"""|''')([\s\S]*?)(?:"""|''')/.exec(opening)?.[1];
}

function lineComments(opening: string, marker: RegExp): string {
  const lines = opening.split("\n");
  const end = lines.findIndex((line) => !marker.test(line));
  const comment = end < 0 ? lines : lines.slice(0, end);
  return comment.map((line) => line.replace(marker, "")).join("\n");
}
