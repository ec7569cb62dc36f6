// Makes a failing script small enough to be read: takes away chunks of actions as long as the rest still fails in the same
// way, then makes what is left simpler. Every candidate is played, so the result is a proof and no guess.

import type { Action, Script } from "./action.js";
import { simplerActions, simplerSessions } from "./simpler.js";

interface ShrinkOptions {
  /** Whether this script still shows the failure in question. */
  readonly fails: (script: Script) => boolean;
  /** Candidates that may be played in all. */
  readonly triesMax: number;
}

export function shrink(script: Script, options: ShrinkOptions): Script {
  const search = new Search(script, options);
  do {
    search.isBetter = false;
    search.takeChunksAway();
    search.simplify();
  } while (search.isBetter && search.hasTries);
  return search.best;
}

class Search {
  best: Script;
  isBetter = false;
  private tries: number;
  private readonly fails: (script: Script) => boolean;

  constructor(script: Script, { fails, triesMax }: ShrinkOptions) {
    this.best = script;
    this.fails = fails;
    this.tries = triesMax;
  }

  get hasTries(): boolean {
    return this.tries > 0;
  }

  // Halves first, then ever smaller chunks, from the end: what happened last is most often what matters.
  takeChunksAway(): void {
    for (let size = Math.ceil(this.best.actions.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let end = this.best.actions.length; end > 0 && this.hasTries; end -= size) {
        const { actions } = this.best;
        this.attempt({ ...this.best, actions: [...actions.slice(0, Math.max(0, end - size)), ...actions.slice(end)] });
      }
    }
  }

  simplify(): void {
    while (simplerSessions(this.best.session).some((session) => this.attempt({ ...this.best, session })));
    for (let index = 0; index < this.best.actions.length && this.hasTries; index++) {
      while (this.simplifyAction(index));
    }
  }

  private simplifyAction(index: number): boolean {
    const action = this.best.actions[index];
    if (action === undefined) return false;
    return simplerActions(action).some((simpler) =>
      this.attempt({ ...this.best, actions: replaced(this.best.actions, index, simpler) }),
    );
  }

  private attempt(candidate: Script): boolean {
    if (!this.hasTries) return false;
    this.tries -= 1;
    if (!this.fails(candidate)) return false;
    this.best = candidate;
    this.isBetter = true;
    return true;
  }
}

function replaced(actions: readonly Action[], index: number, action: Action): Action[] {
  return actions.map((other, at) => (at === index ? action : other));
}
