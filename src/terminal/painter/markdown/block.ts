// What every kind of block has in common: rows that are final are handed out once, the others are shown as they are now.
// Blocks in lists and quotes have a prefix: one for their first row, and one as wide for the others.
//
//     | - [x] a task that is so long that  |
//     |       it takes two rows            |

import { wrapRow } from "../../../text/wrap.js";

export interface Block {
  /** Rows that can no longer change, each of them once. */
  take(widthCells: number): string[];
  /** Rows not handed out yet, as they look now. None is wider than `widthCells`. */
  live(widthCells: number): string[];
}

export interface Prefix {
  readonly first: string;
  readonly later: string;
  /** Markers that take too much of the width stand on rows of their own above the block. */
  readonly above: readonly string[];
}

/** At most half of the width goes to the prefix, so that deep lists stay readable on a narrow screen. */
export function fitPrefix(prefix: Prefix, widthCells: number): Prefix {
  const cellsMax = Math.floor(widthCells / 2);
  if (prefix.later.length <= cellsMax) return prefix;
  const indent = " ".repeat(cellsMax);
  const cut = prefix.first.slice(0, prefix.first.length - cellsMax);
  if (cut.trim() === "") return { first: prefix.first.slice(cut.length), later: indent, above: [] };
  return { first: indent, later: indent, above: wrapRow(prefix.first.trim(), widthCells, { at: "cells" }) };
}

/** Puts the prefix before rows that are the first of their block, or that follow others. */
export function prefixed(rows: string[], prefix: Prefix, which: "first" | "further"): string[] {
  if (prefix.later === "" && prefix.above.length === 0) return rows;
  const begins = which === "first" && rows.length > 0;
  const indented = rows.map((row, i) => ((begins && i === 0 ? prefix.first : prefix.later) + row).trimEnd());
  return begins ? [...prefix.above, ...indented] : indented;
}

/** A block that is complete from the start: a rule, a definition, the marker of an empty item. */
export class FixedBlock implements Block {
  private line: string | undefined;

  constructor(line: string) {
    this.line = line;
  }

  take(): string[] {
    const rows = this.line === undefined ? [] : [this.line];
    this.line = undefined;
    return rows;
  }

  live(widthCells: number): string[] {
    return this.line === undefined ? [] : wrapRow(this.line, widthCells, { at: "cells" });
  }
}
