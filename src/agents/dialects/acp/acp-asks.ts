// Questions of an ACP agent, with ids of our own on top of PendingAsks. Everything but an answer counts as a cancel, because
// the protocol has no other outcome.
import type { Ask, WithdrawReason } from "../../../contract/asks.js";
import type { PendingAsks } from "../pending-asks.js";

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

  /** Returns the id of the question; null when too many are open, which cancels it at once. */
  raise(asked: NewAsk, settle: (answer: AskAnswer) => void): string | null {
    const id = `acp-${this.nextNumber++}`;
    this.open.raise({ ...asked, id, deadlineMs: null }, (answer) => {
      const isAnswer = answer.kind === "answered" && answer.value !== null;
      settle(isAnswer ? answer : { kind: "cancelled" });
    });
    return this.open.has(id) ? id : null;
  }

  /** The agent cancelled its request; it gets no answer. */
  takenBack(id: string | null): void {
    if (id !== null) this.open.withdraw(id, "agent_cancelled");
  }

  /** Closes the dialogs and answers each request with a cancel. */
  withdrawAll(of: { sessionId: string } | "everyone", reason: WithdrawReason): void {
    this.open.giveUp(reason, of);
  }

  isOpenIn(sessionId: string): boolean {
    return this.open.isOpenIn(sessionId);
  }
}
