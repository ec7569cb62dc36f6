// The questions of one hosted agent on the daemon's board. The agent's own ids mean nothing outside of it, so that each question
// gets an id of the daemon's; what the board decides goes back to the agent under its own.

import { SecretAsks } from "../agents/recordings/secret-asks.js";
import type { Ask, AskOutcome, WithdrawReason } from "../contract/asks.js";
import type { LinesCommand } from "../contract/lines-commands.js";
import { responseTo } from "../session/outcome-words.js";
import type { AnswerVerdict } from "./asks/ask-port.js";
import type { AskRegistry } from "./asks/ask-registry.js";

export interface HostedAskPorts {
  readonly sessionId: string;
  readonly board: Pick<AskRegistry, "ask" | "answer" | "withdraw">;
  nowMs(): number;
  /** An id that no ask of this daemon ever had. */
  newId(): string;
  /** The question without secrets. */
  shown(ask: Ask): Ask;
  /** The question is open from now on. */
  onRaised(ask: Ask): void;
  onSettled(ask: Ask, outcome: AskOutcome): void;
  tellAgent(command: LinesCommand): void;
  /** Somebody typed this where a secret was asked for. */
  onSecret(secret: string): void;
}

interface OpenQuestion {
  /** As the agent asked it. */
  readonly asked: Ask;
  /** As front ends see it. */
  readonly shown: Ask;
}

export class HostedAsks {
  private readonly ports: HostedAskPorts;
  private readonly open = new Map<string, OpenQuestion>();
  private readonly secrets = new SecretAsks();

  constructor(ports: HostedAskPorts) {
    this.ports = ports;
  }

  get count(): number {
    return this.open.size;
  }

  raised(asked: Ask): void {
    if (this.find(asked.id) !== null) return;
    const shown = { ...this.ports.shown(asked), id: this.ports.newId() };
    this.open.set(shown.id, { asked, shown });
    this.secrets.raised(asked);
    this.ports.onRaised(shown);
    // On the board it stands under the hosted session; inside the session it keeps the name that the agent gave.
    void this.ports.board
      .ask({ ...shown, sessionId: this.ports.sessionId })
      .then((outcome) => this.tell(asked, outcome));
  }

  /** The agent took it back. */
  withdrawn(agentAskId: string, reason: WithdrawReason): void {
    const id = this.find(agentAskId);
    if (id !== null) this.withdraw(id, reason);
  }

  /** The turn or the session is over: of this inner session, or of all. */
  withdrawAll(of: { sessionId: string } | "everyone", reason: WithdrawReason): void {
    for (const [id, { asked }] of [...this.open]) {
      if (of === "everyone" || asked.sessionId === null || asked.sessionId === of.sessionId) this.withdraw(id, reason);
    }
  }

  /** What a front end answered; null is a cancel, whatever was asked. */
  answer(id: string, result: unknown, by: string): AnswerVerdict {
    return this.ports.board.answer(id, result === null || result === undefined ? "cancel" : { value: result }, by);
  }

  /** The board has settled it, whoever did. */
  settled(id: string, outcome: AskOutcome): void {
    const question = this.open.get(id);
    if (question === undefined) return;
    this.open.delete(id);
    this.ports.onSettled(question.shown, outcome);
  }

  private withdraw(askId: string, reason: WithdrawReason): void {
    this.ports.board.withdraw({ type: "withdraw", askId, reason, atMs: this.ports.nowMs() });
  }

  // The agent that took a question back, or is gone, does not wait for an answer; one that was refused does.
  private tell(asked: Ask, outcome: AskOutcome): void {
    const command = responseTo(asked, outcome);
    if (outcome.kind === "withdrawn") {
      this.secrets.withdrawn(asked.id);
      if (outcome.reason === "overloaded") this.ports.tellAgent(command);
      return;
    }
    for (const secret of this.secrets.answered(command)?.secrets ?? []) this.ports.onSecret(secret);
    this.ports.tellAgent(command);
  }

  private find(agentAskId: string): string | null {
    for (const [id, { asked }] of this.open) if (asked.id === agentAskId) return id;
    return null;
  }
}
