// The heights of a long list of which only a part is in the document: measured where an item was drawn, estimated elsewhere. Sums are
// kept, so that a scroll finds its items by bisection.

export interface Window {
  readonly from: number;
  /** Excluded. */
  readonly to: number;
  readonly beforePx: number;
  readonly afterPx: number;
}

export class Heights {
  private readonly measured = new Map<string, number>();
  private ids: readonly string[] = [];
  private estimates: (index: number) => number = () => 0;
  /** The top of each item, and the end of the last. */
  private tops = new Float64Array(1);
  private validUntil = 0;

  setItems(ids: readonly string[], estimate: (index: number) => number): void {
    let same = 0;
    while (same < ids.length && ids[same] === this.ids[same]) same++;
    this.ids = ids;
    this.estimates = estimate;
    if (this.tops.length < ids.length + 1) {
      const grown = new Float64Array((ids.length + 1) * 2);
      grown.set(this.tops);
      this.tops = grown;
    }
    this.validUntil = Math.min(this.validUntil, same);
  }

  /** Whether it is news. */
  measure(id: string, heightPx: number): boolean {
    if (this.measured.get(id) === heightPx) return false;
    this.measured.set(id, heightPx);
    const index = this.ids.indexOf(id);
    if (index >= 0) this.validUntil = Math.min(this.validUntil, index);
    return true;
  }

  topOf(index: number): number {
    this.sumUp();
    return this.tops[Math.max(0, Math.min(index, this.ids.length))] ?? 0;
  }

  get totalPx(): number {
    return this.topOf(this.ids.length);
  }

  /** The item at this height. */
  indexAt(px: number): number {
    this.sumUp();
    let [low, high] = [0, this.ids.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.tops[middle + 1] ?? 0) <= px) low = middle + 1;
      else high = middle;
    }
    return Math.min(low, Math.max(0, this.ids.length - 1));
  }

  /** The items around what is in sight. */
  window(topPx: number, heightPx: number, sparePx: number): Window {
    if (this.ids.length === 0) return { from: 0, to: 0, beforePx: 0, afterPx: 0 };
    const from = this.indexAt(Math.max(0, topPx - sparePx));
    const to = Math.min(this.ids.length, this.indexAt(topPx + heightPx + sparePx) + 1);
    return { from, to, beforePx: this.topOf(from), afterPx: this.totalPx - this.topOf(to) };
  }

  private sumUp(): void {
    for (let index = this.validUntil; index < this.ids.length; index++) {
      const height = this.measured.get(this.ids[index] ?? "") ?? this.estimates(index);
      this.tops[index + 1] = (this.tops[index] ?? 0) + height;
    }
    this.validUntil = this.ids.length;
  }
}
