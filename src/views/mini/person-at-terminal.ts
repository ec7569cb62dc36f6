// What every person at a terminal of this machine has in common, drawn on or spoken to: questions are taken one at a time, the
// terminal is taken for the first and given back after the last, and whoever waits meanwhile is told. How a question looks
// and what answers it is for those that extend it.
//
//   ask ─► take the terminal ─► pending ─► active ─► gone ─► the next one, or give the terminal back
import type { Ask, AskOutcome, WithdrawReason } from "../../contract/asks.js";
import { SessionEngine } from "../../session/engine/source.js";
import type { AskDialog } from "../../terminal/dialogs/ask-dialog.js";
import type { DialogRequest } from "../../terminal/painter/dialogs/dialog-keys.js";
import type { ScreenClock } from "../../terminal/painter/inline-screen.js";
import { AskController, type AskPhaseChange } from "../inline/ask-controller.js";
import type { AskManner, Person, PersonHandlers } from "./person.js";

export interface PersonTiming {
  readonly clock: ScreenClock;
  readonly typingGuardMs: number;
}

/** What may be given back at once, or when the terminal has answered what it was asked. */
export interface TakenTerminal {
  close(): void | Promise<void>;
}

export abstract class PersonAtTerminal<Terminal extends TakenTerminal> implements Person {
  protected readonly runner: AskController;
  private readonly engine: SessionEngine;
  protected abstract readonly manner: AskManner;
  protected terminal: Terminal | null = null;
  private readonly handlers: PersonHandlers;
  /** While the terminal is on its way back from the last question. */
  private closing: Promise<void> | null = null;

  constructor(timing: PersonTiming, handlers: PersonHandlers) {
    this.handlers = handlers;
    this.engine = new SessionEngine({
      clock: timing.clock,
      send: () => undefined,
      respond: (ask, outcome) => {
        handlers.onOutcome(ask, outcome);
        return "delivered";
      },
    });
    this.runner = new AskController({
      source: this.engine,
      clock: timing.clock,
      typingGuardMs: timing.typingGuardMs,
      pendingShows: "whole",
      openDialog: (ask) => (this.terminal === null && !this.take() ? null : this.openDialog(ask)),
      onStageChanged: (change) => this.follow(change),
      // There is nothing else here to type into.
      toComposer: () => this.refused(),
      hasDraft: () => false,
      mayTakeKeys: () => this.terminal !== null,
      onWish: (view, wish) => this.fulfil(view, wish),
    });
    this.engine.subscribe((changes) => {
      for (const change of changes) {
        if (change.type === "ask.settled" && change.outcome.kind === "withdrawn") {
          this.takenBack(change.ask, change.outcome);
        }
        this.runner.follow(change);
      }
    });
  }

  ask(ask: Ask): void {
    this.whenFree(() => this.engine.take({ type: "event", event: { type: "ask.raised", sessionId: null, ask } }));
  }

  withdraw(askId: string, reason: WithdrawReason): void {
    this.whenFree(() => this.withdrawNow(askId, reason));
  }

  async close(): Promise<void> {
    await this.closing;
    this.withdrawAll("shutdown");
    this.leave();
    await this.closing;
  }

  /** Null when it cannot be had any more. */
  protected abstract openTerminal(): Terminal | null;
  protected abstract openDialog(ask: Ask): AskDialog | null;
  /** The question is there and takes no keys yet, takes them (again), or is gone. */
  protected abstract show(change: AskPhaseChange): void;

  /** A key came that is not for the question. */
  protected refused(): void {}

  protected fulfil(_view: AskDialog, _wish: DialogRequest): void {}

  protected takenBack(ask: Ask, outcome: Extract<AskOutcome, { kind: "withdrawn" }>): void {
    this.handlers.onOutcome(ask, outcome);
  }

  protected withdrawAll(reason: WithdrawReason): void {
    // The last one first, so that none comes before the user in between.
    for (const { id } of [...this.runner.open].reverse()) this.withdrawNow(id, reason);
  }

  private withdrawNow(askId: string, reason: WithdrawReason): void {
    this.engine.take({ type: "event", event: { type: "ask.withdrawn", sessionId: null, askId, reason } });
  }

  private whenFree(deed: () => void): void {
    if (this.closing === null) deed();
    else void this.closing.then(deed);
  }

  private take(): boolean {
    this.handlers.onOpening(this.manner);
    this.terminal = this.openTerminal();
    if (this.terminal === null) this.handlers.onClosed();
    return this.terminal !== null;
  }

  // The quiet moment begins when the question appears: what is in the keyboard's buffer by then was typed for something else.
  private follow(change: AskPhaseChange): void {
    this.show(change);
    if (change === "pending") {
      this.runner.typed();
      this.runner.drawn();
    }
    if (change !== "gone") return;
    // The next question, if there is one, comes before this runs, and then the terminal stays.
    queueMicrotask(() => {
      if (this.runner.shown === null) this.leave();
    });
  }

  private leave(): void {
    const { terminal } = this;
    if (terminal === null) return;
    this.terminal = null;
    const given = terminal.close();
    if (given === undefined) {
      this.handlers.onClosed();
      return;
    }
    this.closing = given.then(() => {
      this.closing = null;
      this.handlers.onClosed();
    });
  }
}
