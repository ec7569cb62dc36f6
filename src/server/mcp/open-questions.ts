// The questions that are open through one MCP server. Each belongs to one call of one client: it is put to the person in the
// order in which it came, the client hears now and then that it is not forgotten, and when the client cancels or goes away
// the question is withdrawn wherever it is shown.

import { randomBytes } from "node:crypto";
import type { Ask, AskOutcome, WithdrawReason } from "../../contract/asks.js";
import { errorMessage } from "../../contract/plain-word.js";
import { steadyNowMs } from "../../system/steady-clock.js";
import { realTimers, type Timers } from "../../system/timers.js";
import { type AskDoor, type McpLimits, type McpPorts, mcpLimitsDefault } from "./mcp-ports.js";
import { type SettledAsk, ToolRefusal } from "./mcp-tool.js";

/** The one who asks, for as long as the call lasts. */
export interface Asker {
  readonly client: string;
  readonly signal: AbortSignal;
  /** Why the signal aborted. */
  goneWhy(): WithdrawReason;
  /** Tells the client that the person still thinks. */
  keepAlive(): void;
}

export interface QuestionOptions {
  readonly timeoutMs?: number | undefined;
}

export class OpenQuestions {
  private readonly door: AskDoor;
  private readonly owner: NonNullable<McpPorts["owner"]>;
  private readonly limits: McpLimits;
  private readonly nowMs: () => number;
  private readonly timers: Timers;
  // Ids stay unique beside those of other servers that ask the same person.
  private readonly prefix = `mcp-${randomBytes(4).toString("hex")}`;
  private readonly open = new Map<string, (reason: WithdrawReason) => void>();
  private count = 0;
  private closed = false;

  constructor({ asks, owner, limits, nowMs = steadyNowMs, timers = realTimers }: McpPorts) {
    this.door = asks;
    this.owner = owner ?? { sessionId: null, turnId: null };
    this.limits = { ...mcpLimitsDefault, ...limits };
    this.nowMs = nowMs;
    this.timers = timers;
  }

  get size(): number {
    return this.open.size;
  }

  async ask(asker: Asker, question: Ask["question"], { timeoutMs }: QuestionOptions = {}): Promise<SettledAsk> {
    if (this.closed) return { id: "", outcome: { kind: "withdrawn", reason: "shutdown" } };
    if (asker.signal.aborted) return { id: "", outcome: { kind: "withdrawn", reason: asker.goneWhy() } };
    if (this.open.size >= this.limits.openAsksMax) {
      throw new ToolRefusal(`${this.open.size} questions wait for the person already; ask again later.`);
    }
    const ask = this.askOf(asker, question, timeoutMs);
    return { id: ask.id, outcome: await this.outcomeOf(ask, asker) };
  }

  /** Withdraws everything; questions that still come are refused. */
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

  // Settles by the door, or at once when the question is withdrawn: nobody waits for a door that keeps silent about it.
  private outcomeOf(ask: Ask, asker: Asker): Promise<AskOutcome> {
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
        this.door.withdraw(ask.id, reason);
        resolve({ kind: "withdrawn", reason });
      };
      this.open.set(ask.id, withdraw);
      asker.signal.addEventListener("abort", onGone, { once: true });
      this.door.ask(ask).then(
        (outcome) => end() && resolve(outcome),
        (error: unknown) => end() && reject(new ToolRefusal(errorMessage(error))),
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
