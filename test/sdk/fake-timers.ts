// Time that moves only when a test says so.
import type { Timers } from "../../src/system/timers.js";

export type FakeTimers = Timers & { advance(ms: number): void; readonly waiting: number };

export function createFakeTimers(): FakeTimers {
  let nowMs = 0;
  const due = new Map<symbol, { atMs: number; action: () => void }>();
  return {
    after(delayMs, action) {
      const key = Symbol("timer");
      due.set(key, { atMs: nowMs + delayMs, action });
      return () => void due.delete(key);
    },
    advance(ms) {
      nowMs += ms;
      for (const [key, { atMs, action }] of [...due].sort(([, a], [, b]) => a.atMs - b.atMs)) {
        if (atMs > nowMs || !due.has(key)) continue;
        due.delete(key);
        action();
      }
    },
    get waiting() {
      return due.size;
    },
  };
}
