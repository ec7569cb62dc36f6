// Brings asks before the person: it runs the desk (what is open) and the stage (what is shown), performs their effects, and
// knows the dialog that has the keys. It draws nothing and sends nothing itself; both are ports.
import type { Ask, AskOutcome, AuditRecord } from "../../contract/asks.js";
import {
  type AskDeskEffect,
  type AskDeskInput,
  emptyAskDesk,
  openAskOf,
  openAsks,
  reduceAskDesk,
} from "../../core/ask-desk.js";
import {
  type AskStageInput,
  type AskStageState,
  createAskStage,
  reduceAskStage,
  waitingCount,
} from "../../core/ask-stage.js";
import type { DialogOutcome, DialogWish } from "../../screen/dialogs/dialog-outcome.js";
import type { ScreenClock } from "../../screen/inline-screen.js";
import type { AskDialog } from "../dialogs/ask-dialog.js";

export interface AskPorts {
  readonly clock: ScreenClock;
  /** How long nobody may have typed before a dialog takes the keys. */
  readonly typingGuardMs?: number;
  openDialog(ask: Ask): AskDialog | null;
  /** The outcome has to reach the agent. */
  tellAgent(ask: Ask, outcome: AskOutcome): void;
  /** A dialog came, went, or got the keys: the screen has to follow. */
  onStageChanged(change: "pending" | "active" | "gone"): void;
  /** Whether the screen lets a drawn dialog have the keys now. */
  mayTakeKeys(): boolean;
  onClosed(ask: Ask, outcome: AskOutcome): void;
  /** The person wants to read all of it, or to write elsewhere, before answering. */
  onWish(view: AskDialog, wish: DialogWish): void;
  onAudit(record: AuditRecord): void;
}

const PERSON = "tui";

export class AskDeskRunner {
  private readonly ports: AskPorts;
  private desk = emptyAskDesk;
  private stage: AskStageState;
  private dialog: { ask: Ask; view: AskDialog } | null = null;
  private isToldElsewhere = false;
  private lastClosedAtMs = Number.NEGATIVE_INFINITY;
  private lastEndedBy: "person" | "others" = "person";
  private cancelDeskWake: () => void = () => undefined;
  private cancelStageWake: () => void = () => undefined;

  constructor(ports: AskPorts) {
    this.ports = ports;
    this.stage = createAskStage(ports.typingGuardMs === undefined ? {} : { quietMs: ports.typingGuardMs });
  }

  /** The dialog on the screen, and whether it has the keys. */
  get shown(): { ask: Ask; view: AskDialog; phase: "pending" | "active" } | null {
    const { head } = this.stage;
    return this.dialog === null || head === null ? null : { ...this.dialog, phase: head.phase };
  }

  /** All that nobody has answered yet. */
  get open(): readonly Ask[] {
    return openAsks(this.desk);
  }

  get waiting(): number {
    return waitingCount(this.stage);
  }

  ask(ask: Ask): void {
    this.feedDesk({ type: "ask", ask, atMs: this.ports.clock.nowMs() });
  }

  withdraw(input: Extract<AskDeskInput, { type: "withdraw" | "withdraw-all" }>): void {
    this.feedDesk(input);
  }

  /** The answer came from elsewhere; nobody has to be told any more. */
  settledElsewhere(askId: string, outcome: AskOutcome): void {
    const atMs = this.ports.clock.nowMs();
    this.isToldElsewhere = true;
    if (outcome.kind === "answered")
      this.feedDesk({ type: "answer", askId, value: outcome.value, by: outcome.by, atMs });
    else if (outcome.kind === "cancelled") this.feedDesk({ type: "cancel", askId, by: outcome.by, atMs });
    else this.feedDesk({ type: "withdraw", askId, reason: "agent_cancelled", atMs });
    this.isToldElsewhere = false;
  }

  /** A key went to the composer. */
  typed(): void {
    this.feedStage({ type: "typed", atMs: this.ports.clock.nowMs() });
  }

  /** A frame with the dialog reached the terminal, and nothing waits for the scrollback. */
  drawn(): void {
    const atMs = this.ports.clock.nowMs();
    if (this.stage.head?.phase !== "pending") return;
    this.feedStage({ type: "drawn", atMs });
    this.feedStage({ type: "synced", atMs });
  }

  key(sequence: string): void {
    const { shown } = this;
    if (shown?.phase !== "active") return;
    const outcome = shown.view.key(sequence);
    if (outcome?.type === "whole" || outcome?.type === "external-editor") this.ports.onWish(shown.view, outcome);
    else if (outcome !== null) this.settle(shown.ask, outcome);
  }

  private settle(ask: Ask, outcome: Exclude<DialogOutcome, DialogWish | null>): void {
    const atMs = this.ports.clock.nowMs();
    if (outcome.type === "cancelled") this.feedDesk({ type: "cancel", askId: ask.id, by: PERSON, atMs });
    else this.feedDesk({ type: "answer", askId: ask.id, value: outcome.value, by: PERSON, atMs });
  }

  private feedDesk(input: AskDeskInput): void {
    const { state, effects } = reduceAskDesk(this.desk, input);
    this.desk = state;
    for (const effect of effects) this.performDesk(effect);
  }

  private performDesk(effect: AskDeskEffect): void {
    switch (effect.type) {
      case "show-ask":
        this.feedStage({ type: "show", askId: effect.ask.id });
        return;
      case "close-ask":
        this.ports.onClosed(effect.ask, effect.outcome);
        if (this.dialog?.ask.id === effect.ask.id) this.rememberEnd(effect.outcome);
        this.feedStage({ type: "close", askId: effect.ask.id });
        return;
      case "tell-agent":
        if (!this.isToldElsewhere) this.ports.tellAgent(effect.ask, effect.outcome);
        return;
      case "write-audit":
        this.ports.onAudit(effect.record);
        return;
      case "wake-at":
        this.cancelDeskWake();
        this.cancelDeskWake = this.wakeAt(effect.atMs, () =>
          this.feedDesk({ type: "clock", atMs: this.ports.clock.nowMs() }),
        );
        return;
      case "tell-late":
      case "show-open":
        return;
    }
  }

  private feedStage(input: AskStageInput): void {
    const { state, effects } = reduceAskStage(this.stage, input);
    // The screen has the last word: it knows whether the dialog was drawn with nothing left to insert.
    const takesKeys = effects.some(({ type }) => type === "take-keys");
    if (takesKeys && !this.ports.mayTakeKeys()) return;
    this.stage = state;
    for (const effect of effects) {
      if (effect.type === "draw-pending") this.bring(effect.askId);
      else if (effect.type === "take-keys") this.ports.onStageChanged("active");
      else if (effect.type === "remove") this.remove(effect.askId);
      else {
        this.cancelStageWake();
        this.cancelStageWake = this.wakeAt(effect.atMs, () =>
          this.feedStage({ type: "clock", atMs: this.ports.clock.nowMs() }),
        );
      }
    }
  }

  private bring(askId: string): void {
    const ask = openAskOf(this.desk, askId);
    const view = ask === null ? null : this.ports.openDialog(ask);
    if (ask === null) return;
    if (view === null) {
      this.feedDesk({ type: "cancel", askId, by: PERSON, atMs: this.ports.clock.nowMs() });
      return;
    }
    this.dialog = { ask, view };
    // Whoever is about to press a key means the question that was just there, not the one that takes its place. Where one key
    // is no decision, and the person has ended the one before, there is nothing to be afraid of: people answer several in a row.
    if (isDecidedByOneKey(ask) || this.lastEndedBy === "others")
      this.feedStage({ type: "typed", atMs: this.lastClosedAtMs });
    this.ports.onStageChanged("pending");
  }

  private rememberEnd(outcome: AskOutcome): void {
    this.lastClosedAtMs = this.ports.clock.nowMs();
    this.lastEndedBy = "by" in outcome && outcome.by === PERSON ? "person" : "others";
  }

  private remove(askId: string): void {
    if (this.dialog?.ask.id !== askId) return;
    this.dialog = null;
    this.ports.onStageChanged("gone");
  }

  private wakeAt(atMs: number | null, run: () => void): () => void {
    return atMs === null ? () => undefined : this.ports.clock.after(Math.max(0, atMs - this.ports.clock.nowMs()), run);
  }
}

// Where something is filled in already, Enter alone sends it.
function isDecidedByOneKey({ question }: Ask): boolean {
  switch (question.kind) {
    case "confirm":
    case "permission":
    case "select":
      return true;
    case "input":
      return isFilled(question.params.opts?.default);
    case "editor":
      return isFilled(question.params.prefill);
    case "form":
      return question.params.fields.every((field) => field.required !== true || isFilled(field.default));
  }
}

function isFilled(preset: unknown): boolean {
  return preset !== undefined && preset !== null && preset !== "";
}
