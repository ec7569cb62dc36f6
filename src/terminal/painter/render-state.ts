// The accounting of the inline screen: which rows of the transcript are in the terminal's scrollback, which are in the live
// area, and in which phase insertion, confirmation and cursor are. The stages of a tick move it (`stages.ts`), and its
// invariants are checked at the end of each (`invariants.ts`).

export type SyncPhase = "idle" | "needsInsert" | "insertedNeedsRedraw";
type ConfirmPhase = "none" | "pending" | "active";
type CursorPhase = "visibleAtComposer" | "hiddenDuringScrollbackInsert";

/**
 * A place in the transcript that means the same at every width: the offset-th character of a line of a block.
 * Row numbers are derived from it; they change whenever the window does.
 */
export interface Boundary {
  readonly block: number;
  readonly line: number;
  readonly offset: number;
}

/**
 *     row 0          ┌ transcript rows, wrapped at the width at hand
 *                    │   in the terminal's scrollback, never drawn again
 *     insertedUntil  ├
 *                    │   settled, waiting for their insertion (empty between ticks, unless insertion is held)
 *     visibleStart   ├
 *                    │   in the live area, may still change
 *     visibleEnd     ├
 *                    │   not shown yet
 *     wrappedTotal   └
 */
export interface RenderState {
  readonly wrappedTotal: number;
  readonly visibleStart: number;
  readonly visibleEnd: number;
  readonly insertedUntil: number;
  readonly syncPhase: SyncPhase;
  readonly confirmPhase: ConfirmPhase;
  readonly cursorPhase: CursorPhase;
  readonly proof: RenderProof;
}

/** What the numbers rest on: enough to tell from two states whether the step between them was allowed. */
export interface RenderProof {
  /** The first line that is not in the scrollback. */
  readonly inserted: Boundary;
  /** The first line that may still change. */
  readonly settled: Boundary;
  readonly resets: number;
  readonly insertions: number;
  readonly followUpRedraws: number;
  /** What has happened since the confirmation was requested. */
  readonly confirmDrawn: boolean;
  readonly confirmSynced: boolean;
}

const START: Boundary = { block: 0, line: 0, offset: 0 };

export const INITIAL_RENDER_STATE: RenderState = {
  wrappedTotal: 0,
  visibleStart: 0,
  visibleEnd: 0,
  insertedUntil: 0,
  syncPhase: "idle",
  confirmPhase: "none",
  cursorPhase: "visibleAtComposer",
  proof: {
    inserted: START,
    settled: START,
    resets: 0,
    insertions: 0,
    followUpRedraws: 0,
    confirmDrawn: false,
    confirmSynced: false,
  },
};

export function compareBoundaries(a: Boundary, b: Boundary): number {
  return a.block - b.block || a.line - b.line || a.offset - b.offset;
}
