// Plays actions in a world, tick by tick: when time passes, when the terminal reads, and what is checked after every tick
// and at the end.

import type { Action, SessionHead } from "./action.js";
import { perform } from "./deeds.js";
import { Fault } from "./fault.js";
import { checkLiveArea, checkTranscript } from "./fidelity.js";
import type { World } from "./world.js";

/** What time a tick takes. Frames are 16 ms apart, so some ticks draw and some do not. */
const TICK_MS = 5;
/** News of a new size are late, but they come. */
const STALE_TICKS_MAX = 3;
/** Rows that are looked at after every tick; damage begins there, unless the width changes. */
const TAIL_ROWS = 40;

/** Everybody comes to rest. */
const LAST_ACTIONS: readonly Action[] = [
  { do: "pace", pace: "fast" },
  { do: "news" },
  { do: "close viewer" },
  { do: "resume" },
  { do: "finish" },
  { do: "stop" },
  { do: "wait", ms: 500 },
  { do: "wait", ms: 500 },
  { do: "frame", urgency: "now" },
];

export class Performance {
  private readonly world: World;
  private staleTicks = 0;

  constructor(world: World) {
    this.world = world;
  }

  tick(action: Action): void {
    const { world } = this;
    this.staleTicks = world.isNewsOwed ? this.staleTicks + 1 : 0;
    if (this.staleTicks > STALE_TICKS_MAX) world.tellSize();
    perform(world, action);
    world.clock.advance(TICK_MS);
    if (world.pipe.pace === "fast") world.settleDown();
    world.follow();
    world.program.dialogs.afterTick();
    world.follow();
  }

  check(depth: "tail" | "all"): void {
    const { window, pipe, program, ledger, isNewsOwed, isShellInLine } = this.world;
    if (!pipe.isQuiet || isNewsOwed || isShellInLine || program.place === "viewer") return;
    const modes = window.modes();
    if (modes.update === "begun") throw new Fault("modes", "a synchronized update was left open");
    if (window.screen === "alternate") throw new Fault("modes", "the alternate screen was left open");
    const isOurs = program.place === "screen";
    if (modes.wrap === "off" && !isOurs) throw new Fault("modes", `autowrap is off on the ${program.place}`);
    const { topRow } = checkLiveArea(window, isOurs ? this.world.shown : undefined);
    checkTranscript(window, topRow, ledger.printed, depth === "all" ? Number.POSITIVE_INFINITY : TAIL_ROWS);
  }

  /** The program goes, and only what was printed may stay. */
  end(manner: SessionHead["end"]): void {
    const { world } = this;
    if (manner === "orderly") this.comeToRest();
    world.close();
    const left = world.ledger.waitingCount;
    if (left > 0) throw new Fault("transcript", `${left} lines were never written`);
    world.isNewsOwed = false;
    this.check("all");
  }

  private comeToRest(): void {
    for (const action of LAST_ACTIONS) this.tick(action);
    this.check("all");
    if (this.world.program.dialogs.phase === "pending")
      throw new Fault("asks", "an ask was never allowed to take keys");
  }
}
