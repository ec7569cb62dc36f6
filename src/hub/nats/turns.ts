// Does so much at once, and the rest in the order in which it came.

export class Turns {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(atOnceMax: number) {
    this.free = atOnceMax;
  }

  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The next one has this place.
      const next = this.waiting.shift();
      if (next === undefined) this.free += 1;
      else next();
    }
  }
}
