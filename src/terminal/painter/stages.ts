// The stages of a tick, all pure but the last: take the inputs, compute the rows, draw the frame; `applyTerminalEffects`
// in tui/ writes it. What came of writing returns here as a result, and only `inserted` and `redrawn` read it.
//
//     inputs → reduceInputs → computeLayout → drawFrame → applyTerminalEffects → inserted → redrawn

import { EMPTY_FRAME, type Frame, type Size, type WindowMotion } from "./frame.js";
import { type Painted, type Patch, patch } from "./patch.js";
import type { Profile } from "./profile.js";
import {
  type Boundary,
  INITIAL_RENDER_STATE,
  type RenderProof,
  type RenderState,
  type SyncPhase,
} from "./render-state.js";
import { countedWidth, emptyTally, type RowTally, rowsOfLine, tallied, tallyAt } from "./row-tally.js";

/** One write should not hold the terminal for long; a longer insertion goes in several complete frames. */
const INSERTION_UNITS_MAX = 32_768;

export interface ScreenModel {
  readonly state: RenderState;
  readonly size: Size;
  readonly live: Frame;
  /** How many of the live rows are transcript; the others are editor, status and dialogs. */
  readonly liveTranscriptRows: number;
  /** Settled blocks whose lines are not in the scrollback yet; the first may be partly inserted. */
  readonly waiting: readonly WaitingBlock[];
  readonly tally: RowTally;
  /** While another screen covers this one, or the person has scrolled away, nothing may be inserted. */
  readonly insertion: "allowed" | "held";
  readonly window: WindowMotion;
}

interface WaitingBlock {
  readonly block: number;
  /** Lines before this index are in the scrollback. */
  readonly from: number;
  readonly lines: readonly string[];
  readonly widthsCells: readonly number[];
}

export type ScreenInput =
  | { readonly type: "lines.settled"; readonly lines: readonly string[] }
  | { readonly type: "live.changed"; readonly frame: Frame; readonly transcriptRows: number }
  | { readonly type: "size.changed"; readonly size: Size }
  | { readonly type: "window.changed"; readonly motion: WindowMotion }
  | { readonly type: "insertion.held" }
  | { readonly type: "insertion.released" }
  | { readonly type: "transcript.reset" }
  | { readonly type: "confirm.requested" }
  | { readonly type: "confirm.closed" };

export function screenModel(size: Size): ScreenModel {
  return {
    state: INITIAL_RENDER_STATE,
    size,
    live: EMPTY_FRAME,
    liveTranscriptRows: 0,
    waiting: [],
    tally: emptyTally(size.columns),
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
      return input.lines.length === 0 ? model : withBlock(model, input.lines);
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
    case "transcript.reset":
      return afterReset(model);
    case "confirm.requested":
      return withState(model, { confirmPhase: "pending" }, { confirmDrawn: false, confirmSynced: false });
    case "confirm.closed":
      return withState(model, { confirmPhase: "none" }, { confirmDrawn: false, confirmSynced: false });
  }
}

// Every frame comes through here, so the model is written out instead of copied: that is several times faster.
function withLive(model: ScreenModel, live: Frame, transcriptRows: number): ScreenModel {
  const { state, size, waiting, tally, insertion, window } = model;
  const liveTranscriptRows = Math.min(transcriptRows, live.rows.length);
  return { state, size, live, liveTranscriptRows, waiting, tally, insertion, window };
}

function withBlock(model: ScreenModel, lines: readonly string[]): ScreenModel {
  const block = model.state.proof.settled.block;
  const added = { block, from: 0, lines, widthsCells: lines.map(countedWidth) };
  const settled = { block: block + 1, line: 0, offset: 0 };
  return withState({ ...model, waiting: [...model.waiting, added] }, {}, { settled });
}

// What is in the scrollback stays there, and what waits for it still goes there; only the counting starts again.
function afterReset(model: ScreenModel): ScreenModel {
  const { proof, confirmPhase } = model.state;
  const state: RenderState = { ...INITIAL_RENDER_STATE, confirmPhase, proof: { ...proof, resets: proof.resets + 1 } };
  return { ...model, state, tally: emptyTally(model.size.columns) };
}

/** Row numbers for the width at hand, and whether something has to be inserted. */
export function computeLayout(model: ScreenModel): ScreenModel {
  const { columns } = model.size;
  const tally = tallyAt(model.tally, columns);
  let waitingRows = 0;
  for (const block of model.waiting) waitingRows += rowsWaiting(block, columns);
  const visibleStart = tally.rows + waitingRows;
  const visibleEnd = visibleStart + model.liveTranscriptRows;
  const syncPhase = phaseFor(model, waitingRows);
  const { state } = model;
  const isSame =
    state.visibleStart === visibleStart && state.visibleEnd === visibleEnd && state.syncPhase === syncPhase;
  if (isSame && tally === model.tally && state.insertedUntil === tally.rows) return model;
  const rows = { insertedUntil: tally.rows, visibleStart, visibleEnd, wrappedTotal: visibleEnd };
  return { ...model, tally, state: { ...state, ...rows, syncPhase } };
}

function phaseFor(model: ScreenModel, waitingRows: number): SyncPhase {
  if (model.state.syncPhase === "insertedNeedsRedraw") return model.state.syncPhase;
  return waitingRows > 0 && mayInsert(model) ? "needsInsert" : "idle";
}

function mayInsert({ insertion, window }: ScreenModel): boolean {
  return insertion === "allowed" && window !== "moving";
}

function rowsWaiting(block: WaitingBlock, columns: number): number {
  let rows = 0;
  for (let i = block.from; i < block.widthsCells.length; i++) rows += rowsOfLine(block.widthsCells[i] ?? 0, columns);
  return rows;
}

interface Drawing extends Patch {
  /** How many waiting lines the bytes insert. */
  readonly insertedLines: number;
}

/** The bytes of this tick: the next settled lines, as many as go into one write, and the live area below them. */
export function drawFrame(model: ScreenModel, painted: Painted, profile: Profile): Drawing {
  const settled = model.state.syncPhase === "needsInsert" ? nextLines(model.waiting) : [];
  const { size, live: frame, liveTranscriptRows: tailRows, window } = model;
  const drawn = patch(painted, { settled, frame, tailRows, size, profile, window });
  return { bytes: drawn.bytes, painted: drawn.painted, insertedLines: settled.length };
}

function nextLines(waiting: readonly WaitingBlock[]): string[] {
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

/** The terminal has taken this many of the waiting lines. Their redraw is still to come, and the cursor hidden. */
export function inserted(model: ScreenModel, lineCount: number): ScreenModel {
  if (lineCount === 0) return model;
  const widths: number[] = [];
  const waiting = [...model.waiting];
  let left = lineCount;
  while (left > 0 && waiting[0] !== undefined) {
    const block = waiting[0];
    const taken = Math.min(left, block.lines.length - block.from);
    for (const width of block.widthsCells.slice(block.from, block.from + taken)) widths.push(width);
    left -= taken;
    if (block.from + taken === block.lines.length) waiting.shift();
    else waiting[0] = { ...block, from: block.from + taken };
  }
  const tally = tallied(model.tally, widths);
  return withState(
    { ...model, waiting, tally },
    { insertedUntil: tally.rows, syncPhase: "insertedNeedsRedraw", cursorPhase: "hiddenDuringScrollbackInsert" },
    { inserted: boundaryOf(waiting, model.state.proof.settled), insertions: model.state.proof.insertions + 1 },
  );
}

function boundaryOf(waiting: readonly WaitingBlock[], settled: Boundary): Boundary {
  const first = waiting[0];
  return first === undefined ? settled : { block: first.block, line: first.from, offset: 0 };
}

/** A frame reached the terminal: a follow-up redraw if an insertion owed one, and a step for a pending confirmation. */
export function redrawn(model: ScreenModel): ScreenModel {
  const { syncPhase, confirmPhase, proof } = model.state;
  if (syncPhase === "idle" && confirmPhase === "none") return model;
  const followUpRedraws = proof.followUpRedraws + (syncPhase === "insertedNeedsRedraw" ? 1 : 0);
  const isCaughtUp = model.waiting.length === 0 || model.insertion === "held";
  return withState(
    model,
    { syncPhase: !isCaughtUp && mayInsert(model) ? "needsInsert" : "idle", cursorPhase: "visibleAtComposer" },
    // While the window moves, only a part of a confirmation may be seen.
    { followUpRedraws, confirmDrawn: true, confirmSynced: isCaughtUp && model.window === "still" },
  );
}

/** A pending confirmation becomes active once the person has been able to see it, and only between two draws. */
export function activateConfirm(model: ScreenModel): ScreenModel {
  const { confirmPhase, proof } = model.state;
  if (confirmPhase !== "pending" || !proof.confirmDrawn || !proof.confirmSynced) return model;
  return withState(model, { confirmPhase: "active" }, {});
}

function withState(model: ScreenModel, fields: Partial<RenderState>, proof: Partial<RenderProof>): ScreenModel {
  return { ...model, state: { ...model.state, ...fields, proof: { ...model.state.proof, ...proof } } };
}
