// What the inline screen remembers of the transcript: which lines are in the terminal's scrollback, which can no longer
// change, and how far a confirmation is. The stages of a tick move it (`stages.ts`); `checkInvariants` holds after each.
// The numbers are those of the architecture page; rules about bytes on the terminal are proven on an emulator.

/** "drawn": the person can see all of it, and no line is left to insert. */
type ConfirmPhase = "none" | "pending" | "drawn" | "active";

/** A place in the transcript that means the same at every width: the offset-th character of a line of a block. */
export interface Boundary {
  readonly block: number;
  readonly line: number;
  readonly offset: number;
}

/**
 *     insertedUntil ┬ before it: in the scrollback, never drawn again
 *                   │ waiting for their insertion (none between ticks, unless insertion is held)
 *     settledUntil  ┴ after it: in the live area, may still change
 */
export interface RenderState {
  readonly insertedUntil: Boundary;
  readonly settledUntil: Boundary;
  readonly confirmPhase: ConfirmPhase;
}

const START: Boundary = { block: 0, line: 0, offset: 0 };

export const INITIAL_RENDER_STATE: RenderState = { insertedUntil: START, settledUntil: START, confirmPhase: "none" };

interface Violation {
  readonly invariant: 2 | 3 | 5;
  readonly message: string;
}

/** In tests and development a breach throws; in production it is counted. */
export function checkInvariants(state: RenderState, previous: RenderState): Violation[] {
  const found: Violation[] = [];
  if (compareBoundaries(state.insertedUntil, previous.insertedUntil) < 0) {
    found.push({ invariant: 2, message: "the boundary of the scrollback went back" });
  }
  if (compareBoundaries(state.insertedUntil, state.settledUntil) > 0) {
    found.push({ invariant: 3, message: "a line that may still change was inserted" });
  }
  if (state.confirmPhase === "active" && previous.confirmPhase !== "active" && previous.confirmPhase !== "drawn") {
    found.push({ invariant: 5, message: `a confirmation became active when it was ${previous.confirmPhase}` });
  }
  return found;
}

function compareBoundaries(a: Boundary, b: Boundary): number {
  return a.block - b.block || a.line - b.line || a.offset - b.offset;
}
