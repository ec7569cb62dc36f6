// The newest items of an endless sequence, each under its number, within a bound of count and of weight. A reader
// that comes back with an old number learns how much has been dropped since.
//
//   forgotten │ kept …………………… │ still to come
//             firstSeq          endSeq

export interface HistoryBounds {
  readonly itemsMax: number;
  readonly weightMax: number;
}

/** Forgotten places are given back in one go, not with every item. */
const SLACK_ITEMS = 1_024;

export class BoundedHistory<Item extends { readonly weight: number }> {
  private readonly bounds: HistoryBounds;
  private items: (Item | undefined)[] = [];
  /** How many at the beginning of `items` are forgotten: empty places. */
  private skipped = 0;
  private weight = 0;
  private end = 0;

  constructor(bounds: HistoryBounds) {
    this.bounds = bounds;
  }

  get firstSeq(): number {
    return this.end - (this.items.length - this.skipped);
  }

  get endSeq(): number {
    return this.end;
  }

  push(item: Item): void {
    this.items.push(item);
    this.weight += item.weight;
    this.end += 1;
    // The newest stays, however heavy it is.
    while (this.end - this.firstSeq > this.bounds.itemsMax || (this.weight > this.bounds.weightMax && !this.isSingle)) {
      this.weight -= this.items[this.skipped]?.weight ?? 0;
      // Its place stays for a while; the item itself, which may be large, does not.
      this.items[this.skipped] = undefined;
      this.skipped += 1;
    }
    if (this.skipped < SLACK_ITEMS) return;
    this.items = this.items.slice(this.skipped);
    this.skipped = 0;
  }

  /** Puts another item in the place of each that is kept. */
  rewrite(change: (item: Item) => Item): void {
    const kept = this.items.flatMap((item) => (item === undefined ? [] : [change(item)]));
    this.items = kept;
    this.skipped = 0;
    this.weight = kept.reduce((sum, { weight }) => sum + weight, 0);
  }

  /** Undefined for what is forgotten or still to come. */
  at(seq: number): Item | undefined {
    return seq < this.firstSeq ? undefined : this.items[this.skipped + seq - this.firstSeq];
  }

  private get isSingle(): boolean {
    return this.items.length - this.skipped === 1;
  }
}
