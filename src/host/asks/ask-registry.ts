// The open asks of a daemon that belong to no session, in an engine of their own: the asker gets a promise of the outcome, the
// first answer wins and the next one is told so, deadlines are kept, and every outcome leaves its record. Where the asker may come
// back, the ask stays open without it, also in the next daemon, and the outcome is kept for it.
import type { Ask, AskOutcome, AuditRecord } from "../../contract/asks.js";
import { type AsksInput, idsOf, type OpenAsk, openAskOf, openAsks, outcomeOf } from "../../session/asks.js";
import type { Change } from "../../session/engine/engine-messages.js";
import { SessionEngine } from "../../session/engine/source.js";
import { realTimers, steadyNowMs, type Timers } from "../../system/timers.js";
import { checkAnswer } from "./answer-check.js";
import type { Asker, AskJournal, ReopenedAsk } from "./ask-journal.js";
import type { AnswerVerdict, AskAnswer, AskPort } from "./ask-port.js";

export interface AskRegistryOptions {
  /** Must never go back, or deadlines would not come. */
  readonly nowMs?: () => number;
  readonly timers?: Timers;
  /** "asker": the program that asked keeps the record. */
  readonly onAudit?: (record: AuditRecord, keeper: "here" | "asker") => void;
  /** Where asks are kept for the next daemon. */
  readonly journal?: AskJournal;
}

export interface AskOptions {
  /** Who writes the record of this ask, while the asker is there. */
  readonly history?: "here" | "asker";
  readonly asker?: Asker;
}

class WaitingAsker {
  resolve: (outcome: AskOutcome) => void = () => undefined;
  readonly outcome = new Promise<AskOutcome>((resolve) => {
    this.resolve = resolve;
  });
}

/** How long an ask waits for an asker that lost its daemon, and for one that may be restarted. */
const AWAY_MS_MAX: Readonly<Record<Exclude<Asker, "ends">, number>> = {
  reconnects: 60_000,
  returns: 7 * 24 * 60 * 60 * 1_000,
};
/** How long the record of an outcome waits for a living asker that lost its daemon: the record says when the asker got it. */
const COMES_BACK_MS_MAX = 10_000;
/** Outcomes in memory for askers that come back; a secret is nowhere else. */
const OUTCOMES_KEPT_MAX = 1_000;

export class AskRegistry implements AskPort {
  readonly nowMs: () => number;
  private readonly engine: SessionEngine;
  private readonly journal: AskJournal | null;
  private readonly timers: Timers;
  /** The connected askers, by the ids of their asks. */
  private readonly waiting = new Map<string, WaitingAsker>();
  /** Open asks whose record is kept by the program that asked. */
  private readonly recordedElsewhere = new Set<string>();
  /** The open asks that outlive a disconnect or this daemon. */
  private readonly lasting = new Map<string, Exclude<Asker, "ends">>();
  /** Ends the wait for an asker that is away, by the id of its ask. */
  private readonly away = new Map<string, () => void>();
  private readonly outcomes = new Map<string, AskOutcome>();
  private readonly listeners = new Set<() => void>();
  private readonly onAudit: AskRegistryOptions["onAudit"];
  /** Records of outcomes whose askers live, and are on their way back. */
  private readonly held = new Map<string, { readonly record: AuditRecord; readonly cancel: () => void } | null>();
  private others: AskPort | null = null;

  constructor({ nowMs = steadyNowMs, timers = realTimers, onAudit, journal }: AskRegistryOptions = {}) {
    this.nowMs = nowMs;
    this.timers = timers;
    this.journal = journal ?? null;
    this.onAudit = onAudit;
    const ports = {
      clock: { nowMs, after: (delayMs: number, run: () => void) => timers.after(delayMs, run) },
      send: () => undefined,
      respond: ({ id }: Ask, outcome: AskOutcome) => this.settle(id, outcome),
      audit: (record: AuditRecord) => {
        if (this.held.has(record.askId)) this.hold(record);
        else this.keep(record);
        return null;
      },
    };
    this.engine = new SessionEngine(ports, { journalUnitsMax: 0 });
    this.engine.subscribe((changes) => this.follow(changes));
  }

  /** Asks that live elsewhere, those of hosted sessions say, are listed and answered here too. */
  include(others: AskPort): void {
    this.others = others;
    others.subscribe(() => this.tell());
  }

  /**
   * Settles when the ask does, whatever its outcome. An id that is open or was settled lately is refused; an asker that comes
   * back with the id of its ask gets the outcome, or waits again.
   */
  ask(ask: Ask, { history = "here", asker = "ends" }: AskOptions = {}): Promise<AskOutcome> {
    const { asks } = this.engine.state;
    const isOpen = openAskOf(asks, ask.id) !== null;
    if (asker === "ends" && (isOpen || outcomeOf(asks, ask.id) !== null)) {
      return Promise.reject(new Error(`an ask ${ask.id} already existed`));
    }
    const outcome = asker === "ends" ? null : (this.outcomes.get(ask.id) ?? this.journal?.outcomeOf(ask.id));
    if (outcome) {
      this.release(ask.id, { result: "delivered", atMs: this.nowMs() });
      return Promise.resolve(outcome);
    }
    this.dismiss(ask.id, { kind: "withdrawn", reason: "disconnected" });
    // An asker that may be killed once more writes its record over the one from here, under the same id.
    if (history === "asker" && asker !== "returns") this.recordedElsewhere.add(ask.id);
    if (asker !== "ends") this.lasting.set(ask.id, asker);
    const waiting = new WaitingAsker();
    this.waiting.set(ask.id, waiting);
    if (!isOpen) this.raise(ask);
    return waiting.outcome;
  }

  /** Asks of an earlier daemon are open again, and wait for their askers. */
  restore(asks: readonly ReopenedAsk[]): void {
    for (const { ask, asker } of asks) {
      this.lasting.set(ask.id, asker);
      this.raise(ask);
      this.waitForAsker(ask.id, asker);
      // This asker lives, and keeps the record when it is back.
      if (asker === "reconnects") this.recordedElsewhere.add(ask.id);
    }
  }

  /** The asker that got this promise is gone. Its ask is withdrawn, unless the asker may come back. */
  askerLeft(askId: string, outcome: Promise<AskOutcome>): void {
    if (this.waiting.get(askId)?.outcome !== outcome) return;
    if (this.lasting.get(askId) !== "returns") {
      this.withdraw({ type: "withdraw", askId, reason: "disconnected", atMs: this.nowMs() });
      return;
    }
    this.dismiss(askId, { kind: "withdrawn", reason: "disconnected" });
    this.waitForAsker(askId, "returns");
  }

  /** The daemon ends. Asks whose askers look for the next daemon stay in the journal. */
  shutDown(): void {
    for (const askId of [...this.held.keys()]) this.release(askId, null);
    for (const { id: askId } of openAsks(this.engine.state.asks)) {
      if (this.journal !== null && this.lasting.has(askId)) {
        this.dismiss(askId, { kind: "withdrawn", reason: "shutdown" });
      } else this.withdraw({ type: "withdraw", askId, reason: "shutdown", atMs: this.nowMs() });
    }
  }

  withdraw(input: Extract<AsksInput, { type: "withdraw" | "withdraw-all" }>): void {
    const { reason } = input;
    const ids = input.type === "withdraw" ? [input.askId] : idsOf(this.engine.state.asks, input.of);
    for (const askId of ids) {
      this.engine.take({ type: "event", event: { type: "ask.withdrawn", sessionId: null, askId, reason } });
    }
  }

  openAsks(): readonly Ask[] {
    return [...openAsks(this.engine.state.asks), ...(this.others?.openAsks() ?? [])];
  }

  answer(askId: string, answer: AskAnswer, by: string): AnswerVerdict {
    const { asks } = this.engine.state;
    const ask = openAskOf(asks, askId);
    if (ask === null) {
      const outcome = outcomeOf(asks, askId);
      if (outcome !== null) return { kind: "late", outcome };
      return this.others?.answer(askId, answer, by) ?? { kind: "unknown" };
    }
    if (answer === "cancel") {
      this.engine.dispatch({ type: "cancel", askId }, by);
      return { kind: "accepted", outcome: { kind: "cancelled", by } };
    }
    const checked = checkAnswer(ask, answer.value);
    if (checked.kind === "unfit") return checked;
    this.engine.dispatch({ type: "answer", askId, value: checked.value }, by);
    return { kind: "accepted", outcome: { kind: "answered", value: null, by } };
  }

  shown(askId: string): void {
    if (openAskOf(this.engine.state.asks, askId) === null) this.others?.shown(askId);
    else this.engine.dispatch({ type: "shown", askId });
  }

  /** Those that belong to no session, with the moments at which they came. */
  ownAsks(): readonly OpenAsk[] {
    return this.engine.state.asks.open;
  }

  /** Calls back with each change of the asks that belong to no session. */
  onChanges(listener: (changes: readonly Change[]) => void): void {
    this.engine.subscribe(listener);
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  // A withdrawn ask has no response, but its asker still holds the promise.
  private follow(changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.type === "ask.raised") {
        this.journal?.raised(change.ask, this.lasting.get(change.ask.id) ?? "ends", "daemon");
      } else if (change.type === "ask.settled") {
        this.journal?.ended(change.ask.id, change.outcome);
        if (change.outcome.kind === "withdrawn") this.settle(change.ask.id, change.outcome);
      }
    }
    if (changes.some(({ type }) => type === "ask.raised" || type === "ask.settled")) this.tell();
  }

  private tell(): void {
    for (const listener of [...this.listeners]) listener();
  }

  private raise(ask: Ask): void {
    this.engine.take({ type: "event", event: { type: "ask.raised", sessionId: null, ask } });
  }

  /** No asker is there any more; its ask stays as it is. */
  private dismiss(askId: string, outcome: AskOutcome): WaitingAsker | undefined {
    const asker = this.waiting.get(askId);
    this.waiting.delete(askId);
    this.recordedElsewhere.delete(askId);
    this.away.get(askId)?.();
    this.away.delete(askId);
    asker?.resolve(outcome);
    return asker;
  }

  private waitForAsker(askId: string, asker: Exclude<Asker, "ends">): void {
    const giveUp = () => {
      this.recordedElsewhere.delete(askId);
      this.withdraw({ type: "withdraw", askId, reason: "disconnected", atMs: this.nowMs() });
    };
    this.away.set(askId, this.timers.after(AWAY_MS_MAX[asker], giveUp));
  }

  private settle(askId: string, outcome: AskOutcome): "delivered" | "lost" {
    const lasting = this.lasting.get(askId);
    if (this.lasting.delete(askId)) this.keepOutcome(askId, outcome);
    const isRecordedElsewhere = this.recordedElsewhere.has(askId);
    const asker = this.dismiss(askId, outcome);
    // The record is written after this.
    if (isRecordedElsewhere) this.recordedElsewhere.add(askId);
    if (asker === undefined && lasting === "reconnects" && outcome.kind !== "withdrawn") this.held.set(askId, null);
    return asker === undefined ? "lost" : "delivered";
  }

  private keep(record: AuditRecord): void {
    this.onAudit?.(record, this.recordedElsewhere.delete(record.askId) ? "asker" : "here");
  }

  private hold(record: AuditRecord): void {
    const cancel = this.timers.after(COMES_BACK_MS_MAX, () => this.release(record.askId, null));
    this.held.set(record.askId, { record, cancel });
  }

  /** Null: the asker did not come. */
  private release(askId: string, delivery: AuditRecord["delivery"]): void {
    const held = this.held.get(askId);
    this.held.delete(askId);
    if (!held) return;
    held.cancel();
    // An asker that is gone writes no record.
    if (delivery === null) this.recordedElsewhere.delete(askId);
    this.keep(delivery === null ? held.record : { ...held.record, delivery });
  }

  private keepOutcome(askId: string, outcome: AskOutcome): void {
    this.outcomes.set(askId, outcome);
    const oldest = this.outcomes.keys().next().value;
    if (this.outcomes.size > OUTCOMES_KEPT_MAX && oldest !== undefined) this.outcomes.delete(oldest);
  }
}
