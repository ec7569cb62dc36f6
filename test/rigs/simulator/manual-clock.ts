// Time that only moves when it is told to. Timers run in the order in which they are due, and one that sets another runs
// that one too if its time has come meanwhile.

import type { ScreenClock } from "../../../src/terminal/painter/inline-screen.js";

interface Timer {
  readonly dueMs: number;
  readonly run: () => void;
}

export class ManualClock implements ScreenClock {
  private timeMs = 0;
  private timers: Timer[] = [];

  nowMs(): number {
    return this.timeMs;
  }

  after(delayMs: number, run: () => void): () => void {
    const timer: Timer = { dueMs: this.timeMs + Math.max(0, delayMs), run };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((other) => other !== timer);
    };
  }

  advance(byMs: number): void {
    const untilMs = this.timeMs + byMs;
    for (let next = this.firstDue(untilMs); next !== undefined; next = this.firstDue(untilMs)) {
      const timer = next;
      this.timers = this.timers.filter((other) => other !== timer);
      this.timeMs = Math.max(this.timeMs, timer.dueMs);
      timer.run();
    }
    this.timeMs = untilMs;
  }

  /** The machine slept: every timer that is due by now runs once, at the new time, as it would after a suspend. */
  jump(byMs: number): void {
    this.timeMs += byMs;
    const due = this.timers.filter(({ dueMs }) => dueMs <= this.timeMs).sort((a, b) => a.dueMs - b.dueMs);
    for (const timer of due) {
      if (!this.timers.includes(timer)) continue;
      this.timers = this.timers.filter((other) => other !== timer);
      timer.run();
    }
  }

  private firstDue(untilMs: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.timers) {
      if (timer.dueMs <= untilMs && (first === undefined || timer.dueMs < first.dueMs)) first = timer;
    }
    return first;
  }
}
