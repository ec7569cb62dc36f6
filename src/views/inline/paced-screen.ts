// The alternate screen of a view: one frame at a time and no more than the eye can follow, its modes switched on with it and off
// again, and given up for a while when another program or a viewer needs the screen.
import type { Size } from "../../terminal/painter/frame.js";
import { FullScreen, type FullView } from "../../terminal/painter/full-screen.js";
import type { ApplyTerminalEffects, ScreenClock } from "../../terminal/painter/inline-screen.js";
import { cursorAt, ERASE_BELOW } from "../../terminal/painter/sequences.js";
import { FULL_MODES_OFF, fullModesOn, type MouseUse, mouseBytes } from "./full-modes.js";

export interface PacedScreenParts {
  readonly apply: ApplyTerminalEffects;
  readonly clock: ScreenClock;
  readonly size: Size;
  readonly view: FullView;
  readonly frameIntervalMs: number;
  /** Whose the mouse is; the wheel is ours when nothing is said. */
  mouse?(): MouseUse;
  beforeDraw?(): void;
  onDrawn?(): void;
}

export class PacedScreen {
  private readonly parts: PacedScreenParts;
  private readonly full: FullScreen;
  private now: Size;
  private state: "shown" | "away" = "away";
  private terminal: "drained" | "full" = "drained";
  private mouse: MouseUse = "off";
  private isDrawing = false;
  private isWiped = false;
  private frameDueMs = 0;
  private cancelFrame: (() => void) | null = null;

  constructor(parts: PacedScreenParts) {
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

  /** Whether the last frame is in front of the user by now. */
  get isSeen(): boolean {
    return this.state === "shown" && this.terminal === "drained";
  }

  open(): void {
    if (this.state === "shown") return;
    this.state = "shown";
    this.full.resize(this.now);
    this.full.open();
    this.mouse = this.wantedMouse;
    this.apply(fullModesOn(this.mouse));
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

  /** Draws a frame that is due, without waiting for its timer. */
  drawDue(): void {
    if (this.cancelFrame !== null && this.frameDueMs <= this.parts.clock.nowMs()) this.drawNow();
  }

  private drawNow(): void {
    // A request during the view's own call is part of this frame.
    if (this.isDrawing) return;
    this.cancelFrame?.();
    this.cancelFrame = null;
    this.frameDueMs = this.parts.clock.nowMs() + this.parts.frameIntervalMs;
    this.isDrawing = true;
    try {
      this.parts.beforeDraw?.();
      this.keepMouse();
      this.full.draw();
    } finally {
      this.isDrawing = false;
    }
    this.parts.onDrawn?.();
  }

  private get wantedMouse(): MouseUse {
    return this.parts.mouse?.() ?? "wheel";
  }

  // The setting may change while the screen is shown.
  private keepMouse(): void {
    if (this.mouse === this.wantedMouse) return;
    this.mouse = this.wantedMouse;
    this.apply(mouseBytes(this.mouse));
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
