// The heights of a long, virtualised list: measured for items that were drawn, estimated for others. Sums are kept, so that a
// scroll position finds its items by bisection, and a measured height shifts the following items without visiting them.

export interface Window {
  readonly from: number;
  /** Excluded. */
  readonly to: number;
  readonly beforePx: number;
  readonly afterPx: number;
}

/** So many heights of items that are gone are kept. */
const FORGOTTEN_MAX = 1_000;

interface Item {
  readonly id: string;
}

export class Heights<Of extends Item> {
  private readonly measured = new Map<string, number>();
  private readonly estimate: (item: Of) => number;
  private items: readonly Of[] = [];
  /** The top of each item, and the end of the last. */
  private tops = new Float64Array(1);

  constructor(estimate: (item: Of) => number) {
    this.estimate = estimate;
  }

  setItems(items: readonly Of[]): void {
    if (items === this.items) return;
    if (this.measured.size > 2 * items.length + FORGOTTEN_MAX) this.forgetOthers(items);
    let at = 0;
    while (at < items.length && items[at] === this.items[at]) at++;
    this.items = items;
    if (this.tops.length < items.length + 1) {
      const grown = new Float64Array((items.length + 1) * 2);
      grown.set(this.tops);
      this.tops = grown;
    }
    for (; at < items.length; at++) this.tops[at + 1] = (this.tops[at] ?? 0) + this.heightOf(items[at]);
  }

  /** Whether the height of the item at this index is news. */
  measure(index: number, heightPx: number): boolean {
    const item = this.items[index];
    if (item === undefined) return false;
    this.measured.set(item.id, heightPx);
    const growthPx = heightPx - (this.topOf(index + 1) - this.topOf(index));
    if (growthPx === 0) return false;
    for (let at = index + 1; at <= this.items.length; at++) this.tops[at] = (this.tops[at] ?? 0) + growthPx;
    return true;
  }

  topOf(index: number): number {
    return this.tops[Math.max(0, Math.min(index, this.items.length))] ?? 0;
  }

  get totalPx(): number {
    return this.topOf(this.items.length);
  }

  /** The item at this height. */
  indexAt(px: number): number {
    let [low, high] = [0, this.items.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.topOf(middle + 1) <= px) low = middle + 1;
      else high = middle;
    }
    return Math.min(low, Math.max(0, this.items.length - 1));
  }

  /** The items around what is in sight. */
  window(topPx: number, heightPx: number, sparePx: number): Window {
    if (this.items.length === 0) return { from: 0, to: 0, beforePx: 0, afterPx: 0 };
    const from = this.indexAt(Math.max(0, topPx - sparePx));
    const to = Math.min(this.items.length, this.indexAt(topPx + heightPx + sparePx) + 1);
    return { from, to, beforePx: this.topOf(from), afterPx: this.totalPx - this.topOf(to) };
  }

  private forgetOthers(items: readonly Of[]): void {
    const ids = new Set(items.map(({ id }) => id));
    for (const id of this.measured.keys()) if (!ids.has(id)) this.measured.delete(id);
  }

  private heightOf(item: Of | undefined): number {
    return item === undefined ? 0 : (this.measured.get(item.id) ?? this.estimate(item));
  }
}
