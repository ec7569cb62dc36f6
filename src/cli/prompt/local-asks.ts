// Asks of this process itself, without an agent: `palaver ask` and the MCP server on stdio. They are in an engine like those of
// any agent, so that a view can show them and the history keeps them.
import type { Ask, AskOutcome, WithdrawReason } from "../../contract/asks.js";
import { SessionEngine } from "../../session/engine/source.js";
import { settleAsk } from "../../views/mini/ask-decider.js";
import { type AskView, MINI, type OpenAskView } from "../../views/mini/ask-view.js";
import { keepAsks } from "../keep-asks.js";
import { processClock } from "../process-clock.js";

export class LocalAsks {
  readonly source: SessionEngine;
  private readonly waiting = new Map<string, (outcome: AskOutcome) => void>();
  private view: AskView | null = null;

  /** `name` stands in the history where an agent would. */
  constructor(name: string) {
    this.source = new SessionEngine({
      clock: processClock,
      by: MINI,
      audit: keepAsks(name, () => []),
      send: () => undefined,
      respond: ({ id }, outcome) => {
        this.waiting.get(id)?.(outcome);
        return "delivered";
      },
    });
    this.source.subscribe((changes) => {
      for (const change of changes) {
        this.view?.follow(change);
        if (change.type !== "ask.settled") continue;
        if (change.outcome.kind === "withdrawn") this.waiting.get(change.ask.id)?.(change.outcome);
      }
    });
  }

  get isShown(): boolean {
    return this.view !== null;
  }

  /** Shows the open asks, and those to come. */
  show(open: OpenAskView): void {
    const nothing = () => undefined;
    this.view = open({ source: this.source, onOpening: nothing, onClosed: nothing });
    for (const { ask, askedAtMs: atMs } of this.source.state.asks.open) {
      this.view.follow({ type: "ask.raised", ask, atMs });
    }
  }

  ask(ask: Ask): Promise<AskOutcome> {
    const settled = new Promise<AskOutcome>((resolve) => this.waiting.set(ask.id, resolve));
    this.source.take({ type: "event", event: { type: "ask.raised", sessionId: null, ask } });
    return settled.finally(() => this.waiting.delete(ask.id));
  }

  withdraw(askId: string, reason: WithdrawReason): void {
    settleAsk(this.source, askId, { kind: "withdrawn", reason });
  }

  /** Resolves when the terminal was given back. */
  async close(): Promise<void> {
    this.source.take({ type: "withdraw", reason: "shutdown" });
    await this.view?.close();
    this.source.close();
  }
}
