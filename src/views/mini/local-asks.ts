// Asks of this process, without an agent: `palaver ask`, the MCP server on stdio, and programs with `palaver/ui` on a
// terminal. They have an engine like those of any agent, so that a view can show them, the history keeps them, and dangers are
// worded in the same way.
import type { Ask, AskOutcome, WithdrawReason } from "../../contract/asks.js";
import { withoutSecret } from "../../session/asks.js";
import { type EnginePorts, SessionEngine } from "../../session/engine/source.js";
import { outcomeWords } from "../../session/outcome-words.js";
import { withDanger } from "../../session/permission/dangerous-ask.js";
import type { Appearance } from "../../terminal/painter/blocks/glyphs.js";
import { safeLine } from "../../text/safe.js";
import { settleAsk } from "./ask-decider.js";
import { type AskManner, type AskView, MINI, type OpenAskView } from "./ask-view.js";

export class LocalAsks {
  readonly source: SessionEngine;
  private readonly waiting = new Map<string, (outcome: AskOutcome) => void>();
  private view: AskView | null = null;
  /** How the last ask was shown here; null when none was. */
  shownAs: AskManner | null = null;

  constructor(ports: Pick<EnginePorts, "clock" | "audit">) {
    this.source = new SessionEngine({
      ...ports,
      by: MINI,
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
    const onOpening = (manner: AskManner) => {
      this.shownAs = manner;
    };
    this.view = open({ source: this.source, onOpening, onClosed: () => undefined });
    for (const { ask, askedAtMs: atMs } of this.source.state.asks.open) {
      this.view.follow({ type: "ask.raised", ask, atMs });
    }
  }

  ask(ask: Ask): Promise<AskOutcome> {
    const settled = new Promise<AskOutcome>((resolve) => this.waiting.set(ask.id, resolve));
    const judged = withDanger(ask, { folder: process.cwd() }, "ours");
    this.source.take({ type: "event", event: { type: "ask.raised", sessionId: null, ask: judged } });
    return settled.finally(() => this.waiting.delete(ask.id));
  }

  withdraw(askId: string, reason: WithdrawReason): void {
    settleAsk(this.source, askId, { kind: "withdrawn", reason });
  }

  /** Resolves when the terminal was given back after the last ask. */
  async whenHidden(): Promise<void> {
    await this.view?.close();
  }

  /** Resolves when the terminal was given back. */
  async close(): Promise<void> {
    this.source.take({ type: "withdraw", reason: "shutdown" });
    await this.view?.close();
    this.source.close();
  }
}

/** What stays of a dialog when it is gone from the screen; null where it has no answer. */
export function answeredLine(ask: Ask, outcome: AskOutcome, { style, glyphs }: Appearance): string | null {
  if (outcome.kind !== "answered" && outcome.kind !== "cancelled") return null;
  const question = safeLine(ask.question.params.title ?? "");
  const answer = style.paint("dim", safeLine(outcomeWords(ask, withoutSecret(ask, outcome))));
  return `${style.paint("info", glyphs.answered)} ${question}  ${answer}\n`;
}
