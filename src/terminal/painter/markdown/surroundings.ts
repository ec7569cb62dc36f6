// Where the next block stands: the lists and quotes that are open around it, and with them its prefix and the gap before it.

import type { Prefix } from "./block.js";
import { type Container, gapBetween, type List, newItem, takePrefix } from "./container.js";
import type { Opened } from "./line-reader.js";

export interface Place {
  readonly prefix: Prefix;
  readonly gap: "blank" | "none";
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

  isQuoted(): boolean {
    return this.containers.some(({ kind }) => kind === "quote");
  }

  /** Whether an item begins here whose marker nobody has seen. */
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

  /** Closes all but the outermost `keep`. An item that ends without a block calls back, so that its marker is not lost. */
  closeTo(keep: number, onEmptyItem: () => void): void {
    while (this.containers.length > keep) {
      const container = this.containers.at(-1);
      if (container?.kind === "item" && !container.isMarkerShown) onEmptyItem();
      this.containers.pop();
    }
  }

  /** The place of a block that begins now. Definitions stand together without gaps, as they do in the source. */
  take(kind: "definition" | "other"): Place {
    this.interruptList();
    const path = [...this.containers];
    const isNextDefinition = kind === "definition" && this.lastKind === "definition" && this.blanks === "adjacent";
    const hasGap = this.lastPath !== undefined && !isNextDefinition;
    const gap = hasGap ? gapBetween(this.lastPath ?? [], path, this.blanks) : "none";
    this.lastPath = path;
    this.lastKind = kind;
    this.blanks = "adjacent";
    return { prefix: takePrefix(path), gap };
  }

  // After a block that is no item, the next item begins a new list.
  private interruptList(): void {
    const parent = this.containers.at(-1);
    (parent ?? this.root).list = undefined;
    if (parent?.kind === "item") parent.isEmpty = false;
  }
}
