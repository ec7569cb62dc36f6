// One session from start to end: plays a script, checks after every tick, and says what went wrong first.

import type { Script } from "./action.js";
import { Fault } from "./fault.js";
import { Performance } from "./performance.js";
import { plainPrinting } from "./twin.js";
import { World } from "./world.js";

/** The whole scrollback is read after this many ticks, after each change of the window, and at the end. */
const TICKS_BETWEEN_FULL_CHECKS = 50;

export interface Failure {
  readonly fault: Fault;
  /** The action that was played last, counted from 1; one more than there are actions means the end of the session. */
  readonly tick: number;
}

export type Outcome =
  | { readonly result: "passed" }
  /** Plain printing is damaged in the same way. */
  | { readonly result: "excused"; readonly failure: Failure }
  | { readonly result: "failed"; readonly failure: Failure };

export function playScript(script: Script): Outcome {
  let tick = 0;
  let world: World | undefined;
  try {
    world = new World(script.session);
    const performance = new Performance(world);
    for (const action of script.actions) {
      tick += 1;
      performance.tick(action);
      const isThorough = tick % TICKS_BETWEEN_FULL_CHECKS === 0 || action.do === "resize";
      performance.check(isThorough ? "all" : "tail");
    }
    tick += 1;
    performance.end(script.session.end);
    return { result: "passed" };
  } catch (error) {
    const failure = { fault: asFault(error), tick };
    const isExcused =
      failure.fault.rule === "transcript" &&
      world !== undefined &&
      plainPrinting(script.session, world.ledger) === "harmed";
    return { result: isExcused ? "excused" : "failed", failure };
  } finally {
    world?.dispose();
  }
}

function asFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new Fault("crash", text.split("\n").slice(0, 4).join("\n"));
}
