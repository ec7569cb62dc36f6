// When a window moves and when it rests. The news of a size come one after the other while somebody drags an edge, and nobody
// says when it is over; so it is over when there have been none for a while.
//
//   news     │ │ │││ │          │
//   motion   moving      still  moving   …  pausing, for a moment, where it goes on and on

import type { WindowMotion } from "./frame.js";
import type { ScreenClock } from "./inline-screen.js";
import type { Profile } from "./profile.js";

/** So long after the last news of its size a window is taken to rest: longer than tmux keeps news back. */
export const WINDOW_RESTS_AFTER_MS = 300;
/** Who drags an edge for longer than this sees how the transcript goes on. */
const PAUSES_EVERY_MS = 1_000;
/** With so many lines of ours above the live area, nothing of the shell's is seen in a window of any usual height. */
const OURS_LINES = 100;

/** What a moving window means for the lines: where it would cut what the shell had printed, they do not wait yet. */
export function motionFor(motion: WindowMotion, { whileMoving }: Profile, insertedLines: number): WindowMotion {
  const goesOn = whileMoving === "lines-wait-below-ours" && insertedLines < OURS_LINES;
  return motion === "moving" && goesOn ? "pausing" : motion;
}

export class MovingWindow {
  private cancelRest: (() => void) | undefined;
  private cancelPause: (() => void) | undefined;
  private readonly clock: ScreenClock;
  private readonly onMotion: (motion: WindowMotion) => void;

  constructor(clock: ScreenClock, onMotion: (motion: WindowMotion) => void) {
    this.clock = clock;
    this.onMotion = onMotion;
  }

  moved(): void {
    this.cancelRest?.();
    this.cancelRest = this.clock.after(WINDOW_RESTS_AFTER_MS, () => this.rest());
    if (this.cancelPause === undefined) this.pauseLater();
    this.onMotion("moving");
  }

  /** Nobody waits any longer. */
  rest(): void {
    if (this.cancelRest === undefined) return;
    this.cancelRest();
    this.cancelPause?.();
    this.cancelRest = undefined;
    this.cancelPause = undefined;
    this.onMotion("still");
  }

  private pauseLater(): void {
    this.cancelPause = this.clock.after(PAUSES_EVERY_MS, () => {
      this.pauseLater();
      this.onMotion("pausing");
    });
  }
}
