// A diff in words: signs at the start of a line are easily missed by ear. Notes about a file come first.
//
//   File src/parser.ts, 1 line added, 1 line removed.       where there are several files, or more to say about one
//   line 41:   const out = [];
//   removed line 42:   return out.join(",");
//   added line 42:   return out.join(", ");

import { diffStat } from "../../../text/diff/diff-stat.js";
import { type DiffFile, type DiffLine, parseUnifiedDiff } from "../../../text/diff/unified-diff.js";
import { humanLines } from "../../../text/humanize.js";
import { safeLine, safeLines, safeReveal } from "../../../text/safe.js";

const WORDS = { context: "line", add: "added line", remove: "removed line" } as const;

/** "plus 1, minus 1" */
export function spokenStat(diff: string): string {
  return diffStat(diff).replace(/\+(\S+) \u2212(\S+)/, "plus $1, minus $2");
}

/** "revealed" spells out invisible characters, for approvals. */
export function spokenDiff(diff: string, hidden: "left out" | "revealed" = "left out"): string[] {
  const files = parseUnifiedDiff(diff);
  const safe = hidden === "revealed" ? revealed : safeLine;
  if (files.length === 0) return hidden === "revealed" ? diff.split(/\r?\n/).map(revealed) : safeLines(diff);
  return files.flatMap((file) => [
    ...file.before.map(safe),
    ...(files.length > 1 || file.notes.length > 0 ? [fileWords(file, safe)] : []),
    ...file.hunks.flatMap(({ lines }) => lines.map((line) => lineWords(line, safe))),
  ]);
}

type MadeSafe = (text: string) => string;

// Tabs are not spelt out.
function revealed(text: string): string {
  return text.split("\t").map(safeReveal).join("  ");
}

function fileWords({ path, notes, hunks }: DiffFile, safe: MadeSafe): string {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const counts = (["add", "remove"] as const).map((kind) => {
    const count = lines.filter((line) => line.kind === kind).length;
    const word = kind === "add" ? "added" : "removed";
    return count === 0 ? "" : `${humanLines(count)} ${word}`;
  });
  return `${[`File ${safe(path) || "without a name"}`, ...notes.map(safe), ...counts].filter(Boolean).join(", ")}.`;
}

function lineWords({ kind, number, text, isWithoutNewline }: DiffLine, safe: MadeSafe): string {
  const place = number === undefined ? WORDS[kind] : `${WORDS[kind]} ${number}`;
  const said = safe(text);
  const end = isWithoutNewline === true ? ", no newline at the end" : "";
  return said.trim() === "" ? `${place}, empty${end}` : `${place}${end}: ${said}`;
}
