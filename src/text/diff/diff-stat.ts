// How many lines a diff adds and removes.
import { parseUnifiedDiff } from "./unified-diff.js";

export interface DiffStat {
  readonly added: number;
  readonly removed: number;
}

export function diffStatOf(text: string): DiffStat {
  const lines = parseUnifiedDiff(text).flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines));
  const count = (kind: "add" | "remove") => lines.filter((line) => line.kind === kind).length;
  return { added: count("add"), removed: count("remove") };
}
