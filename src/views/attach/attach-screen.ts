// The alternate screen of the attached view: one frame at a time and no more than the eye can follow, its modes switched on
// with it and off again, and given up for a while when somebody else needs the screen.
import type { Size } from "../../terminal/painter/frame.js";
import { FullScreen, type FullView } from "../../terminal/painter/full-screen.js";
import type { ApplyTerminalEffects, ScreenClock } from "../../terminal/painter/inline-screen.js";
import { cursorAt, ERASE_BELOW } from "../../terminal/painter/sequences.js";
import { FULL_MODES_OFF, fullModesOn } from "../inline/full-modes.js";

export interface AttachScreenParts {
  readonly apply: ApplyTerminalEffects;
  readonly clock: ScreenClock;
  readonly size: Size;
  readonly view: FullView;
}

const FRAME_INTERVAL_MS = 16;

export class AttachScreen {
  private readonly parts: AttachScreenParts;
  private readonly full: FullScreen;
  private now: Size;
  private state: "shown" | "away" = "away";
  private terminal: "drained" | "full" = "drained";
  private isWiped = false;
  private frameDueMs = 0;
  private cancelFrame: (() => void) | null = null;

  constructor(parts: AttachScreenParts) {
    this.parts = parts;
    this.now = parts.size;
    this.full = new FullScreen(
      (bytes) => this.apply(bytes),
      parts.size,
      (size) => (this.isWiped ? { rows: [], cursor: null } : parts.view(size)),
    );
  }

  get size(): Size {
    return this.now;
  }

  /** Whether the last frame is in front of the person by now. */
  get isSeen(): boolean {
    return this.state === "shown" && this.terminal === "drained";
  }

  open(): void {
    if (this.state === "shown") return;
    this.state = "shown";
    this.full.resize(this.now);
    this.full.open();
    this.apply(fullModesOn("wheel"));
  }

  close(): void {
    if (this.state === "away") return;
    this.state = "away";
    this.cancelFrame?.();
    this.cancelFrame = null;
    this.apply(FULL_MODES_OFF);
    this.full.close();
  }

  resize(size: Size): void {
    const isSame = size.columns === this.now.columns && size.rows === this.now.rows;
    this.now = size;
    if (this.state === "away") return;
    // The same size is news, too: the window was another one in between, or all of it should be drawn again.
    if (isSame && this.terminal === "drained") this.wipe();
    this.full.resize(size);
  }

  drained(): void {
    this.terminal = "drained";
    this.full.drained();
  }

  draw(urgency: "soon" | "now"): void {
    if (this.state === "away") return;
    if (urgency === "now") this.drawNow();
    else {
      const delayMs = Math.max(0, this.frameDueMs - this.parts.clock.nowMs());
      this.cancelFrame ??= this.parts.clock.after(delayMs, () => this.drawNow());
    }
  }

  private drawNow(): void {
    this.cancelFrame?.();
    this.cancelFrame = null;
    this.frameDueMs = this.parts.clock.nowMs() + FRAME_INTERVAL_MS;
    this.full.draw();
  }

  private wipe(): void {
    this.isWiped = true;
    this.full.draw();
    this.isWiped = false;
    this.apply(cursorAt(0, 0) + ERASE_BELOW);
  }

  private apply(bytes: string): "drained" | "full" {
    const answer = this.parts.apply(bytes);
    if (answer === "full") this.terminal = "full";
    return answer;
  }
}
