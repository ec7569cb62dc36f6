// When a confirmation may take over, checked from outside: against the frames that were drawn, and against the ledger, an
// account that was kept by other means than the screen's own.

import type { RenderState } from "../../../src/terminal/painter/stages.js";
import { Fault } from "./fault.js";
import type { Ledger } from "./ledger.js";

export class StateRules {
  private before: RenderState["confirmPhase"] = "none";
  private framesSincePending = 0;

  /** The screen asked for its rows: a frame is being drawn. */
  frameBegan(): void {
    this.framesSincePending += 1;
  }

  check(now: RenderState["confirmPhase"], ledger: Ledger, insertion: "allowed" | "held"): void {
    const { before } = this;
    this.before = now;
    if (waits(now) && !waits(before)) this.framesSincePending = 1;
    if (now !== "active" || before === "active") return;
    require(waits(before), `a confirmation went from ${before} to active`);
    require(this.framesSincePending > 0, "a confirmation became active before it was drawn");
    const isCaughtUp = insertion === "held" || ledger.waitingInScreen === 0;
    require(isCaughtUp, "a confirmation became active while lines wait for their insertion");
  }
}

function waits(phase: RenderState["confirmPhase"]): boolean {
  return phase === "pending" || phase === "drawn";
}

function require(isTrue: boolean, message: string): void {
  if (!isTrue) throw new Fault("state", message);
}
