// One-time codes by which a browser becomes a paired device: random, valid once and for two minutes. The owner can wait for a code to be
// used. Wrong codes are counted by address, and an address with too many of them has to wait.
import { randomBytes } from "node:crypto";
import { type Device, PAIR_CODE_MS, type PairOutcome } from "../../contract/page.js";
import { realTimers, type Timers } from "../../system/timers.js";

interface OpenCode {
  readonly id: string;
  readonly outcome: Promise<PairOutcome>;
  settle(outcome: PairOutcome): void;
}

const CODES_MAX = 20;

export class PairCodes {
  private readonly timers: Timers;
  /** The oldest first. */
  private readonly open = new Map<string, OpenCode>();
  /** Codes that are over, for those who still ask. */
  private readonly ended = new Map<string, Promise<PairOutcome>>();

  constructor(timers: Timers = realTimers) {
    this.timers = timers;
  }

  make(): { id: string; code: string; outcome: Promise<PairOutcome> } {
    const [oldest] = this.open.keys();
    if (this.open.size >= CODES_MAX && oldest !== undefined) this.end(oldest, { state: "expired" });
    const id = randomBytes(4).toString("hex");
    const code = randomBytes(16).toString("base64url");
    let settle: (outcome: PairOutcome) => void = () => undefined;
    const outcome = new Promise<PairOutcome>((resolve) => {
      settle = resolve;
    });
    const cancel = this.timers.after(PAIR_CODE_MS, () => this.end(code, { state: "expired" }));
    void outcome.then(cancel);
    this.open.set(code, { id, outcome, settle });
    return { id, code, outcome };
  }

  /** Uses up the code. `pair` makes the device; null when the code is wrong, used or expired. */
  async redeem<Paired extends { device: Device }>(code: string, pair: () => Promise<Paired>): Promise<Paired | null> {
    const found = this.open.get(code);
    if (found === undefined) return null;
    this.open.delete(code);
    this.remember(found);
    try {
      const paired = await pair();
      found.settle({ state: "paired", device: paired.device });
      return paired;
    } catch (error) {
      found.settle({ state: "expired" });
      throw error;
    }
  }

  /** Settles when the code was used, or cannot be any more; null for a code that is not known. */
  outcomeOf(id: string): Promise<PairOutcome> | null {
    const open = [...this.open.values()].find((code) => code.id === id);
    return open?.outcome ?? this.ended.get(id) ?? null;
  }

  /** No timer is left behind. */
  close(): void {
    for (const code of [...this.open.keys()]) this.end(code, { state: "expired" });
  }

  private end(code: string, outcome: PairOutcome): void {
    const found = this.open.get(code);
    if (found === undefined) return;
    this.open.delete(code);
    this.remember(found);
    found.settle(outcome);
  }

  private remember({ id, outcome }: OpenCode): void {
    this.ended.set(id, outcome);
    const [oldest] = this.ended.keys();
    if (this.ended.size > CODES_MAX && oldest !== undefined) this.ended.delete(oldest);
  }
}

const FAILURES_MAX = 10;
const WINDOW_MS = 60_000;
const ADDRESSES_MAX = 1_000;

/** Counts wrong codes by address. */
export class FailureLimit {
  private readonly nowMs: () => number;
  private readonly failures = new Map<string, { count: number; sinceMs: number }>();

  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
  }

  /** How many seconds this address has to wait; 0 when it may try. */
  waitSeconds(address: string): number {
    const { count, sinceMs } = this.failures.get(address) ?? { count: 0, sinceMs: 0 };
    const leftMs = sinceMs + WINDOW_MS - this.nowMs();
    return count < FAILURES_MAX || leftMs <= 0 ? 0 : Math.ceil(leftMs / 1_000);
  }

  failed(address: string): void {
    const nowMs = this.nowMs();
    const before = this.failures.get(address);
    const isNew = before === undefined || nowMs - before.sinceMs >= WINDOW_MS;
    this.failures.delete(address);
    this.failures.set(address, isNew ? { count: 1, sinceMs: nowMs } : { ...before, count: before.count + 1 });
    const [oldest] = this.failures.keys();
    if (this.failures.size > ADDRESSES_MAX && oldest !== undefined) this.failures.delete(oldest);
  }
}
