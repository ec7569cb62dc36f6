// The lists and quotes around the next block: its prefix and the gap before it.
import { wrapRow } from "../wrap.js";
import type { ItemMark } from "./block-starts.js";
import type { Opened } from "./line-reader.js";

interface List {
  readonly kind: ItemMark["kind"];
  readonly sign: string;
  nextNumber: number;
}

interface Quote {
  readonly kind: "quote";
  /** The list that the next item inside would continue. */
  list: List | undefined;
}

export interface Item {
  readonly kind: "item";
  readonly of: List;
  /** A line inside this item is indented by at least this much. */
  readonly contentCells: number;
  /** `- ` or `12. `. */
  readonly marker: string;
  isMarkerShown: boolean;
  /** A blank line ends an empty item. */
  isEmpty: boolean;
  list: List | undefined;
}

export type Container = Quote | Item;

function newItem(parent: { list: List | undefined }, mark: ItemMark, indentCells: number): Item {
  const isSibling = parent.list?.kind === mark.kind && parent.list.sign === mark.sign;
  const of = isSibling && parent.list ? parent.list : { kind: mark.kind, sign: mark.sign, nextNumber: mark.number };
  parent.list = of;
  const number = of.nextNumber++;
  return {
    kind: "item",
    of,
    contentCells: indentCells + mark.contentCells,
    marker: mark.kind === "bullet" ? "- " : `${number}${mark.sign} `,
    isMarkerShown: false,
    isEmpty: true,
    list: undefined,
  };
}

/** The prefix of the next block; each marker is shown once. */
function takePrefix(containers: readonly Container[]): Prefix {
  let first = "";
  let later = "";
  for (const container of containers) {
    const marker = container.kind === "quote" ? "> " : container.marker;
    const isShown = container.kind === "item" && container.isMarkerShown;
    first += isShown ? " ".repeat(marker.length) : marker;
    later += " ".repeat(marker.length);
    if (container.kind === "item") container.isMarkerShown = true;
  }
  return { first, later, above: [] };
}

/**
 * Whether a blank row separates two blocks: always in text and quotes, inside a list only where the source has a blank
 * line.
 */
function gapBetween(
  before: readonly Container[],
  after: readonly Container[],
  source: "blank-line" | "adjacent",
): "blank" | "none" {
  let common = 0;
  while (common < before.length && before[common] === after[common]) common++;
  const left = before[common];
  const right = after[common];
  const isSameList = left?.kind === "item" && right?.kind === "item" && left.of === right.of;
  const isInItem = common > 0 && after[common - 1]?.kind === "item";
  return (isSameList || isInItem) && source === "adjacent" ? "none" : "blank";
}

export interface Place {
  readonly prefix: Prefix;
  readonly gap: "blank" | "none";
  /** The lists and quotes around it, the outermost first. */
  readonly path: readonly Container[];
  /** The box of a task. */
  readonly task?: "open" | "done";
}

export class Surroundings {
  readonly containers: Container[] = [];
  private readonly root: { list: List | undefined } = { list: undefined };
  private lastPath: readonly Container[] | undefined;
  private lastKind: "definition" | "other" = "other";
  private blanks: "blank-line" | "adjacent" = "adjacent";

  noteBlankLine(): void {
    this.blanks = "blank-line";
  }

  forgetBlankLine(): void {
    this.blanks = "adjacent";
  }

  /** Whether an item's marker was not shown yet. */
  hasHiddenMarker(): boolean {
    return this.containers.some((container) => container.kind === "item" && !container.isMarkerShown);
  }

  open(opened: Opened): void {
    const parent = this.containers.at(-1) ?? this.root;
    if (opened.kind === "item") {
      this.containers.push(newItem(parent, opened.mark, opened.indentCells));
    } else {
      parent.list = undefined;
      this.containers.push({ kind: "quote", list: undefined });
    }
    for (const outer of this.containers.slice(0, -1)) if (outer.kind === "item") outer.isEmpty = false;
  }

  /** Closes all but the outermost `keep`. An item without a block calls back, so that its marker is shown. */
  closeTo(keep: number, onEmptyItem: () => void): void {
    while (this.containers.length > keep) {
      const container = this.containers.at(-1);
      if (container?.kind === "item" && !container.isMarkerShown) onEmptyItem();
      this.containers.pop();
    }
  }

  /** The place of the next block. Adjacent definitions have no gap. */
  take(kind: "definition" | "other"): Place {
    this.interruptList();
    const path = [...this.containers];
    const isNextDefinition = kind === "definition" && this.lastKind === "definition" && this.blanks === "adjacent";
    const hasGap = this.lastPath !== undefined && !isNextDefinition;
    const gap = hasGap ? gapBetween(this.lastPath ?? [], path, this.blanks) : "none";
    this.lastPath = path;
    this.lastKind = kind;
    this.blanks = "adjacent";
    return { prefix: takePrefix(path), gap, path };
  }

  // After another block, the next item begins a new list.
  private interruptList(): void {
    const parent = this.containers.at(-1);
    (parent ?? this.root).list = undefined;
    if (parent?.kind === "item") parent.isEmpty = false;
  }
}

// Blocks in lists and quotes have a prefix for the first row, and one as wide for the others.
//
//     | - [x] a task that is so long that  |
//     |       it takes two rows            |
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
