// Whether the window is being resized. Resizes come one after the other and their end is not announced, so it is over
// after a while without one.
//
//   news     │ │ │││ │          │
//   motion   moving      still  moving   …  pausing, for a moment, where it goes on and on
import type { WindowMotion } from "./frame.js";
import type { ScreenClock } from "./inline-screen.js";
import type { Profile } from "./profile.js";

/** Longer than tmux delays its signals. */
export const WINDOW_RESTS_AFTER_MS = 300;
/** During a longer resize, waiting lines are inserted this often. */
const PAUSES_EVERY_MS = 1_000;
/** With so many lines of ours above, no output of the shell is visible. */
const OURS_LINES = 100;

/** Where a narrower window would cut the shell's output, lines do not wait yet. */
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

  /** Ends the motion. */
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
