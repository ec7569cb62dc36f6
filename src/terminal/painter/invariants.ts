// The rules that hold at the end of every tick. In tests and development a breach throws; in production it is counted.
// The numbers are those of the architecture page; rules about bytes on the terminal (6 to 8) are proven on an emulator.

import { compareBoundaries, type RenderState } from "./render-state.js";

interface Violation {
  readonly invariant: 1 | 2 | 3 | 4 | 5;
  readonly message: string;
}

type Check = (state: RenderState, previous: RenderState) => Violation | undefined;

const rowsAreInOrder: Check = ({ insertedUntil, visibleStart, visibleEnd, wrappedTotal }) => {
  const rows = [0, insertedUntil, visibleStart, visibleEnd, wrappedTotal];
  if (rows.every((row, index) => index === 0 || row >= (rows[index - 1] ?? 0))) return undefined;
  return { invariant: 1, message: `inserted ≤ start ≤ end ≤ total does not hold: ${rows.slice(1).join(", ")}` };
};

const boundaryOnlyAdvances: Check = (state, previous) => {
  if (state.proof.resets !== previous.proof.resets) return undefined;
  if (compareBoundaries(state.proof.inserted, previous.proof.inserted) >= 0) return undefined;
  return { invariant: 2, message: "the boundary of the scrollback went back without a reset" };
};

const onlySettledLinesAreInserted: Check = ({ proof }) =>
  compareBoundaries(proof.inserted, proof.settled) <= 0
    ? undefined
    : { invariant: 3, message: "a line that may still change was inserted" };

const insertionHidesTheCursor: Check = ({ syncPhase, cursorPhase, proof }) => {
  const isHidden = cursorPhase === "hiddenDuringScrollbackInsert";
  const owed = proof.insertions - proof.followUpRedraws;
  if (isHidden !== (syncPhase === "insertedNeedsRedraw")) {
    return { invariant: 4, message: `the cursor phase ${cursorPhase} does not go with ${syncPhase}` };
  }
  if (owed === (isHidden ? 1 : 0)) return undefined;
  return { invariant: 4, message: `${owed} follow-up redraws are owed in phase ${syncPhase}` };
};

const confirmWaitsForTheScreen: Check = ({ confirmPhase, proof }, previous) => {
  if (confirmPhase !== "active" || previous.confirmPhase === "active") return undefined;
  if (previous.confirmPhase === "pending" && proof.confirmDrawn && proof.confirmSynced) return undefined;
  return {
    invariant: 5,
    message: `a confirmation became active from ${previous.confirmPhase} without a draw and a sync`,
  };
};

const CHECKS = [
  rowsAreInOrder,
  boundaryOnlyAdvances,
  onlySettledLinesAreInserted,
  insertionHidesTheCursor,
  confirmWaitsForTheScreen,
];

export function checkInvariants(state: RenderState, previous: RenderState): Violation[] {
  return CHECKS.flatMap((check) => check(state, previous) ?? []);
}
