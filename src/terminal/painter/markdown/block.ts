// Blocks hand out final rows once and show the others as they are now. Blocks in lists and quotes have a prefix for the
// first row, and one as wide for the others.
//
//     | - [x] a task that is so long that  |
//     |       it takes two rows            |
import { wrapRow } from "../../../text/wrap.js";

export interface Block {
  /** Final rows, each once. */
  take(widthCells: number): string[];
  /** The other rows as they look now, none wider than `widthCells`. */
  live(widthCells: number): string[];
}

export interface Prefix {
  readonly first: string;
  readonly later: string;
  /** Markers that are too wide stand on rows above the block. */
  readonly above: readonly string[];
}

/** At most half of the width goes to the prefix. */
export function fitPrefix(prefix: Prefix, widthCells: number): Prefix {
  const cellsMax = Math.floor(widthCells / 2);
  if (prefix.later.length <= cellsMax) return prefix;
  const indent = " ".repeat(cellsMax);
  const cut = prefix.first.slice(0, prefix.first.length - cellsMax);
  if (cut.trim() === "") return { first: prefix.first.slice(cut.length), later: indent, above: [] };
  return { first: indent, later: indent, above: wrapRow(prefix.first.trim(), widthCells, { at: "cells" }) };
}

export function prefixed(rows: string[], prefix: Prefix, which: "first" | "further"): string[] {
  if (prefix.later === "" && prefix.above.length === 0) return rows;
  const begins = which === "first" && rows.length > 0;
  const indented = rows.map((row, i) => ((begins && i === 0 ? prefix.first : prefix.later) + row).trimEnd());
  return begins ? [...prefix.above, ...indented] : indented;
}

export const NO_PREFIX: Prefix = { first: "", later: "", above: [] };
