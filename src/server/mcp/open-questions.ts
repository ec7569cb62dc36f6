// The open questions of one MCP server. Each belongs to one call of one client, which gets progress messages while it waits;
// when the client cancels or disconnects, the question is withdrawn wherever it is shown.

import { randomBytes } from "node:crypto";
import type { Ask, AskOutcome, WithdrawReason } from "../../contract/asks.js";
import { errorMessage } from "../../contract/plain-word.js";
import { realTimers, steadyNowMs, type Timers } from "../../system/timers.js";
import { type Elicit, InputNeeded, mayElicit } from "./client-elicitation.js";
import { type McpAsks, type McpLimits, type McpPorts, mcpLimitsDefault } from "./mcp-ports.js";
import { type SettledAsk, ToolRefusal } from "./mcp-tool.js";

/** The client of a call, for as long as the call lasts. */
export interface Asker {
  readonly client: string;
  readonly signal: AbortSignal;
  /** Why the signal aborted. */
  goneWhy(): WithdrawReason;
  /** Sends a progress message. */
  keepAlive(): void;
  /** Asks in the client's own window; null when it cannot. */
  readonly elicit: Elicit | null;
}

export class OpenQuestions {
  private readonly asks: McpAsks;
  private readonly owner: NonNullable<McpPorts["owner"]>;
  private readonly limits: McpLimits;
  private readonly nowMs: () => number;
  private readonly timers: Timers;
  // Unique among all servers that ask the same person.
  private readonly prefix = `mcp-${randomBytes(4).toString("hex")}`;
  private readonly open = new Map<string, (reason: WithdrawReason) => void>();
  private count = 0;
  private closed = false;

  constructor({ asks, owner, limits, nowMs = steadyNowMs, timers = realTimers }: McpPorts) {
    this.asks = asks;
    this.owner = owner ?? { sessionId: null, turnId: null };
    this.limits = { ...mcpLimitsDefault, ...limits };
    this.nowMs = nowMs;
    this.timers = timers;
  }

  async ask(
    asker: Asker,
    question: Ask["question"],
    { timeoutMs }: { timeoutMs?: number | undefined } = {},
  ): Promise<SettledAsk> {
    if (this.closed) return { id: "", outcome: { kind: "withdrawn", reason: "shutdown" } };
    if (asker.signal.aborted) return { id: "", outcome: { kind: "withdrawn", reason: asker.goneWhy() } };
    if (this.open.size >= this.limits.openAsksMax) {
      throw new ToolRefusal(`${this.open.size} questions are already open; ask again later.`);
    }
    const ask = this.askOf(asker, question, timeoutMs);
    const { elicit } = asker;
    const put = elicit !== null && mayElicit(question) ? () => elicit(ask, timeoutMs) : () => this.asks.ask(ask);
    return { id: ask.id, outcome: await this.outcomeOf(ask, asker, put) };
  }

  /** Withdraws everything; later questions are refused. */
  close(reason: WithdrawReason): void {
    this.closed = true;
    for (const withdraw of [...this.open.values()]) withdraw(reason);
  }

  private askOf({ client }: Asker, question: Ask["question"], timeoutMs: number | undefined): Ask {
    this.count += 1;
    return {
      id: `${this.prefix}-${this.count}`,
      ...this.owner,
      origin: { kind: "mcp", name: client },
      question,
      deadlineMs: timeoutMs === undefined ? null : this.nowMs() + timeoutMs,
    };
  }

  // Settles at once when the question is withdrawn, whatever `asks` does.
  private outcomeOf(ask: Ask, asker: Asker, put: () => Promise<AskOutcome>): Promise<AskOutcome> {
    return new Promise((resolve, reject) => {
      const stopWaiting = this.remindOf(asker);
      const onGone = () => withdraw(asker.goneWhy());
      const end = () => {
        stopWaiting();
        asker.signal.removeEventListener("abort", onGone);
        return this.open.delete(ask.id);
      };
      const withdraw = (reason: WithdrawReason) => {
        if (!end()) return;
        this.asks.withdraw(ask.id, reason);
        resolve({ kind: "withdrawn", reason });
      };
      this.open.set(ask.id, withdraw);
      asker.signal.addEventListener("abort", onGone, { once: true });
      put().then(
        (outcome) => end() && resolve(outcome),
        (error: unknown) =>
          end() && reject(error instanceof InputNeeded ? error : new ToolRefusal(errorMessage(error))),
      );
    });
  }

  private remindOf(asker: Asker): () => void {
    let cancel: () => void = () => undefined;
    const again = () => {
      asker.keepAlive();
      cancel = this.timers.after(this.limits.keepAliveMs, again);
    };
    again();
    return () => cancel();
  }
}
