// Brings the open asks of a source before the user: it runs the typing guard (what is shown, and which keys answer it), opens
// the dialog and dispatches its outcome. It draws nothing itself.
import type { Ask, AskOutcome } from "../../contract/asks.js";
import { DOUBLE_PRESS_MS, GUARD_BEAT_MS } from "../../contract/limits.js";
import { isApproval } from "../../session/ask-facts.js";
import { openAskOf, openAsks } from "../../session/asks.js";
import type { Change } from "../../session/engine/engine-messages.js";
import type { Source } from "../../session/engine/source.js";
import {
  createTypingGuard,
  type GuardedAsk,
  reduceTypingGuard,
  type TypingGuardEffect,
  type TypingGuardInput,
  type TypingGuardState,
  waitingCount,
} from "../../session/typing-guard.js";
import type { AskDialog, DialogParts } from "../../terminal/dialogs/ask-dialog.js";
import { isCutReport, keyName } from "../../terminal/dialogs/key-names.js";
import { type DialogKeys, type DialogRequest, FOCUS_KEY } from "../../terminal/painter/dialogs/dialog-keys.js";
import type { ScreenClock } from "../../terminal/painter/inline-screen.js";
import { finderAt } from "./file-list.js";

export interface AskPorts {
  readonly source: Source;
  readonly clock: ScreenClock;
  /** How long no key may have come before a dialog takes the keys. */
  readonly typingGuardMs?: number;
  /** What is drawn of an ask that has no keys yet; its title if missing. */
  readonly pendingShows?: "title" | "whole";
  /** Whether it belongs to what is shown: an ask of another session waits until the user goes there. All do if missing. */
  isHere?(ask: Ask): boolean;
  openDialog(ask: Ask, given: GivenToDialog): AskDialog | null;
  /** A dialog came, went, or got the keys: the screen has to follow. */
  onStageChanged(change: AskPhaseChange): void;
  /** A key that is not for the dialog. */
  toComposer(key: string): void;
  /** Whether any field or list besides the dialog holds something that is not sent; false where there is none. */
  hasDraft(): boolean;
  /** Whether the screen lets a drawn dialog have the keys now. */
  mayTakeKeys(): boolean;
  /** Stops the agent that asks; missing where that takes another key. */
  stopAgent?(ask: Ask): void;
  /** The user wants to read full view, or to write elsewhere, before answering. */
  onRequest(view: AskDialog, request: DialogRequest): void;
}

/** What every dialog gets, in every view. */
export type GivenToDialog = Required<Pick<DialogParts, "keys" | "files">>;

/** "again": the dialog has the keys once more, or a key that was held came to it. */
export type AskPhaseChange = "pending" | "active" | "again" | "gone";

export class AskController {
  private readonly ports: AskPorts;
  private readonly given: GivenToDialog;
  private guard: TypingGuardState;
  private dialog: { ask: Ask; view: AskDialog } | null = null;
  /** What is half filled in, in a session that the user has left. */
  private readonly parked = new Map<string, AskDialog>();
  private lastEnd: { readonly ask: Ask; readonly by: "person" | "others"; readonly atMs: number } | null = null;
  /** Whether a draft was there after the last key: one that has vanished without a key still counts. */
  private draftBefore: "empty" | "written" = "empty";
  private hasCutReport = false;
  /** The last approval that was refused; a second no in the same session stops the agent. */
  private lastNo: { readonly atMs: number; readonly sessionId: string | null } | null = null;
  /** What the dialog showed of its subject when it was last looked at. */
  private shows: string | undefined;
  private cancelWake: () => void = () => undefined;
  private cancelBeat: (() => void) | null = null;

  constructor(ports: AskPorts) {
    this.ports = ports;
    this.given = { keys: () => this.keys, files: (place) => finderAt(place, () => ports.clock.nowMs()) };
    const { typingGuardMs: quietMs = 0, pendingShows = "title" } = ports;
    this.guard = createTypingGuard({ quietMs, pendingShows });
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

  /** All that are not answered yet. */
  get open(): readonly Ask[] {
    return openAsks(this.ports.source.state.asks);
  }

  get waiting(): number {
    return waitingCount(this.guard);
  }

  /** An ask was raised or settled; other changes mean nothing here. */
  follow(change: Change): void {
    if (change.type === "ask.raised") this.feedGuard(this.placing(change.ask));
    else if (change.type === "ask.settled") {
      const { ask, outcome } = change;
      if (this.dialog?.ask.id === ask.id) this.rememberEnd(ask, outcome);
      this.parked.delete(ask.id);
      this.feedGuard({ type: "close", askId: ask.id });
    }
  }

  /** Another session is shown: its asks come, those of the others go, and all stay open. */
  sessionSwitched(): void {
    for (const ask of this.open) if (!this.isHere(ask)) this.feedGuard(this.placing(ask));
    for (const ask of this.open) if (this.isHere(ask)) this.feedGuard(this.placing(ask));
  }

  private isHere(ask: Ask): boolean {
    return this.ports.isHere?.(ask) ?? true;
  }

  private placing(ask: Ask): TypingGuardInput {
    return { type: this.isHere(ask) ? "show" : "close", askId: ask.id };
  }

  /** Without an ask every key is for the composer: `typed` before it and `rememberDraft` after it are enough. */
  get isIdle(): boolean {
    return this.guard.head === null;
  }

  /** A key went somewhere else. */
  typed(key?: string): void {
    if (key !== undefined) this.hasCutReport = isCutReport(key);
    this.feedGuard({ type: "typed", atMs: this.ports.clock.nowMs() });
    this.rememberDraft();
  }

  /** A line that answers the question has been begun. */
  engage(): void {
    this.feedGuard({ type: "engage", atMs: this.ports.clock.nowMs() });
  }

  /** A frame with the dialog reached the terminal, and nothing waits for the scrollback. */
  drawn(): void {
    this.lookForNews();
    const atMs = this.ports.clock.nowMs();
    const phase = this.guard.head?.phase;
    if (phase !== "pending" && phase !== "waiting") return;
    if (phase === "pending" && this.dialog !== null) {
      this.ports.source.dispatch({ type: "shown", askId: this.dialog.ask.id });
    }
    this.feedGuard({ type: "drawn", atMs });
    this.feedGuard({ type: "synced", atMs });
  }

  /** Every key comes here; the guard decides whether it is for the dialog or for the composer. */
  key(key: string): void {
    this.lookForNews();
    const isRest = this.hasCutReport;
    this.hasCutReport = isCutReport(key);
    const use = keyName(key) === FOCUS_KEY ? "focus" : isRest ? "other" : (this.dialog?.view.use(key) ?? "other");
    this.feedGuard({ type: "key", key, use, draft: this.draft, atMs: this.ports.clock.nowMs() });
    this.rememberDraft();
  }

  /** Gives up the question that is shown. A second "no" to an approval, right after the first, stops the agent, too. */
  cancel(): void {
    if (this.dialog === null) return;
    const { ask } = this.dialog;
    const { source, clock } = this.ports;
    const { sessionId } = ask;
    const atMs = clock.nowMs();
    const isSame = this.lastNo?.sessionId === sessionId && atMs - this.lastNo.atMs < DOUBLE_PRESS_MS;
    const isSecond = isApproval(ask) && isSame;
    this.lastNo = isApproval(ask) ? { atMs, sessionId } : null;
    source.dispatch({ type: "cancel", askId: ask.id });
    if (isSecond) this.ports.stopAgent?.(ask);
  }

  /** No timer is left behind. */
  close(): void {
    this.cancelWake();
    this.cancelBeat?.();
    this.cancelBeat = null;
  }

  private lookForNews(): void {
    const before = this.shows;
    this.shows = this.dialog?.view.shows;
    if (before !== undefined && this.shows !== before) {
      this.feedGuard({ type: "renewed", atMs: this.ports.clock.nowMs() });
    }
  }

  private get draft(): "empty" | "written" {
    return this.ports.hasDraft() ? "written" : this.draftBefore;
  }

  rememberDraft(): void {
    this.draftBefore = this.ports.hasDraft() ? "written" : "empty";
  }

  private toDialog(key: string): void {
    const { shown } = this;
    const outcome = shown?.view.key(key) ?? null;
    if (shown === null || outcome === null) return;
    if (outcome.type === "whole" || outcome.type === "external-editor") this.ports.onRequest(shown.view, outcome);
    else if (outcome.type === "cancelled") this.cancel();
    else this.ports.source.dispatch({ type: "answer", askId: shown.ask.id, value: outcome.value });
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
      this.lookForNews();
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
        this.cancelWake();
        this.cancelWake = this.wakeAt(effect.atMs, () => this.lookAfterInput());
        return;
    }
  }

  // A key that was pressed in time may still be unread when its timer runs.
  private lookAfterInput(): void {
    const { clock } = this.ports;
    const look = () => this.feedGuard({ type: "clock", atMs: clock.nowMs() });
    if (clock.afterInput === undefined) look();
    else this.cancelWake = clock.afterInput(look);
  }

  private bring(askId: string): void {
    const ask = openAskOf(this.ports.source.state.asks, askId);
    if (ask === null) return;
    const view = this.parked.get(askId) ?? this.ports.openDialog(ask, this.given);
    this.parked.delete(askId);
    if (view === null) {
      this.ports.source.dispatch({ type: "cancel", askId });
      return;
    }
    this.dialog = { ask, view };
    this.shows = undefined;
    // A key that comes now is meant for the question that was there a moment ago. Only where the user has just filled one
    // in, the next one that is written into takes keys at once: people fill in several in a row, and a secret among them
    // must not go to the composer.
    const isFollowOn = takesText(ask) && this.lastEnd?.by === "person" && isFilledIn(this.lastEnd.ask);
    if (isFollowOn) this.feedGuard({ type: "follow-on" });
    else this.feedGuard({ type: "typed", atMs: this.lastEnd?.atMs ?? Number.NEGATIVE_INFINITY });
    this.ports.onStageChanged("pending");
  }

  private rememberEnd(ask: Ask, outcome: AskOutcome): void {
    const by = "by" in outcome && outcome.by === this.ports.source.by ? "person" : "others";
    this.lastEnd = { ask, by, atMs: this.ports.clock.nowMs() };
  }

  private remove(askId: string): void {
    if (this.dialog?.ask.id !== askId) return;
    const { ask, view } = this.dialog;
    // What was typed is kept. A selection is not: an approval starts again.
    if (openAskOf(this.ports.source.state.asks, askId) !== null && isFilledIn(ask)) this.parked.set(askId, view);
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
    case "input":
      return !isFilled(question.params.opts?.default);
    case "editor":
      return !isFilled(question.params.prefill);
    case "form":
      return question.params.fields.some((field) => field.required === true && !isFilled(field.default));
    default:
      return false;
  }
}

function isFilledIn({ question }: Ask): boolean {
  return question.kind !== "confirm" && question.kind !== "permission";
}

function isFilled(preset: unknown): boolean {
  return preset !== undefined && preset !== null && preset !== "";
}
