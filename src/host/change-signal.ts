// Wakes the readers of a session's changes, together and after a short delay, so that a flood becomes a few large writes. The
// last signal is sent when the session has ended.
import type { Timers } from "../system/timers.js";

const WAKE_DELAY_MS = 4;

export class ChangeSignal {
  private readonly timers: Timers;
  private readonly waiting = new Set<() => void>();
  private isComing = false;
  private state: "open" | "closed" = "open";

  constructor(timers: Timers) {
    this.timers = timers;
  }

  get isClosed(): boolean {
    return this.state === "closed";
  }

  ring(): void {
    if (this.isComing || this.waiting.size === 0) return;
    this.isComing = true;
    this.timers.after(WAKE_DELAY_MS, () => this.wake());
  }

  /** There will be no more changes; no reader waits any longer. */
  close(): void {
    this.state = "closed";
    this.wake();
  }

  /** Opens again what was closed. */
  reopen(): void {
    this.state = "open";
  }

  /** Calls back once; the returned function calls it off. */
  onRing(wake: () => void): () => void {
    if (this.isClosed) wake();
    else this.waiting.add(wake);
    return () => this.waiting.delete(wake);
  }

  private wake(): void {
    this.isComing = false;
    const woken = [...this.waiting];
    this.waiting.clear();
    for (const wake of woken) wake();
  }
}
