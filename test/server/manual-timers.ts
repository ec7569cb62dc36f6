// Timers that a test moves by hand: nothing fires before `advance` says that its time has come, and a test can see what waits.
import type { Timers } from "../../src/system/timers.js";

export interface ManualTimers extends Timers {
  advance(byMs: number): void;
  /** How long until each of those that wait, soonest first. */
  waitingMs(): number[];
}

export function createManualTimers(): ManualTimers {
  let nowMs = 0;
  let waiting: { atMs: number; action: () => void }[] = [];
  return {
    after(delayMs, action) {
      const entry = { atMs: nowMs + delayMs, action };
      waiting.push(entry);
      return () => {
        waiting = waiting.filter((other) => other !== entry);
      };
    },
    advance(byMs) {
      nowMs += byMs;
      const due = waiting.filter(({ atMs }) => atMs <= nowMs).sort((a, b) => a.atMs - b.atMs);
      waiting = waiting.filter(({ atMs }) => atMs > nowMs);
      for (const { action } of due) action();
    },
    waitingMs: () => waiting.map(({ atMs }) => atMs - nowMs).sort((a, b) => a - b),
  };
}
