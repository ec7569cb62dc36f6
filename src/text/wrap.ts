// Wraps a row at words or cells. Every resulting row opens and closes its own styles and links, so it can stand alone.
import { cutRow, type Piece, plainText } from "./row.js";
import { isNarrow } from "./simple-cells.js";
import { clusterWidth, graphemes } from "./width.js";

type WrapOptions = { at: "words" | "cells"; hangingIndentCells?: number };

/**
 * At "words", spaces at a break disappear, ideographs may be separated, and only a word longer than a row is broken. At
 * "cells" nothing disappears. No row is wider than `widthCells`.
 *
 *     wrapRow("- the quick brown fox", 12, { at: "words", hangingIndentCells: 2 })
 *
 *     | - the quick  |
 *     |   brown fox  |
 */
export function wrapRow(row: string, widthCells: number, options: WrapOptions): string[] {
  const firstCells = Math.max(1, Math.floor(widthCells));
  // Leaves room for a wide character.
  const indentCells = Math.max(0, Math.min(options.hangingIndentCells ?? 0, firstCells - 2));
  const plain = plainText(row);
  const pieces = breakLine(plain, { firstCells, laterCells: firstCells - indentCells, at: options.at });
  const rows =
    plain === row
      ? pieces.map((piece) => piece.insteadText ?? plain.slice(piece.startOffset, piece.endOffset))
      : cutRow(row, pieces);
  if (indentCells === 0) return rows;
  const indent = " ".repeat(indentCells);
  return rows.map((text, index) => (index === 0 ? text : indent + text));
}

type Limits = { firstCells: number; laterCells: number; at: "words" | "cells" };

/** Replaces a wide cluster where a row has only one cell. */
const TOO_WIDE = "…";
const SPACE = 0x20;

const NEVER_FIRST =
  /^[\])}>,.!?:;'"%’”…‥、。，．！？：；）］｝」』】〕〉》〗〙〛ー々ゝゞヽヾぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ・]/u;
const NEVER_LAST = /^[[({<$‘“（［｛「『【〔〈《〖〘〚]/u;

function breakLine(plain: string, limits: Limits): Piece[] {
  return isNarrow(plain) ? breakNarrow(plain, limits) : new CarefulBreaker(plain, limits).pieces();
}

// Where every character is one cell, a column is an offset.
function breakNarrow(plain: string, limits: Limits): Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  let cells = limits.firstCells;
  while (plain.length - start > cells) {
    const gap = limits.at === "words" ? wordGap(plain, start, start + cells) : undefined;
    pieces.push({ startOffset: start, endOffset: gap?.end ?? start + cells });
    start = gap?.next ?? start + cells;
    cells = limits.laterCells;
  }
  if (start < plain.length || pieces.length === 0) pieces.push({ startOffset: start, endOffset: plain.length });
  return pieces;
}

// The last run of spaces that begins at or before `limit`: the row ends where it begins, the next row starts where it
// ends. Spaces at the very start of the row are indentation, not a gap.
//
//     start         limit
//     | the quick   |brown         end ┐  ┌ next
//     | the quick   |brown    →   quick····brown
function wordGap(plain: string, start: number, limit: number): { end: number; next: number } | undefined {
  let end = limit;
  while (end > start && plain.charCodeAt(end) !== SPACE) end--;
  let next = end;
  while (end > start && plain.charCodeAt(end - 1) === SPACE) end--;
  if (end === start) return undefined;
  while (next < plain.length && plain.charCodeAt(next) === SPACE) next++;
  return { end, next };
}

type Gap = { end: number; next: number; nextIndex: number };

class CarefulBreaker {
  private readonly clusters: readonly string[];
  private readonly limits: Limits;
  private readonly length: number;
  private readonly found: Piece[] = [];
  private start = 0;
  private cells = 0;
  private gap: Gap | undefined;

  constructor(plain: string, limits: Limits) {
    this.clusters = graphemes(plain);
    this.length = plain.length;
    this.limits = limits;
  }

  pieces(): Piece[] {
    let offset = 0;
    for (let index = 0; index < this.clusters.length; ) {
      const cluster = this.clusters[index] ?? "";
      if (this.limits.at === "words") this.noteGap(index, offset);
      const width = clusterWidth(cluster);
      if (this.cells + width <= this.limit() || this.hangs(cluster)) {
        this.cells += width;
      } else if (this.gap !== undefined) {
        ({ next: offset, nextIndex: index } = this.breakAt(this.gap));
        continue;
      } else if (this.cells > 0) {
        this.push(this.start, offset, offset);
        continue;
      } else {
        this.pushTooWide(offset, offset + cluster.length);
      }
      offset += cluster.length;
      index++;
    }
    return this.finish();
  }

  private limit(): number {
    return this.found.length === 0 ? this.limits.firstCells : this.limits.laterCells;
  }

  private hangs(cluster: string): boolean {
    return cluster === " " && this.limits.at === "words" && this.gap !== undefined;
  }

  private noteGap(index: number, offset: number): void {
    if (offset === this.start) return;
    const cluster = this.clusters[index] ?? "";
    const before = this.clusters[index - 1] ?? "";
    if (cluster === " ") {
      if (before !== " ") this.gap = { end: offset, next: offset + 1, nextIndex: index + 1 };
      else if (this.gap?.next === offset) this.gap = { ...this.gap, next: offset + 1, nextIndex: index + 1 };
    } else if (before !== " " && mayBreakBetween(before, cluster)) {
      this.gap = { end: offset, next: offset, nextIndex: index };
    }
  }

  private breakAt(gap: Gap): Gap {
    this.push(this.start, gap.end, gap.next);
    return gap;
  }

  private push(startOffset: number, endOffset: number, nextStart: number): void {
    this.found.push({ startOffset, endOffset });
    this.start = nextStart;
    this.cells = 0;
    this.gap = undefined;
  }

  private pushTooWide(startOffset: number, endOffset: number): void {
    this.found.push({ startOffset, endOffset, insteadText: TOO_WIDE });
    this.start = endOffset;
    this.cells = 0;
  }

  private finish(): Piece[] {
    if (this.start >= this.length && this.found.length > 0) return this.found;
    const isHanging = this.cells > this.limit() && this.gap !== undefined;
    this.push(this.start, isHanging ? (this.gap?.end ?? this.length) : this.length, this.length);
    return this.found;
  }
}

// Ideographs, kana, Hangul and emoji may be separated without a space, unless a closing mark would begin a row or an
// opening one end it.
function mayBreakBetween(before: string, after: string): boolean {
  if (clusterWidth(before) < 2 && clusterWidth(after) < 2) return false;
  if (clusterWidth(after) === 0) return false;
  return !NEVER_FIRST.test(after) && !NEVER_LAST.test(before);
}
