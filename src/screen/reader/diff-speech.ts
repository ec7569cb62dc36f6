// A diff in words: each line says what became of it, for a plus and a minus at its start are easily missed by ear.
//
//   line 41:   const out = [];
//   removed line 42:   return out.join(",");
//   added line 42:   return out.join(", ");
import { safeLine, safeLines } from "../../text/safe.js";
import { diffStat } from "../diff/diff-rows.js";
import { type DiffLine, parseUnifiedDiff } from "../diff/unified-diff.js";

const WORDS = { context: "line", add: "added line", remove: "removed line" } as const;

/** "plus 1, minus 1" */
export function spokenStat(diff: string): string {
  return diffStat(diff).replace(/\+(\S+) \u2212(\S+)/, "plus $1, minus $2");
}

export function spokenDiff(diff: string): string[] {
  const files = parseUnifiedDiff(diff);
  if (files.length === 0) return safeLines(diff);
  return files.flatMap(({ path, hunks }) => [
    ...(files.length > 1 ? [`File ${safeLine(path) || "without a name"}.`] : []),
    ...hunks.flatMap(({ lines }) => lines.map(spokenLine)),
  ]);
}

function spokenLine({ kind, number, text }: DiffLine): string {
  const place = number === undefined ? WORDS[kind] : `${WORDS[kind]} ${number}`;
  return `${place}: ${safeLine(text)}`;
}
