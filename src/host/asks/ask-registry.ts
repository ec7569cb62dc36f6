// The open asks of a daemon that belong to no session, in an engine of their own: the asker gets a promise of the outcome, the
// first answer wins and the next one is told so, deadlines are kept, and every outcome leaves its record.
import type { Ask, AskOutcome, AuditRecord } from "../../contract/asks.js";
import { type AsksInput, idsOf, openAskOf, openAsks, outcomeOf } from "../../session/asks.js";
import type { Change } from "../../session/engine/engine-messages.js";
import { SessionEngine } from "../../session/engine/source.js";
import { realTimers, steadyNowMs, type Timers } from "../../system/timers.js";
import { checkAnswer } from "./answer-check.js";
import type { AnswerVerdict, AskAnswer, AskPort } from "./ask-port.js";

export interface AskBoardOptions {
  /** Must never go back, or deadlines would not come. */
  readonly nowMs?: () => number;
  readonly timers?: Timers;
  readonly onAudit?: (record: AuditRecord) => void;
}

export class AskRegistry implements AskPort {
  readonly nowMs: () => number;
  private readonly engine: SessionEngine;
  private readonly waiting = new Map<string, (outcome: AskOutcome) => void>();
  /** Open asks whose record is kept by the program that asked. */
  private readonly recordedElsewhere = new Set<string>();
  private readonly listeners = new Set<() => void>();
  private others: AskPort | null = null;

  constructor({ nowMs = steadyNowMs, timers = realTimers, onAudit }: AskBoardOptions = {}) {
    this.nowMs = nowMs;
    const ports = {
      clock: { nowMs, after: (delayMs: number, run: () => void) => timers.after(delayMs, run) },
      send: () => undefined,
      respond: ({ id }: Ask, outcome: AskOutcome) => this.settle(id, outcome),
      audit: (record: AuditRecord) => {
        if (!this.recordedElsewhere.delete(record.askId)) onAudit?.(record);
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

  /** Settles when the ask does, whatever its outcome. An id that is open or was settled lately is refused. */
  ask(ask: Ask, history: "here" | "asker" = "here"): Promise<AskOutcome> {
    const { asks } = this.engine.state;
    if (openAskOf(asks, ask.id) !== null || outcomeOf(asks, ask.id) !== null) {
      return Promise.reject(new Error(`there was an ask ${ask.id} already`));
    }
    if (history === "asker") this.recordedElsewhere.add(ask.id);
    return new Promise((resolve) => {
      this.waiting.set(ask.id, resolve);
      this.engine.take({ type: "event", event: { type: "ask.raised", sessionId: null, ask } });
    });
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

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  // A withdrawn ask has no response, but its asker still holds the promise.
  private follow(changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.type === "ask.settled" && change.outcome.kind === "withdrawn")
        this.settle(change.ask.id, change.outcome);
    }
    if (changes.some(({ type }) => type === "ask.raised" || type === "ask.settled")) this.tell();
  }

  private tell(): void {
    for (const listener of [...this.listeners]) listener();
  }

  private settle(askId: string, outcome: AskOutcome): "delivered" {
    this.waiting.get(askId)?.(outcome);
    this.waiting.delete(askId);
    return "delivered";
  }
}
