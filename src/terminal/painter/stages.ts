// The stages of a tick, all pure but the last: take the inputs, draw the frame; `applyTerminalEffects` in terminal/ writes
// it. How many lines were written returns here as a result, and only `redrawn` reads it. `checkInvariants` holds after each.
//
//     inputs → reduceInputs → drawFrame → applyTerminalEffects → redrawn

import { EMPTY_FRAME, type Frame, type Size, type WindowMotion } from "./frame.js";
import { type Painted, type Patch, patch } from "./patch.js";
import type { Profile } from "./profile.js";

/** One write should not hold the terminal for long; a longer insertion goes in several complete frames. */
const INSERTION_UNITS_MAX = 32_768;

/** "drawn": the user can see all of it, and no line is left to insert. */
type ConfirmPhase = "none" | "pending" | "drawn" | "active";

/**
 * What the screen remembers of the transcript, in logical lines, which are the same at every width:
 *
 *     insertedLines ┬ before it: in the scrollback, never drawn again
 *                   │ waiting for their insertion (none between ticks, unless insertion is held)
 *     settledLines  ┴ after it: in the live area, may still change
 */
export interface RenderState {
  readonly insertedLines: number;
  readonly settledLines: number;
  readonly confirmPhase: ConfirmPhase;
}

export const INITIAL_RENDER_STATE: RenderState = { insertedLines: 0, settledLines: 0, confirmPhase: "none" };

interface Violation {
  readonly invariant: 2 | 3 | 5;
  readonly message: string;
}

/** The numbers are those of the architecture page; rules about bytes on the terminal are proven on an emulator. */
export function checkInvariants(state: RenderState, previous: RenderState): Violation[] {
  const found: Violation[] = [];
  if (state.insertedLines < previous.insertedLines) {
    found.push({ invariant: 2, message: "the boundary of the scrollback went back" });
  }
  if (state.insertedLines > state.settledLines) {
    found.push({ invariant: 3, message: "a line that may still change was inserted" });
  }
  if (state.confirmPhase === "active" && previous.confirmPhase !== "active" && previous.confirmPhase !== "drawn") {
    found.push({ invariant: 5, message: `a confirmation became active when it was ${previous.confirmPhase}` });
  }
  return found;
}

export interface ScreenModel {
  readonly state: RenderState;
  readonly size: Size;
  readonly live: Frame;
  /** How many of the live rows are transcript; the others are editor, status and dialogs. */
  readonly liveTranscriptRows: number;
  /** Settled lines that are not in the scrollback yet; the first piece may be partly inserted. */
  readonly waiting: readonly WaitingLines[];
  /** While another screen covers this one, or the user has scrolled away, nothing may be inserted. */
  readonly insertion: "allowed" | "held";
  readonly window: WindowMotion;
}

interface WaitingLines {
  /** Lines before this index are in the scrollback. */
  readonly from: number;
  readonly lines: readonly string[];
}

export type ScreenInput =
  | { readonly type: "lines.settled"; readonly lines: readonly string[] }
  | { readonly type: "live.changed"; readonly frame: Frame; readonly transcriptRows: number }
  | { readonly type: "size.changed"; readonly size: Size }
  | { readonly type: "window.changed"; readonly motion: WindowMotion }
  | { readonly type: "insertion.held" }
  | { readonly type: "insertion.released" }
  | { readonly type: "confirm.requested" }
  | { readonly type: "confirm.closed" };

export function screenModel(size: Size): ScreenModel {
  return {
    state: INITIAL_RENDER_STATE,
    size,
    live: EMPTY_FRAME,
    liveTranscriptRows: 0,
    waiting: [],
    insertion: "allowed",
    window: "still",
  };
}

export function reduceInputs(model: ScreenModel, inputs: readonly ScreenInput[]): ScreenModel {
  let next = model;
  for (const input of inputs) next = reduceInput(next, input);
  return next;
}

function reduceInput(model: ScreenModel, input: ScreenInput): ScreenModel {
  switch (input.type) {
    case "lines.settled":
      return input.lines.length === 0 ? model : withSettled(model, input.lines);
    case "live.changed":
      return withLive(model, input.frame, input.transcriptRows);
    case "size.changed":
      return { ...model, size: input.size };
    case "window.changed":
      return { ...model, window: input.motion };
    case "insertion.held":
      return { ...model, insertion: "held" };
    case "insertion.released":
      return { ...model, insertion: "allowed" };
    case "confirm.requested":
      return { ...model, state: { ...model.state, confirmPhase: "pending" } };
    case "confirm.closed":
      return { ...model, state: { ...model.state, confirmPhase: "none" } };
  }
}

// Every frame comes through here, so the model is written out instead of copied: that is several times faster.
function withLive(model: ScreenModel, live: Frame, transcriptRows: number): ScreenModel {
  const { state, size, waiting, insertion, window } = model;
  const liveTranscriptRows = Math.min(transcriptRows, live.rows.length);
  return { state, size, live, liveTranscriptRows, waiting, insertion, window };
}

function withSettled(model: ScreenModel, lines: readonly string[]): ScreenModel {
  const settledLines = model.state.settledLines + lines.length;
  return { ...model, waiting: [...model.waiting, { from: 0, lines }], state: { ...model.state, settledLines } };
}

/** Whether the next frame inserts lines. */
export function isInsertionDue({ waiting, insertion, window }: ScreenModel): boolean {
  return waiting.length > 0 && insertion === "allowed" && window !== "moving";
}

interface Drawing extends Patch {
  /** How many waiting lines the bytes insert. */
  readonly insertedLines: number;
}

/** The bytes of this tick: the next settled lines, as many as go into one write, and the live area below them. */
export function drawFrame(model: ScreenModel, painted: Painted, profile: Profile): Drawing {
  const settled = isInsertionDue(model) ? nextLines(model.waiting) : [];
  const { size, live: frame, liveTranscriptRows: tailRows, window } = model;
  const drawn = patch(painted, { settled, frame, tailRows, size, profile, window });
  return { bytes: drawn.bytes, painted: drawn.painted, insertedLines: settled.length };
}

function nextLines(waiting: readonly WaitingLines[]): string[] {
  const lines: string[] = [];
  let units = 0;
  for (const block of waiting) {
    for (let i = block.from; i < block.lines.length; i++) {
      const line = block.lines[i] ?? "";
      if (lines.length > 0 && units + line.length > INSERTION_UNITS_MAX) return lines;
      lines.push(line);
      units += line.length + 2;
    }
  }
  return lines;
}

/** A frame reached the terminal, with this many of the waiting lines above it: a step for a pending confirmation, too. */
export function redrawn(model: ScreenModel, lineCount: number): ScreenModel {
  const next = lineCount === 0 ? model : withoutInserted(model, lineCount);
  const { confirmPhase } = next.state;
  if (confirmPhase !== "pending" && confirmPhase !== "drawn") return next;
  const isCaughtUp = next.waiting.length === 0 || next.insertion === "held";
  // While the window moves, only a part of a confirmation may be seen.
  const seen = isCaughtUp && next.window === "still" ? "drawn" : "pending";
  return seen === confirmPhase ? next : { ...next, state: { ...next.state, confirmPhase: seen } };
}

function withoutInserted(model: ScreenModel, lineCount: number): ScreenModel {
  const waiting = [...model.waiting];
  let left = lineCount;
  while (left > 0 && waiting[0] !== undefined) {
    const block = waiting[0];
    const taken = Math.min(left, block.lines.length - block.from);
    left -= taken;
    if (block.from + taken === block.lines.length) waiting.shift();
    else waiting[0] = { ...block, from: block.from + taken };
  }
  const insertedLines = model.state.insertedLines + lineCount;
  return { ...model, waiting, state: { ...model.state, insertedLines } };
}

/** A confirmation becomes active once the user has been able to see it, and only between two draws. */
export function activateConfirm(model: ScreenModel): ScreenModel {
  return model.state.confirmPhase === "drawn" ? { ...model, state: { ...model.state, confirmPhase: "active" } } : model;
}
