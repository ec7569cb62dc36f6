// Lists and quotes around a block. They open and close around blocks as lines come in, give them their prefix, and decide
// whether a blank row stands between two of them.

import type { Prefix } from "./block.js";
import type { ItemMark } from "./block-starts.js";

export interface List {
  readonly kind: ItemMark["kind"];
  readonly sign: string;
  nextNumber: number;
}

export interface Quote {
  readonly kind: "quote";
  /** The list that a next item directly inside would continue. */
  list: List | undefined;
}

export interface Item {
  readonly kind: "item";
  readonly of: List;
  /** A line that goes on with this item is indented by at least this much. */
  readonly contentCells: number;
  /** `- ` or `12. `, until it has been shown in front of the first block. */
  readonly marker: string;
  isMarkerShown: boolean;
  /** Nothing inside yet; then a blank line ends it. */
  isEmpty: boolean;
  list: List | undefined;
}

export type Container = Quote | Item;

export function newItem(parent: { list: List | undefined }, mark: ItemMark, indentCells: number): Item {
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

/** The prefix of the next block inside these containers. Markers that it shows are not shown again. */
export function takePrefix(containers: readonly Container[]): Prefix {
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
 * Whether a blank row separates two blocks. In the text and in quotes it always does. Inside a list the author decides:
 * there is one where there was a blank line.
 */
export function gapBetween(
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
