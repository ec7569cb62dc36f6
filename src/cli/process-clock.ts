// The clock of this process for everything that waits: one that never goes back, and timers that can be taken back. There is
// one of it, so that a deadline set in one place and kept in another means the same moment. It reads like `steadyNowMs`, with fractions:
// a session of this process may be shown by views that have their times from there.
import type { ScreenClock } from "../terminal/painter/inline-screen.js";

/** A longer delay overflows the platform's timer and would end at once. */
const DELAY_MS_MAX = 2 ** 31 - 1;

export const processClock: Required<ScreenClock> = {
  nowMs: () => performance.timeOrigin + performance.now(),
  // The platform cuts fractions off and may be a millisecond early; a deadline that is looked at too early is missed.
  after(delayMs, run) {
    const timer = setTimeout(run, Math.min(Math.ceil(delayMs) + 1, DELAY_MS_MAX));
    return () => clearTimeout(timer);
  },
  // An immediate runs after the input of this round of the event loop; the second one, after what that input made readable.
  afterInput(run) {
    let next = setImmediate(() => {
      next = setImmediate(run);
    });
    return () => clearImmediate(next);
  },
};
