// The questions of an agent that wait for the person. Each is answered exactly once, whatever happens: by the person, by
// the end of the turn, by an abort or by the end of the talk. An answer that comes after that is dropped, with words.
import type { Ask, WithdrawReason } from "../contract/asks.js";
import { OPEN_ASKS_MAX } from "../contract/limits.js";
import type { LinesCommand } from "../contract/lines-commands.js";
import type { StepDraft } from "./step-draft.js";

export type Answer =
  /** What the person said. A cancel is null, and false for a confirmation. */
  | { readonly kind: "answered"; readonly value: unknown }
  /** Nobody said anything, and nobody will. */
  | { readonly kind: "unanswered"; readonly reason: string };

/** The name of a question by the id of its request: 1 and "1" are two ids, and an agent may use both. */
export function askIdOf(id: string | number): string {
  return typeof id === "number" ? `#${id}` : id;
}

/** Carries the answer to the agent, in the words of its wire. */
export type Reply = (answer: Answer) => void;

export class OpenAsks {
  private readonly out: StepDraft;
  private readonly open = new Map<string, Reply>();

  constructor(out: StepDraft) {
    this.out = out;
  }

  has(askId: string): boolean {
    return this.open.has(askId);
  }

  raise(ask: Omit<Ask, "sessionId" | "turnId">, reply: Reply): void {
    if (this.open.size >= OPEN_ASKS_MAX) {
      reply({ kind: "unanswered", reason: "overloaded" });
      this.out.tell({
        type: "notice.shown",
        level: "warn",
        message: "the agent asks too much at once; one was refused",
      });
      return;
    }
    this.open.set(ask.id, reply);
    this.out.tell({ type: "ask.raised", ask: { ...ask, sessionId: this.out.sessionId, turnId: null } });
  }

  answer({ id, result, error }: Extract<LinesCommand, { type: "ui_response" }>): void {
    const reply = this.open.get(id);
    if (reply === undefined) {
      this.out.tell({
        type: "notice.shown",
        level: "warn",
        message: "the answer came too late: the question is not open any more",
      });
      return;
    }
    this.open.delete(id);
    if (error === undefined || error === null) reply({ kind: "answered", value: result ?? null });
    else reply({ kind: "unanswered", reason: error });
  }

  /** The agent does not want to know any more; it gets no answer. */
  withdraw(askId: string, reason: WithdrawReason): boolean {
    if (!this.open.delete(askId)) return false;
    this.out.tell({ type: "ask.withdrawn", askId, reason });
    return true;
  }

  /** Nobody will answer these: the agent is told, and the dialogs close. */
  giveUp(reason: WithdrawReason, askIds: Iterable<string> = [...this.open.keys()]): void {
    for (const askId of askIds) {
      const reply = this.open.get(askId);
      this.open.delete(askId);
      reply?.({ kind: "unanswered", reason });
      if (reply !== undefined) this.out.tell({ type: "ask.withdrawn", askId, reason });
    }
  }
}
