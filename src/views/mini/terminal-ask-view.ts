// What dialogs and plain lines share: asks are shown one at a time, and the terminal is taken for the first and released after
// the last. Subclasses decide how an ask looks and which keys answer it.
//
//   ask.raised ─► take the terminal ─► pending ─► active ─► gone ─► the next one, or give the terminal back
import type { Ask } from "../../contract/asks.js";
import type { Change } from "../../session/engine/engine-messages.js";
import type { AskDialog } from "../../terminal/dialogs/ask-dialog.js";
import type { DialogRequest } from "../../terminal/painter/dialogs/dialog-keys.js";
import type { ScreenClock } from "../../terminal/painter/inline-screen.js";
import { AskController, type AskPhaseChange, type GivenToDialog } from "../inline/ask-controller.js";
import type { AskManner, AskView, AskViewPorts } from "./ask-view.js";

export interface AskTiming {
  readonly clock: ScreenClock;
  readonly typingGuardMs: number;
}

/** What may be given back at once, or when the terminal has answered what it was asked. */
export interface TakenTerminal {
  close(): void | Promise<void>;
}

export abstract class TerminalAskView<Terminal extends TakenTerminal> implements AskView {
  protected readonly runner: AskController;
  protected abstract readonly manner: AskManner;
  protected terminal: Terminal | null = null;
  private readonly ports: AskViewPorts;
  /** While the terminal is on its way back from the last ask. */
  private closing: Promise<void> | null = null;

  constructor(timing: AskTiming, ports: AskViewPorts) {
    this.ports = ports;
    this.runner = new AskController({
      source: ports.source,
      clock: timing.clock,
      typingGuardMs: timing.typingGuardMs,
      pendingShows: "whole",
      openDialog: (ask, given) => (this.terminal === null && !this.take() ? null : this.openDialog(ask, given)),
      onStageChanged: (change) => this.phaseChanged(change),
      toComposer: (key) => this.typedEarly(key),
      hasDraft: () => false,
      mayTakeKeys: () => this.terminal !== null,
      onRequest: (view, request) => this.fulfil(view, request),
    });
  }

  follow(change: Change): void {
    if (this.closing === null) this.followNow(change);
    else void this.closing.then(() => this.followNow(change));
  }

  async close(): Promise<void> {
    await this.closing;
    this.leave();
    await this.closing;
  }

  /** Null when it cannot be had any more. */
  protected abstract openTerminal(): Terminal | null;
  protected abstract openDialog(ask: Ask, given: GivenToDialog): AskDialog | null;
  /** The ask is there and takes no keys yet, takes them (again), or is gone. */
  protected abstract show(change: AskPhaseChange): void;

  protected fulfil(_view: AskDialog, _request: DialogRequest): void {}

  protected withdrawn(): void {}

  /** A key that came before the ask takes keys. There is nothing else here to type into. */
  protected typedEarly(_key: string): void {}

  /** Nothing more can be read from the terminal. */
  protected disconnected(): void {
    this.ports.source.take({ type: "withdraw", reason: "disconnected" });
  }

  private followNow(change: Change): void {
    if (change.type === "ask.settled" && change.outcome.kind === "withdrawn") this.withdrawn();
    this.runner.follow(change);
  }

  private take(): boolean {
    this.ports.onOpening(this.manner);
    this.terminal = this.openTerminal();
    if (this.terminal === null) this.ports.onClosed();
    return this.terminal !== null;
  }

  // The quiet moment begins when the ask appears: what is in the keyboard's buffer by then was typed for something else.
  private phaseChanged(change: AskPhaseChange): void {
    this.show(change);
    if (change === "pending") {
      this.runner.typed();
      this.runner.drawn();
    }
    if (change !== "gone") return;
    // The next ask, if there is one, comes before this runs, and then the terminal stays.
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
      this.ports.onClosed();
      return;
    }
    this.closing = given.then(() => {
      this.closing = null;
      this.ports.onClosed();
    });
  }
}
