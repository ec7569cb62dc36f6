// The invariants of the inline screen, checked from outside against the ledger: an account that was kept by other means
// than the screen's own. The screen checks itself too; an error in its checks would go unseen otherwise.

import type { RenderState } from "../../../src/terminal/painter/render-state.js";
import { Fault } from "./fault.js";
import type { Ledger } from "./ledger.js";

export class StateRules {
  private previous: RenderState | undefined;
  private framesSincePending = 0;

  /** The screen asked for its rows: a frame is being drawn. */
  frameBegan(): void {
    this.framesSincePending += 1;
  }

  check(state: RenderState, ledger: Ledger): void {
    this.checkRows(state, ledger);
    this.checkPhases(state);
    this.checkConfirmation(state);
    this.previous = state;
  }

  private checkRows({ insertedUntil, visibleStart, visibleEnd, wrappedTotal }: RenderState, ledger: Ledger): void {
    const rows = [0, insertedUntil, visibleStart, visibleEnd, wrappedTotal];
    require(rows.every(
      (row, index) => row >= (rows[index - 1] ?? 0),
    ), `rows out of order: ${rows.slice(1).join(", ")}`);
    const waits = ledger.waitingInBlocks > 0;
    require(waits ===
      visibleStart > insertedUntil, `${ledger.waitingInBlocks} lines wait, but ${visibleStart - insertedUntil} rows`);
  }

  private checkPhases({ syncPhase, cursorPhase, proof }: RenderState): void {
    require(syncPhase !== "insertedNeedsRedraw", "a tick ended between an insertion and its redraw");
    require(cursorPhase === "visibleAtComposer", "a tick ended with the cursor hidden for an insertion");
    require(proof.insertions ===
      proof.followUpRedraws, `${proof.insertions} insertions had ${proof.followUpRedraws} redraws`);
  }

  private checkConfirmation({ confirmPhase, syncPhase }: RenderState): void {
    const before = this.previous?.confirmPhase ?? "none";
    if (confirmPhase === "pending" && before !== "pending") this.framesSincePending = 1;
    if (confirmPhase !== "active" || before === "active") return;
    require(before === "pending", `a confirmation went from ${before} to active`);
    require(this.framesSincePending > 0, "a confirmation became active before it was drawn");
    require(syncPhase === "idle", "a confirmation became active while lines wait for their insertion");
  }
}

function require(isTrue: boolean, message: string): void {
  if (!isTrue) throw new Fault("state", message);
}
