// Runs the desk of open asks for a daemon: whoever asks gets a promise of the outcome, whoever answers is told whether he was
// first, deadlines are kept, and every outcome leaves its record.
import type { Ask, AskOutcome, AuditRecord } from "../../contract/asks.js";
import {
  type AsksEffect,
  type AsksInput,
  noAsks,
  openAskOf,
  openAsks,
  outcomeOf,
  reduceAsks,
} from "../../session/asks.js";
import { steadyNowMs } from "../../system/steady-clock.js";
import { realTimers, type Timers } from "../../system/timers.js";
import { checkAnswer } from "./answer-check.js";
import type { AnswerVerdict, AskAnswer, AskPort } from "./ask-port.js";

export interface AskBoardOptions {
  /** Must never go back, or deadlines would not come. */
  readonly nowMs?: () => number;
  readonly timers?: Timers;
  readonly onAudit?: (record: AuditRecord) => void;
}

export class AskRegistry implements AskPort {
  private desk = noAsks;
  private readonly waiting = new Map<string, (outcome: AskOutcome) => void>();
  /** Open asks whose record is kept by the program that asked. */
  private readonly recordedElsewhere = new Set<string>();
  private readonly listeners = new Set<() => void>();
  readonly nowMs: () => number;
  private readonly timers: Timers;
  private readonly onAudit: (record: AuditRecord) => void;
  private cancelWake: () => void = () => undefined;
  private others: AskPort | null = null;

  constructor({ nowMs = steadyNowMs, timers = realTimers, onAudit = () => undefined }: AskBoardOptions = {}) {
    this.nowMs = nowMs;
    this.timers = timers;
    this.onAudit = onAudit;
  }

  /** Asks that live elsewhere, those of hosted sessions say, are listed and answered here too. */
  include(others: AskPort): void {
    this.others = others;
    others.subscribe(() => this.tell());
  }

  /** Settles when the ask does, whatever its outcome. An id that is open or was settled lately is refused. */
  ask(ask: Ask, history: "here" | "asker" = "here"): Promise<AskOutcome> {
    if (openAskOf(this.desk, ask.id) !== null || outcomeOf(this.desk, ask.id) !== null) {
      return Promise.reject(new Error(`there was an ask ${ask.id} already`));
    }
    if (history === "asker") this.recordedElsewhere.add(ask.id);
    return new Promise((resolve) => {
      this.waiting.set(ask.id, resolve);
      this.feed({ type: "ask", ask, atMs: this.nowMs() });
    });
  }

  withdraw(input: Extract<AsksInput, { type: "withdraw" | "withdraw-all" }>): void {
    this.feed(input);
  }

  openAsks(): readonly Ask[] {
    return [...openAsks(this.desk), ...(this.others?.openAsks() ?? [])];
  }

  answer(askId: string, answer: AskAnswer, by: string): AnswerVerdict {
    const ask = openAskOf(this.desk, askId);
    if (ask === null) return this.late(askId) ?? this.others?.answer(askId, answer, by) ?? { kind: "unknown" };
    const atMs = this.nowMs();
    if (answer === "cancel") {
      this.feed({ type: "cancel", askId, by, atMs });
      return { kind: "accepted", outcome: { kind: "cancelled", by } };
    }
    const checked = checkAnswer(ask, answer.value);
    if (checked.kind === "unfit") return checked;
    this.feed({ type: "answer", askId, value: checked.value, by, atMs });
    return { kind: "accepted", outcome: { kind: "answered", value: null, by } };
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private late(askId: string): AnswerVerdict | null {
    const outcome = outcomeOf(this.desk, askId);
    return outcome === null ? null : { kind: "late", outcome };
  }

  private tell(): void {
    for (const listener of [...this.listeners]) listener();
  }

  private feed(input: AsksInput): void {
    const { state, effects } = reduceAsks(this.desk, input);
    const isChanged = state.open !== this.desk.open;
    this.desk = state;
    for (const effect of effects) this.perform(effect);
    if (isChanged) this.tell();
  }

  private perform(effect: AsksEffect): void {
    switch (effect.type) {
      case "tell-agent":
        this.settle(effect.ask.id, effect.outcome);
        this.feed({ type: "delivered", askId: effect.ask.id, delivery: "delivered", atMs: this.nowMs() });
        return;
      // A withdrawn ask tells no agent, but here somebody still holds the promise.
      case "close-ask":
        if (effect.outcome.kind === "withdrawn") this.settle(effect.ask.id, effect.outcome);
        return;
      case "finish-ask":
        return;
      case "write-audit":
        if (!this.recordedElsewhere.delete(effect.record.askId)) this.onAudit(effect.record);
        return;
      case "wake-at":
        this.wakeAt(effect.atMs);
        return;
      case "show-ask":
        return;
    }
  }

  private settle(askId: string, outcome: AskOutcome): void {
    const resolve = this.waiting.get(askId);
    this.waiting.delete(askId);
    resolve?.(outcome);
  }

  private wakeAt(atMs: number | null): void {
    this.cancelWake();
    this.cancelWake =
      atMs === null
        ? () => undefined
        : this.timers.after(Math.max(0, atMs - this.nowMs()), () => this.feed({ type: "clock", atMs: this.nowMs() }));
  }
}
