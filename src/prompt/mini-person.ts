// A person at this terminal, asked by mini dialogs: one question at a time, first come first served. A dialog is drawn at
// once and takes keys only after a quiet moment, so that what was typed for the shell answers nothing. What a dialog cannot
// show whole is opened on the same screen.
import type { Ask, AskOutcome, WithdrawReason } from "../contract/asks.js";
import { wholeRows } from "../screen/dialogs/approval-body.js";
import type { DialogLook } from "../screen/dialogs/dialog-rows.js";
import type { Frame, Size } from "../screen/frame.js";
import type { ScreenClock } from "../screen/inline-screen.js";
import type { Environment } from "../screen/profile.js";
import { viewerFrame } from "../screen/viewer/viewer-frame.js";
import { viewerIntent } from "../screen/viewer/viewer-keys.js";
import { openViewer, reduceViewer, type ViewerState } from "../screen/viewer/viewer-state.js";
import { AskDeskRunner } from "../tui/app/ask-desk-runner.js";
import { hostTui } from "../tui/component-host.js";
import { type AskDialog, openAskDialog } from "../tui/dialogs/ask-dialog.js";
import { keyName, typedText } from "../tui/dialogs/key-names.js";
import { miniFrame } from "./mini-frame.js";
import type { MiniTerminalParts } from "./mini-terminal.js";
import type { Person, PersonHandlers } from "./person.js";

/** What a mini dialog needs of a terminal; a test plays one. */
export interface DialogTerminal {
  readonly size: Size;
  draw(): void;
  close(): Promise<void>;
}

export interface MiniPersonParts {
  readonly clock: ScreenClock;
  readonly environment: Environment;
  readonly look: DialogLook;
  readonly typingGuardMs: number;
  /** Takes the terminal; null when it cannot be had any more. */
  openTerminal(parts: MiniTerminalParts): DialogTerminal | null;
}

const WAITING = "one moment: a pause in typing, then it is yours";
const NOWHERE: Size = { columns: 80, rows: 24 };

export class MiniPerson implements Person {
  private readonly parts: MiniPersonParts;
  private readonly handlers: PersonHandlers;
  private readonly runner: AskDeskRunner;
  private terminal: DialogTerminal | null = null;
  private closing: Promise<void> = Promise.resolve();
  private reading: ViewerState | null = null;

  constructor(parts: MiniPersonParts, handlers: PersonHandlers) {
    this.parts = parts;
    this.handlers = handlers;
    this.runner = new AskDeskRunner({
      clock: parts.clock,
      typingGuardMs: parts.typingGuardMs,
      openDialog: (ask) => this.openDialog(ask),
      tellAgent: (ask, outcome) => this.tell(ask, outcome),
      onClosed: (ask, outcome) => {
        if (outcome.kind === "withdrawn") this.tell(ask, outcome);
      },
      onStageChanged: (change) => this.follow(change),
      mayTakeKeys: () => this.terminal !== null,
      onWish: (view, wish) => {
        if (wish.type === "whole") this.read(view);
      },
      onAudit: () => undefined,
    });
  }

  ask(ask: Ask): void {
    // The terminal may still be on its way back from the last question.
    void this.closing.then(() => this.runner.ask(ask));
  }

  withdraw(askId: string, reason: WithdrawReason): void {
    void this.closing.then(() => this.runner.withdraw({ type: "withdraw", askId, reason, atMs: this.nowMs }));
  }

  async close(): Promise<void> {
    await this.closing;
    this.runner.withdraw({ type: "withdraw-all", of: "everyone", reason: "shutdown", atMs: this.nowMs });
    this.leave();
    await this.closing;
  }

  private get nowMs(): number {
    return this.parts.clock.nowMs();
  }

  private tell(ask: Ask, outcome: AskOutcome): void {
    this.handlers.onOutcome(ask, outcome);
  }

  private openDialog(ask: Ask): AskDialog | null {
    if (this.terminal === null && !this.take()) return null;
    const tui = hostTui({ size: () => this.size, onRenderWanted: () => this.terminal?.draw() });
    const aside = () => asideWords(ask, this.runner.waiting);
    return openAskDialog(ask, { look: this.parts.look, tui, aside, fulfils: ["whole"] });
  }

  private get size(): Size {
    return this.terminal?.size ?? NOWHERE;
  }

  private take(): boolean {
    this.handlers.onOpening();
    this.terminal = this.parts.openTerminal({
      clock: this.parts.clock,
      environment: this.parts.environment,
      view: (size) => this.frame(size),
      onKey: (sequence) => this.key(sequence),
      onResize: (size) => {
        if (this.reading !== null) this.reading = reduceViewer(this.reading, { type: "resize", size });
      },
      onGone: () =>
        this.runner.withdraw({ type: "withdraw-all", of: "everyone", reason: "disconnected", atMs: this.nowMs }),
    });
    if (this.terminal === null) this.handlers.onClosed();
    return this.terminal !== null;
  }

  // The quiet moment begins when the dialog appears: what is in the keyboard's buffer by then was typed for something else.
  private follow(change: "pending" | "active" | "gone"): void {
    if (change === "pending") {
      this.runner.typed();
      this.terminal?.draw();
      this.runner.drawn();
    } else if (change === "active") this.terminal?.draw();
    else {
      this.reading = null;
      // The next question, if there is one, comes before this runs, and then the terminal stays.
      queueMicrotask(() => {
        if (this.runner.shown === null) this.leave();
      });
    }
  }

  private leave(): void {
    const { terminal } = this;
    if (terminal === null) return;
    this.terminal = null;
    this.closing = terminal.close().then(() => this.handlers.onClosed());
  }

  private key(sequence: string): void {
    if (this.reading !== null) this.readOn(this.reading, sequence);
    else if (this.runner.shown?.phase === "active") this.runner.key(sequence);
    else this.runner.typed();
    this.terminal?.draw();
  }

  private read(view: AskDialog): void {
    const whole = view.whole?.() ?? null;
    if (whole === null) return;
    const opened = openViewer({ lines: wholeRows(whole, this.parts.look), marks: [] }, this.size);
    this.reading = reduceViewer(opened, { type: "go", to: "start" });
  }

  private readOn(reading: ViewerState, sequence: string): void {
    const intent = viewerIntent(reading, typedText(sequence) || keyName(sequence) || "");
    if (intent !== null) this.reading = intent.type === "close" ? null : reduceViewer(reading, intent);
  }

  private frame(size: Size): Frame {
    const { look } = this.parts;
    if (this.reading !== null) return viewerFrame(this.reading, { dim: (text) => look.style.paint("dim", text) });
    const { shown } = this.runner;
    if (shown === null) return { rows: [], cursor: null };
    const { ask, view, phase } = shown;
    const dialog = (widthCells: number, rowsMax: number) => view.frame(widthCells, rowsMax);
    return miniFrame({ ask, dialog, waiting: phase === "pending" ? WAITING : null }, size, look);
  }
}

function asideWords({ origin }: Ask, waiting: number): string {
  const more = waiting === 0 ? "" : `${waiting} more`;
  const from = origin.name === undefined || origin.kind === "agent" ? "" : `from ${origin.name}`;
  return [more, from].filter(Boolean).join("  ");
}
