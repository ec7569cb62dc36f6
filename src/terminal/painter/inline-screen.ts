// The screen that the product uses: settled lines go into the terminal's scrollback, a live area is kept below them. It
// decides when a frame is due, runs the stages of a tick, and hands over one string per frame. Time and terminal are ports.

import { EMPTY_FRAME, type Frame, type Size, type WindowMotion } from "./frame.js";
import { BELOW_EVERYTHING, giveBackBytes, takeBytes } from "./handover.js";
import { MovingWindow, motionFor } from "./moving-window.js";
import { type Painted, unpainted } from "./patch.js";
import type { Profile } from "./profile.js";
import { checkInvariants, type RenderState } from "./render-state.js";
import { REST_BEHIND_TEXT } from "./rest.js";
import {
  activateConfirm,
  drawFrame,
  isInsertionDue,
  redrawn,
  reduceInputs,
  type ScreenInput,
  type ScreenModel,
  screenModel,
} from "./stages.js";

/** About thirty frames a second: text is not read faster than that. The echo of a key does not wait for it. */
const FRAME_INTERVAL_MS = 33;

export interface ScreenClock {
  nowMs(): number;
  /** Runs once after the delay, unless the returned function is called before. */
  after(delayMs: number, run: () => void): () => void;
  /**
   * Runs once after the input that has arrived by now was read, unless the returned function is called before. Missing where
   * no input is waited for.
   */
  afterInput?(run: () => void): () => void;
}

/**
 * The one place where bytes leave. "full" means that they were taken but the terminal is slow: nothing more is written
 * until `drained` is called, and the frames in between become one.
 */
export type ApplyTerminalEffects = (bytes: string) => "drained" | "full";

/** What stands below the transcript, for a given size. Called once per frame, not once per change. */
export type LiveView = (size: Size) => Frame & { readonly transcriptRows?: number };

export interface InlineScreenOptions {
  readonly apply: ApplyTerminalEffects;
  /** Looks whether the window is still what it was, right before a frame: `resize` is called if not. */
  readonly look?: () => void;
  readonly clock: ScreenClock;
  readonly size: Size;
  readonly profile: Profile;
  /** A broken invariant is a programmer's error: it throws where programmers look and is counted where people work. */
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
  /** Where the terminal's cursor is when we take it: who knows what the shell left behind. */
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

  /** How many rows it takes below the transcript. */
  get liveRows(): number {
    return this.painted.rows.length;
  }

  get stats(): ScreenStats {
    return { frames: this.frames, violations: this.violations };
  }

  /** Lines that can no longer change, as rows of safe text; they may be wider than the screen. */
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

  /** The terminal turned out to be another one; everything is drawn again in its way. */
  setProfile(profile: Profile): void {
    this.profile = profile;
    this.isDirty = true;
  }

  /**
   * Draws at once: every millisecond with an old size is one in which a frame can go wrong. The same size again is news,
   * too: the window was another one in between, and the terminal may have dropped rows.
   */
  resize(size: Size): void {
    this.painted = { ...this.painted, profile: null };
    this.enqueue({ type: "size.changed", size });
    if (this.phase !== "closed" && this.profile.whileMoving !== "lines-go-on") this.moving.moved();
    this.flush();
  }

  /** The terminal says in which column the cursor waits. Behind text it has lost its guard row, and gets another one. */
  cursorSeen(column: number): void {
    if (this.phase !== "open" || this.painted.rest.on !== "guard" || column === 0) return;
    this.painted = { ...this.painted, profile: null, rest: REST_BEHIND_TEXT };
    this.requestFrame("now");
  }

  /** A new page begins. What is in the scrollback stays there, and what waits for it goes there first. */
  clear(): void {
    this.flush();
  }

  /** While another screen covers this one, lines are kept and nothing is written. */
  hold(): void {
    if (this.phase !== "open") return;
    this.suspend();
    // Nobody else writes on this screen meanwhile, so that the cursor is found where it was left.
    this.cursor = "on-a-fresh-line";
    this.enqueue({ type: "insertion.held" });
    this.heldSize = this.lastSize();
  }

  /** The other screen is gone. If the window changed meanwhile, the terminal may have lost our place. */
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

  /** To be asked when the person has stopped typing: the confirmation must have been drawn, with nothing left to insert. */
  activateConfirm(): "active" | "not yet" {
    const before = this.model.state;
    this.model = activateConfirm(this.model);
    this.check(before);
    return this.model.state.confirmPhase === "active" ? "active" : "not yet";
  }

  /** "soon" joins the next frame, "now" is for the echo of a key. */
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

  /** The frame that waits for its moment comes now, if the moment has come: who is awake anyway needs no timer to wake him. */
  drawDue(): void {
    if (this.cancelFrame !== undefined && this.frameDueMs <= this.options.clock.nowMs()) this.flush();
  }

  /** One frame now, and more of them if there is more to insert than one write should carry. */
  flush(): void {
    this.cancelFrame?.();
    this.cancelFrame = undefined;
    // The view may wish for a frame while it is being asked for one; it is in that frame then.
    if (this.isTicking) return;
    this.isTicking = true;
    try {
      while (this.phase === "open" && !this.isFull && this.isDirty) {
        this.options.look?.();
        this.tick();
      }
    } finally {
      this.isTicking = false;
    }
  }

  /** The terminal has room again. */
  drained(): void {
    this.isFull = false;
    this.flush();
  }

  /** Gives the terminal back with the cursor on a fresh line below the transcript. */
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

  /** Writes what is still to be settled, takes the live area away and gives the terminal back for good. */
  close(): void {
    if (this.phase === "closed") return;
    if (this.phase === "suspended") this.release();
    this.moving.rest();
    // The terminal may be slow, but this is the last chance: everything that waits is handed over.
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

  // What comes with the news is drawn with the news. A pause is one moment: the lines that wait go in, and it moves on.
  private windowChanged(motion: WindowMotion): void {
    this.moves(motion);
    if (motion !== "moving") this.flush();
    if (motion === "pausing") this.moves("moving");
  }

  private moves(motion: WindowMotion): void {
    const { insertedLines } = this.model;
    this.enqueue({ type: "window.changed", motion: motionFor(motion, this.profile, insertedLines) });
  }

  private tick(): void {
    const before = this.model.state;
    const inputs = this.takeInputs();
    this.isDirty = false;
    this.frameDueMs = this.options.clock.nowMs() + FRAME_INTERVAL_MS;
    this.model = reduceInputs(this.model, inputs);
    const drawing = drawFrame(this.model, this.painted, this.profile);
    this.write(drawing.bytes);
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

  private write(bytes: string): void {
    if (bytes === "") return;
    const opening = this.hasTerminal ? "" : takeBytes(this.model.size, this.cursor);
    this.hasTerminal = true;
    this.frames += 1;
    if (this.options.apply(opening + bytes) === "full") this.isFull = true;
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
