// The inline screen: settled lines go into the terminal's scrollback, a live area is kept below them. It decides when a
// frame is due, runs the stages of a tick and writes one string per frame.
import { EMPTY_FRAME, type Frame, type Size, type WindowMotion } from "./frame.js";
import { BELOW_EVERYTHING, giveBackBytes, takeBytes } from "./handover.js";
import { MovingWindow, motionFor } from "./moving-window.js";
import { type Painted, unpainted } from "./patch.js";
import type { Profile } from "./profile.js";
import { REST_BEHIND_TEXT } from "./rest.js";
import {
  activateConfirm,
  checkInvariants,
  drawFrame,
  isInsertionDue,
  type RenderState,
  redrawn,
  reduceInputs,
  type ScreenInput,
  type ScreenModel,
  screenModel,
} from "./stages.js";

/** About thirty frames a second. The echo of a key does not wait for it. */
const FRAME_INTERVAL_MS = 33;

export interface ScreenClock {
  nowMs(): number;
  /** Runs once after the delay, unless cancelled by the returned function. */
  after(delayMs: number, run: () => void): () => void;
  /** Runs once after the input that has arrived by now was read. Missing where no input is expected. */
  afterInput?(run: () => void): () => void;
}

/**
 * Writes bytes. "full" means that they were accepted but the terminal is slow: nothing more is written until `drained`,
 * and the frames in between become one.
 */
export type ApplyTerminalEffects = (bytes: string) => "drained" | "full";

/** The rows below the transcript. Called once per frame. */
export type LiveView = (size: Size) => Frame & { readonly transcriptRows?: number };

export interface InlineScreenOptions {
  readonly apply: ApplyTerminalEffects;
  /** Measures the window right before a frame and calls `resize` if it changed. */
  readonly measure?: () => void;
  readonly clock: ScreenClock;
  readonly size: Size;
  readonly profile: Profile;
  /** A broken invariant throws in tests and development, and is counted in production. */
  readonly onViolation: "throw" | "count";
  readonly check?: typeof checkInvariants;
}

export interface ScreenStats {
  readonly frames: number;
  readonly violations: number;
}

type Phase = "open" | "suspended" | "closed";

export class InlineScreen {
  private model: ScreenModel;
  private painted: Painted;
  private profile: Profile;
  private view: LiveView = () => EMPTY_FRAME;
  private phase: Phase = "open";
  private hasTerminal = false;
  /** The terminal's cursor when we take it. */
  private cursor: "anywhere" | "on-a-fresh-line" = "anywhere";
  private isFull = false;
  private isDirty = false;
  private isTicking = false;
  private inputs: ScreenInput[] = [];
  private settledLines: string[] = [];
  private heldSize: Size | undefined;
  private frameDueMs = 0;
  private cancelFrame: (() => void) | undefined;
  private frames = 0;
  private violations = 0;
  private readonly moving: MovingWindow;
  private readonly options: InlineScreenOptions;

  constructor(options: InlineScreenOptions) {
    this.options = options;
    this.profile = options.profile;
    this.moving = new MovingWindow(options.clock, (motion) => this.windowChanged(motion));
    this.model = screenModel(options.size);
    this.painted = unpainted(options.size);
  }

  get state(): RenderState {
    return this.model.state;
  }

  get size(): Size {
    return this.model.size;
  }

  get window(): WindowMotion {
    return this.model.window;
  }

  get liveRows(): number {
    return this.painted.rows.length;
  }

  get stats(): ScreenStats {
    return { frames: this.frames, violations: this.violations };
  }

  /** Lines that can no longer change: rows of safe text, possibly wider than the screen. */
  settle(lines: readonly string[]): void {
    for (const line of lines) this.settledLines.push(line);
    this.isDirty = true;
  }

  setView(view: LiveView): void {
    this.view = view;
    this.isDirty = true;
  }

  setLive(rows: readonly string[], cursor: Frame["cursor"], options: { transcriptRows?: number } = {}): void {
    const live = { rows, cursor, transcriptRows: options.transcriptRows ?? 0 };
    this.setView(() => live);
  }

  /** Whether prose can be left to the terminal's own wrapping. */
  get reflows(): boolean {
    return this.profile.reflow === "right";
  }

  /** Everything is drawn again for another terminal type. */
  setProfile(profile: Profile): void {
    this.profile = profile;
    this.isDirty = true;
  }

  /**
   * Draws at once, because a frame for an old size goes wrong. The same size counts, too: the window was another in
   * between, and the terminal may have dropped rows.
   */
  resize(size: Size): void {
    this.painted = { ...this.painted, profile: null };
    this.enqueue({ type: "size.changed", size });
    if (this.phase !== "closed" && this.profile.whileMoving !== "lines-go-on") this.moving.moved();
    this.flush();
  }

  /** The terminal reported the cursor's column. Behind text it has lost its guard row and gets another. */
  cursorSeen(column: number): void {
    if (this.phase !== "open" || this.painted.rest.on !== "guard" || column === 0) return;
    this.painted = { ...this.painted, profile: null, rest: REST_BEHIND_TEXT };
    this.requestFrame("now");
  }

  /** A new page begins; waiting lines go into the scrollback first. */
  clear(): void {
    this.flush();
  }

  /** Another screen covers this one: lines are kept and nothing is written. */
  hold(): void {
    if (this.phase !== "open") return;
    this.suspend();
    // Nothing else writes on this screen meanwhile, so the cursor stays where it was left.
    this.cursor = "on-a-fresh-line";
    this.enqueue({ type: "insertion.held" });
    this.heldSize = this.lastSize();
  }

  /** The other screen closed. After a resize the terminal may have lost our place. */
  release(): void {
    if (this.phase !== "suspended") return;
    const size = this.lastSize();
    const held = this.heldSize ?? size;
    if (held.columns !== size.columns || held.rows !== size.rows) this.options.apply(BELOW_EVERYTHING);
    this.heldSize = undefined;
    this.enqueue({ type: "insertion.released" });
    this.resume();
  }

  confirm(event: "requested" | "closed"): void {
    this.enqueue({ type: event === "requested" ? "confirm.requested" : "confirm.closed" });
  }

  /** Called when the user has stopped typing: the confirmation must have been drawn, with nothing left to insert. */
  activateConfirm(): "active" | "not yet" {
    const before = this.model.state;
    this.model = activateConfirm(this.model);
    this.check(before);
    return this.model.state.confirmPhase === "active" ? "active" : "not yet";
  }

  requestFrame(urgency: "soon" | "now"): void {
    this.isDirty = true;
    if (urgency === "now") {
      this.flush();
      return;
    }
    if (this.cancelFrame !== undefined || this.phase !== "open") return;
    const delayMs = Math.max(0, this.frameDueMs - this.options.clock.nowMs());
    this.cancelFrame = this.options.clock.after(delayMs, () => {
      this.cancelFrame = undefined;
      this.flush();
    });
  }

  /** Draws a frame that is due, without waiting for its timer. */
  drawDue(): void {
    if (this.cancelFrame !== undefined && this.frameDueMs <= this.options.clock.nowMs()) this.flush();
  }

  /** Draws now, in several frames if there is more to insert than one write should carry. */
  flush(): void {
    this.cancelFrame?.();
    this.cancelFrame = undefined;
    // A request during the view's own call is part of this frame.
    if (this.isTicking) return;
    this.isTicking = true;
    try {
      while (this.phase === "open" && !this.isFull && this.isDirty) {
        this.options.measure?.();
        this.tick();
      }
    } finally {
      this.isTicking = false;
    }
  }

  drained(): void {
    this.isFull = false;
    this.flush();
  }

  /** Restores the terminal with the cursor on a fresh line below the transcript. */
  suspend(): void {
    if (this.phase !== "open") return;
    this.moving.rest();
    this.flush();
    this.leaveTerminal();
    this.cursor = "anywhere";
    this.phase = "suspended";
  }

  resume(): void {
    if (this.phase !== "suspended") return;
    this.phase = "open";
    this.isDirty = true;
    this.flush();
  }

  /** Writes the remaining settled lines, erases the live area and restores the terminal. */
  close(): void {
    if (this.phase === "closed") return;
    if (this.phase === "suspended") this.release();
    this.moving.rest();
    // Writes everything even if the terminal is slow.
    do {
      this.isFull = false;
      this.flush();
    } while (this.isDirty);
    this.leaveTerminal();
    this.phase = "closed";
  }

  private enqueue(input: ScreenInput): void {
    this.inputs.push(input);
    this.isDirty = true;
  }

  // The caller draws when motion starts. A pause is one moment: waiting lines go in, and the motion continues.
  private windowChanged(motion: WindowMotion): void {
    this.moves(motion);
    if (motion !== "moving") this.flush();
    if (motion === "pausing") this.moves("moving");
  }

  private moves(motion: WindowMotion): void {
    const { insertedLines } = this.model.state;
    this.enqueue({ type: "window.changed", motion: motionFor(motion, this.profile, insertedLines) });
  }

  private tick(): void {
    const before = this.model.state;
    const inputs = this.takeInputs();
    this.isDirty = false;
    this.frameDueMs = this.options.clock.nowMs() + FRAME_INTERVAL_MS;
    this.model = reduceInputs(this.model, inputs);
    const drawing = drawFrame(this.model, this.painted, this.profile);
    if (drawing.bytes !== "") {
      const opening = this.hasTerminal ? "" : takeBytes(this.model.size, this.cursor);
      this.hasTerminal = true;
      this.frames += 1;
      if (this.options.apply(opening + drawing.bytes) === "full") this.isFull = true;
    }
    this.painted = drawing.painted;
    this.model = redrawn(this.model, drawing.insertedLines);
    if (isInsertionDue(this.model)) this.isDirty = true;
    this.check(before);
  }

  private lastSize(): Size {
    let size = this.model.size;
    for (const input of this.inputs) if (input.type === "size.changed") size = input.size;
    return size;
  }

  private takeInputs(): ScreenInput[] {
    const inputs = this.inputs;
    const size = this.lastSize();
    this.inputs = [];
    if (this.settledLines.length > 0) {
      inputs.unshift({ type: "lines.settled", lines: this.settledLines });
      this.settledLines = [];
    }
    const frame = this.view(size);
    inputs.push({ type: "live.changed", frame, transcriptRows: frame.transcriptRows ?? 0 });
    return inputs;
  }

  private leaveTerminal(): void {
    this.cancelFrame?.();
    this.cancelFrame = undefined;
    if (!this.hasTerminal) return;
    this.hasTerminal = false;
    this.options.apply(giveBackBytes(this.painted, this.profile));
    this.painted = unpainted(this.model.size);
  }

  private check(before: RenderState): void {
    if (this.model.state === before) return;
    const violations = (this.options.check ?? checkInvariants)(this.model.state, before);
    this.violations += violations.length;
    const [first] = violations;
    if (first !== undefined && this.options.onViolation === "throw") {
      throw new Error(`Invariant ${first.invariant} of the inline screen is broken: ${first.message}.`);
    }
  }
}
