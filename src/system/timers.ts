// Time as a port, so that tests control it: cancellable timers, and a clock whose waits can be aborted.

export type Timers = {
  /** Runs the action once after the delay; the returned function calls it off. */
  after(delayMs: number, action: () => void): () => void;
};

export type Clock = {
  /** Milliseconds since 1970, for messages and files. */
  nowMs(): number;
  /** Resolves after the delay, or as soon as the signal aborts. */
  wait(delayMs: number, signal: AbortSignal): Promise<void>;
};

// A longer delay overflows the platform's timer and would fire at once.
const DELAY_MS_MAX = 2 ** 31 - 1;

export const realTimers: Timers = {
  after(delayMs, action) {
    const timer = setTimeout(action, Math.min(delayMs, DELAY_MS_MAX));
    return () => clearTimeout(timer);
  },
};

/** Resolves after the delay, or as soon as the signal aborts. */
export function pause({ after }: Timers, delayMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      cancel();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const cancel = after(delayMs, done);
    signal.addEventListener("abort", done, { once: true });
  });
}

export const realClock: Clock = {
  nowMs: () => Date.now(),
  wait: (delayMs, signal) => pause(realTimers, delayMs, signal),
};

/**
 * The clock for deadlines and durations: it reads like the wall clock did when the process began, and never jumps. The wall clock
 * itself can be set back a day while a question waits; it is for people and for records.
 */
export function steadyNowMs(): number {
  return Math.round(performance.timeOrigin + performance.now());
}
