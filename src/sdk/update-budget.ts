// How often something that grows may be sent whole. All updates together stay within a small multiple of its length plus a
// fixed rate, so that n characters cost O(n) bytes and not O(n²), and something slow still does not look stuck.
//
//   length      ────────────────────────────────────────────────►
//   updates     ││││││ │ │ │  │  │   │    │     │      │       │    further apart as it grows

/** What it may cost before there is much of it: short answers stream token by token. */
const BUDGET_CHARS_START = 4_096;
/** How often each character may be sent on average. */
const BUDGET_PER_CHAR = 8;
/** Time buys updates too. */
const BUDGET_CHARS_PER_SECOND = 16_384;

export class UpdateBudget {
  readonly #nowMs: () => number;
  readonly #startedAtMs: number;
  #lengthChars = 0;
  #spentChars = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#startedAtMs = nowMs();
  }

  grew(chars: number): void {
    this.#lengthChars += chars;
  }

  /** How long to wait until the whole may be sent; 0 for now. */
  waitMs(): number {
    const elapsedMs = Math.max(0, this.#nowMs() - this.#startedAtMs);
    const earned = BUDGET_PER_CHAR * this.#lengthChars + (BUDGET_CHARS_PER_SECOND * elapsedMs) / 1000;
    const missing = this.#spentChars + this.#lengthChars - (BUDGET_CHARS_START + earned);
    return missing <= 0 ? 0 : (missing / BUDGET_CHARS_PER_SECOND) * 1000;
  }

  /** It was sent whole. */
  spend(): void {
    this.#spentChars += this.#lengthChars;
  }
}
