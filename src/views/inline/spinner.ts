// The spinner while an agent works, and with it the seconds that are counted. Motion means work: nothing moves, and
// nothing is written, while all agents are idle.
import type { ScreenClock } from "../../terminal/painter/inline-screen.js";
import type { AppLook } from "./app-look.js";

const TURN_MS = 100;
/** For the seconds alone. */
const REDUCED_TURN_MS = 1_000;

export interface SpinnerPorts {
  readonly clock: ScreenClock;
  readonly look: Pick<AppLook, "motion">;
  isWorking(): boolean;
  draw(): void;
}

export class Spinner {
  private readonly ports: SpinnerPorts;
  private turns = 0;
  private grownAtMs = Number.NEGATIVE_INFINITY;
  private cancelTurn: (() => void) | null = null;

  constructor(ports: SpinnerPorts) {
    this.ports = ports;
  }

  /** Which picture it is. */
  get picture(): number {
    return this.isReduced ? 0 : this.turns;
  }

  /** Words arrived, which are motion enough and draw themselves: it turns when nothing else moves. */
  wordsCame(): void {
    this.grownAtMs = this.ports.clock.nowMs();
  }

  /** To be called when an agent may have begun to work; it stops by itself. */
  keepTurning(): void {
    if (this.cancelTurn !== null || !this.ports.isWorking()) return;
    this.cancelTurn = this.ports.clock.after(this.isReduced ? REDUCED_TURN_MS : TURN_MS, () => this.turn());
  }

  stop(): void {
    this.cancelTurn?.();
  }

  private get isReduced(): boolean {
    return this.ports.look.motion === "reduced";
  }

  private turn(): void {
    this.cancelTurn = null;
    if (this.grownAtMs >= this.ports.clock.nowMs() - TURN_MS) this.keepTurning();
    else {
      this.turns += 1;
      this.ports.draw();
    }
  }
}
