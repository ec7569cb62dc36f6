// Tells whether two diff texts say the same: the diff of a tool's result is not shown again when it is the preview that the
// person has already seen. Headers, dates, line ends and hunk positions do not count, the lines do.

import { parseUnifiedDiff } from "./unified-diff.js";

const SIGN = { context: " ", add: "+", remove: "-" } as const;

/** Equal for diffs with the same lines; undefined for a text that is no diff, which equals nothing. */
export function diffFingerprint(text: string): string | undefined {
  const lines = parseUnifiedDiff(text).flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines));
  if (!lines.some(({ kind }) => kind !== "context")) return undefined;
  const canonical = lines.map(({ kind, text: line }) => SIGN[kind] + line).join("\n");
  return `${lines.length}-${canonical.length}-${hash(canonical, 0x811c9dc5)}-${hash(canonical, 0x9e3779b9)}`;
}

// FNV-1a over UTF-16 units. Two of them from different starts are enough to tell diffs apart by accident; nothing
// depends on it against somebody who wants two diffs to look the same.
function hash(text: string, start: number): string {
  let value = start;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return (value >>> 0).toString(16);
}
