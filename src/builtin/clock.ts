// Time as a port of the agent: what is now, and a wait that an abort ends early.
import { realTimers, type Timers } from "../sdk/timers.js";

export type Clock = {
  /** Milliseconds since 1970, for messages and files. */
  nowMs(): number;
  /** Resolves after the delay, or as soon as the signal aborts. */
  wait(delayMs: number, signal: AbortSignal): Promise<void>;
};

export function createClock(timers: Timers = realTimers): Clock {
  return {
    nowMs: () => Date.now(),
    wait(delayMs, signal) {
      if (signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const done = () => {
          callOff();
          signal.removeEventListener("abort", done);
          resolve();
        };
        const callOff = timers.after(delayMs, done);
        signal.addEventListener("abort", done, { once: true });
      });
    },
  };
}
