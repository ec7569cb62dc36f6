// The questions of an ACP agent: our own numbers on the open questions that every wire has. Here anything but an answer is
// a cancel, because the protocol has no other word for it.
import type { Ask, WithdrawReason } from "../../../contract/asks.js";
import type { PendingAsks } from "../pending-asks.js";

/** A cancel is an answer too. */
export type AskAnswer = { readonly kind: "answered"; readonly value: unknown } | { readonly kind: "cancelled" };

export type NewAsk = {
  readonly sessionId: string | null;
  readonly origin: Ask["origin"];
  readonly question: Ask["question"];
};

export class AcpAsks {
  private readonly open: PendingAsks;
  private nextNumber = 1;

  constructor(open: PendingAsks) {
    this.open = open;
  }

  /** The id of the question; null when too many are open, and then it counts as cancelled at once. */
  raise(asked: NewAsk, settle: (answer: AskAnswer) => void): string | null {
    const id = `acp-${this.nextNumber++}`;
    this.open.raise({ ...asked, id, deadlineMs: null }, (answer) => {
      const isAnswer = answer.kind === "answered" && answer.value !== null;
      settle(isAnswer ? answer : { kind: "cancelled" });
    });
    return this.open.has(id) ? id : null;
  }

  /** The agent took the request behind it back and waits for no answer. */
  takenBack(id: string | null): void {
    if (id !== null) this.open.withdraw(id, "agent_cancelled");
  }

  /** Closes dialogs; each request behind them hears a cancel. */
  withdrawAll(of: { sessionId: string } | "everyone", reason: WithdrawReason): void {
    this.open.giveUp(reason, of);
  }

  isOpenIn(sessionId: string): boolean {
    return this.open.isOpenIn(sessionId);
  }
}
