// The questions this agent has before the person: each has one asker inside the machine, who hears one answer. A question
// that is taken back closes its dialog; an answer that comes too late is nobody's.
import type { Ask, WithdrawReason } from "../../contract/asks.js";
import { PENDING_DIALOGS_MAX } from "../../contract/limits.js";
import type { Outbox } from "./outbox.js";

/** A cancel is an answer too. */
export type AskAnswer = { readonly kind: "answered"; readonly value: unknown } | { readonly kind: "cancelled" };

export type NewAsk = {
  readonly sessionId: string | null;
  readonly origin: Ask["origin"];
  readonly question: Ask["question"];
};

type OpenAsk = { readonly sessionId: string | null; readonly settle: (answer: AskAnswer) => void };

export class AskBook {
  private readonly out: Outbox;
  private readonly open = new Map<string, OpenAsk>();
  private nextNumber = 1;

  constructor(out: Outbox) {
    this.out = out;
  }

  /** The id of the question; null when too many are open, and then it counts as cancelled at once. */
  raise({ sessionId, origin, question }: NewAsk, settle: (answer: AskAnswer) => void): string | null {
    if (this.open.size >= PENDING_DIALOGS_MAX) {
      settle({ kind: "cancelled" });
      return null;
    }
    const id = `acp-${this.nextNumber++}`;
    this.open.set(id, { sessionId, settle });
    const ask: Ask = { id, sessionId, turnId: null, origin, question, deadlineMs: null };
    this.out.event({ type: "ask.raised", sessionId, ask });
    return id;
  }

  answer(id: string, result: unknown, error: unknown): void {
    const ask = this.open.get(id);
    if (ask === undefined) return;
    this.open.delete(id);
    const isAnswer = (error === undefined || error === null) && result !== null && result !== undefined;
    ask.settle(isAnswer ? { kind: "answered", value: result } : { kind: "cancelled" });
  }

  /** The agent took the request behind it back: nobody waits for an answer any more. */
  takenBack(id: string | null): void {
    if (id !== null) this.close(id, "agent_cancelled");
  }

  /** Closes dialogs; whoever asked hears a cancel. */
  withdrawAll(of: { sessionId: string } | "everyone", reason: WithdrawReason): void {
    for (const [id, { sessionId }] of [...this.open]) {
      if (of === "everyone" || sessionId === of.sessionId) this.close(id, reason)?.settle({ kind: "cancelled" });
    }
  }

  isOpenIn(sessionId: string): boolean {
    return [...this.open.values()].some((ask) => ask.sessionId === sessionId);
  }

  private close(id: string, reason: WithdrawReason): OpenAsk | undefined {
    const ask = this.open.get(id);
    if (ask === undefined) return undefined;
    this.open.delete(id);
    this.out.event({ type: "ask.withdrawn", sessionId: ask.sessionId, askId: id, reason });
    return ask;
  }
}
