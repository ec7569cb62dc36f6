// How many lines a diff adds and removes.
import { humanCount } from "../humanize.js";
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

/** `+12 −3`, as it stands behind the name of a file. */
export function diffStat(text: string): string {
  const { added, removed } = diffStatOf(text);
  return `+${humanCount(added)} −${humanCount(removed)}`;
}
