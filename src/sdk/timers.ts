// Time as a port, so that tests can move it.

export type Timers = {
  /** Runs the action once after the delay; the returned function calls it off. */
  after(delayMs: number, action: () => void): () => void;
};

// A longer delay overflows the platform's timer and would fire at once.
const DELAY_MS_MAX = 2 ** 31 - 1;

export const realTimers: Timers = {
  after(delayMs, action) {
    const timer = setTimeout(action, Math.min(delayMs, DELAY_MS_MAX));
    return () => clearTimeout(timer);
  },
};
