// Brings asks before the person: it runs the desk (what is open) and the typing guard (what is shown, and which keys answer
// it), and performs their effects. It draws nothing and sends nothing itself; both are ports.
import type { Ask, AskOutcome, AuditRecord } from "../../contract/asks.js";
import { GUARD_BEAT_MS } from "../../contract/limits.js";
import { type AsksEffect, type AsksInput, noAsks, openAskOf, openAsks, reduceAsks } from "../../session/asks.js";
import {
  createTypingGuard,
  type GuardedAsk,
  reduceTypingGuard,
  type TypingGuardEffect,
  type TypingGuardInput,
  type TypingGuardState,
  waitingCount,
} from "../../session/typing-guard.js";
import type { AskDialog } from "../../terminal/dialogs/ask-dialog.js";
import { keyName } from "../../terminal/dialogs/key-names.js";
import { type DialogKeys, FOCUS_KEY } from "../../terminal/painter/dialogs/dialog-keys.js";
import type { DialogOutcome, DialogRequest } from "../../terminal/painter/dialogs/dialog-outcome.js";
import type { ScreenClock } from "../../terminal/painter/inline-screen.js";

export interface AskPorts {
  readonly clock: ScreenClock;
  /** How long no key may have come before a dialog takes the keys. */
  readonly typingGuardMs?: number;
  openDialog(ask: Ask): AskDialog | null;
  /** The outcome has to reach the agent. */
  tellAgent(ask: Ask, outcome: AskOutcome): void;
  /** A dialog came, went, or got the keys: the screen has to follow. */
  onStageChanged(change: AskPhaseChange): void;
  /** A key that is not for the dialog. */
  toComposer(key: string): void;
  /** Whether the composer holds a text that is not sent; false where there is no composer. */
  hasDraft(): boolean;
  /** Whether the screen lets a drawn dialog have the keys now. */
  mayTakeKeys(): boolean;
  onClosed(ask: Ask, outcome: AskOutcome): void;
  /** The person wants to read all of it, or to write elsewhere, before answering. */
  onWish(view: AskDialog, wish: DialogRequest): void;
  onAudit(record: AuditRecord): void;
}

/** "again": the dialog has the keys once more, or a key that was held came to it. */
export type AskPhaseChange = "pending" | "active" | "again" | "gone";

const PERSON = "tui";

export class AskController {
  private readonly ports: AskPorts;
  private desk = noAsks;
  private guard: TypingGuardState;
  private dialog: { ask: Ask; view: AskDialog } | null = null;
  private isToldElsewhere = false;
  private lastEnd: { readonly ask: Ask; readonly by: "person" | "others"; readonly atMs: number } | null = null;
  private cancelDeskWake: () => void = () => undefined;
  private cancelGuardWake: () => void = () => undefined;
  private cancelBeat: (() => void) | null = null;

  constructor(ports: AskPorts) {
    this.ports = ports;
    this.guard = createTypingGuard(ports.typingGuardMs === undefined ? {} : { quietMs: ports.typingGuardMs });
  }

  /** The dialog on the screen, and whether it has the keys. */
  get shown(): { ask: Ask; view: AskDialog; phase: GuardedAsk["phase"] } | null {
    const { head } = this.guard;
    return this.dialog === null || head === null ? null : { ...this.dialog, phase: head.phase };
  }

  /** What the dialog needs to know to name its keys. */
  get keys(): DialogKeys {
    const { head } = this.guard;
    const isActive = head?.phase === "active";
    return {
      phase: head?.phase ?? "pending",
      draft: this.draft,
      heldKey: head?.phase === "held" ? head.key : null,
      engaged: isActive ? head.engaged : "none",
      explained: isActive ? head.explained : null,
      age: isActive && head.newUntilMs !== null ? "new" : "seen",
    };
  }

  /** All that nobody has answered yet. */
  get open(): readonly Ask[] {
    return openAsks(this.desk);
  }

  get waiting(): number {
    return waitingCount(this.guard);
  }

  ask(ask: Ask): void {
    this.feedDesk({ type: "ask", ask, atMs: this.ports.clock.nowMs() });
  }

  withdraw(input: Extract<AsksInput, { type: "withdraw" | "withdraw-all" }>): void {
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

  /** A key went somewhere else. */
  typed(): void {
    this.feedGuard({ type: "typed", atMs: this.ports.clock.nowMs() });
  }

  /** A line that answers the question has been begun. */
  engage(): void {
    this.feedGuard({ type: "engage", atMs: this.ports.clock.nowMs() });
  }

  /** A frame with the dialog reached the terminal, and nothing waits for the scrollback. */
  drawn(): void {
    const atMs = this.ports.clock.nowMs();
    const phase = this.guard.head?.phase;
    if (phase !== "pending" && phase !== "waiting") return;
    this.feedGuard({ type: "drawn", atMs });
    this.feedGuard({ type: "synced", atMs });
  }

  /** Every key comes here; the guard decides whether it is for the dialog or for the composer. */
  key(key: string): void {
    const use = keyName(key) === FOCUS_KEY ? "focus" : (this.dialog?.view.use(key) ?? "other");
    this.feedGuard({ type: "key", key, use, draft: this.draft, atMs: this.ports.clock.nowMs() });
  }

  /** Gives up the question that is shown, where that takes more than a key. */
  cancel(): void {
    if (this.dialog !== null) this.settle(this.dialog.ask, { type: "cancelled" });
  }

  /** No timer is left behind. */
  close(): void {
    this.cancelDeskWake();
    this.cancelGuardWake();
    this.cancelBeat?.();
    this.cancelBeat = null;
  }

  private get draft(): "empty" | "written" {
    return this.ports.hasDraft() ? "written" : "empty";
  }

  private toDialog(key: string): void {
    const { shown } = this;
    const outcome = shown?.view.key(key) ?? null;
    if (shown === null || outcome === null) return;
    if (outcome.type === "whole" || outcome.type === "external-editor") this.ports.onWish(shown.view, outcome);
    else this.settle(shown.ask, outcome);
  }

  private settle(ask: Ask, outcome: Exclude<DialogOutcome, DialogRequest | null>): void {
    const atMs = this.ports.clock.nowMs();
    if (outcome.type === "cancelled") this.feedDesk({ type: "cancel", askId: ask.id, by: PERSON, atMs });
    else this.feedDesk({ type: "answer", askId: ask.id, value: outcome.value, by: PERSON, atMs });
  }

  private feedDesk(input: AsksInput): void {
    const { state, effects } = reduceAsks(this.desk, input);
    this.desk = state;
    for (const effect of effects) this.performDesk(effect);
  }

  private performDesk(effect: AsksEffect): void {
    switch (effect.type) {
      case "show-ask":
        this.feedGuard({ type: "show", askId: effect.ask.id });
        return;
      case "close-ask":
        this.ports.onClosed(effect.ask, effect.outcome);
        if (this.dialog?.ask.id === effect.ask.id) this.rememberEnd(effect.ask, effect.outcome);
        this.feedGuard({ type: "close", askId: effect.ask.id });
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

  private feedGuard(input: TypingGuardInput): void {
    const { state, effects } = reduceTypingGuard(this.guard, input);
    // The screen has the last word: it knows whether the dialog was drawn with nothing left to insert.
    const takesKeys = effects.some(({ type }) => type === "take-keys");
    if (takesKeys && !this.ports.mayTakeKeys()) return;
    this.guard = state;
    for (const effect of effects) this.performGuard(effect, input);
    if (this.cancelBeat === null && this.guard.head !== null) this.beat();
  }

  // As long as an ask is shown, so that keys which were not read for a while do not pass for silence.
  private beat(): void {
    this.cancelBeat = this.ports.clock.after(GUARD_BEAT_MS, () => {
      this.cancelBeat = null;
      this.feedGuard({ type: "beat", atMs: this.ports.clock.nowMs() });
    });
  }

  private performGuard(effect: TypingGuardEffect, cause: TypingGuardInput): void {
    switch (effect.type) {
      case "draw-pending":
        this.bring(effect.askId);
        return;
      case "take-keys":
        this.ports.onStageChanged(effect.time === "first" ? "active" : "again");
        return;
      case "remove":
        this.remove(effect.askId);
        return;
      case "to-dialog":
        this.toDialog(effect.key);
        // A key that was held comes by the clock, and nothing else draws then.
        if (cause.type === "clock" && this.dialog !== null) this.ports.onStageChanged("again");
        return;
      case "to-composer":
        this.ports.toComposer(effect.key);
        return;
      case "let-go":
        this.dialog?.view.letGo?.();
        return;
      case "keys-count":
        this.ports.onStageChanged("again");
        return;
      case "wake-at":
        this.cancelGuardWake();
        this.cancelGuardWake = this.wakeAt(effect.atMs, () => this.lookAfterInput());
        return;
    }
  }

  // A key that was pressed in time may still be unread when its timer runs.
  private lookAfterInput(): void {
    const { clock } = this.ports;
    const look = () => this.feedGuard({ type: "clock", atMs: clock.nowMs() });
    if (clock.afterInput === undefined) look();
    else this.cancelGuardWake = clock.afterInput(look);
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
    // A key that comes now is meant for the question that was there a moment ago. Only where the person has just filled one
    // in, the next one that is written into takes keys at once: people fill in several in a row, and a secret among them
    // must not go to the composer.
    const isFollowOn = takesText(ask) && this.lastEnd?.by === "person" && isFilledIn(this.lastEnd.ask);
    if (isFollowOn) this.feedGuard({ type: "follow-on" });
    else this.feedGuard({ type: "typed", atMs: this.lastEnd?.atMs ?? Number.NEGATIVE_INFINITY });
    this.ports.onStageChanged("pending");
  }

  private rememberEnd(ask: Ask, outcome: AskOutcome): void {
    const by = "by" in outcome && outcome.by === PERSON ? "person" : "others";
    this.lastEnd = { ask, by, atMs: this.ports.clock.nowMs() };
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

/** Whether it has to be written into: where something is filled in already, Enter alone would send it. */
function takesText({ question }: Ask): boolean {
  switch (question.kind) {
    case "confirm":
    case "permission":
    case "select":
      return false;
    case "input":
      return !isFilled(question.params.opts?.default);
    case "editor":
      return !isFilled(question.params.prefill);
    case "form":
      return question.params.fields.some((field) => field.required === true && !isFilled(field.default));
  }
}

function isFilledIn({ question }: Ask): boolean {
  return question.kind !== "confirm" && question.kind !== "permission";
}

function isFilled(preset: unknown): boolean {
  return preset !== undefined && preset !== null && preset !== "";
}
