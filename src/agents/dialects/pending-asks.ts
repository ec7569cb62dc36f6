// The open asks of one agent, on every wire. Each is settled once: by the user, the end of the turn, an abort or the end of
// the connection; a late answer is dropped with a notice. An agent may reuse the id of a settled ask: front ends then get
// another id, so that a late answer cannot reach the second ask. While an ask is open, its id cannot be reused.
import type { Ask, WithdrawReason } from "../../contract/asks.js";
import { objectOf } from "../../contract/json-value.js";
import { OPEN_ASKS_MAX } from "../../contract/limits.js";
import type { LinesCommand } from "../../contract/lines-commands.js";
import type { SessionEvent } from "../../contract/session-events.js";
import { faultOf, writeLine } from "./frames/json-frame.js";

export type AskReply =
  /** A cancel is null, and false for a confirmation. */
  | { readonly kind: "answered"; readonly value: unknown }
  /** No answer will come. */
  | { readonly kind: "unanswered"; readonly reason: string };

/** The ask id for a request id: 1 and "1" are different ids. */
export function askIdOf(id: string | number): string {
  return typeof id === "number" ? `#${id}` : id;
}

/** Whether a confirmation was answered with yes, alone or with options. */
export function isYes(value: unknown): boolean {
  return value === true || objectOf(value)["ok"] === true;
}

/** Sends the answer to the agent. */
export type Reply = (answer: AskReply) => void;

/** `sessionId` is used for asks that name none. */
export type AskSink = { readonly sessionId?: string | null; event(...events: readonly SessionEvent[]): void };

export type NewAsk = Omit<Ask, "sessionId" | "turnId"> & { readonly sessionId?: string | null };

type OpenAsk = { readonly agentId: string; readonly sessionId: string | null; readonly reply: Reply };

/** Larger than what a front end remembers, so that ids are forgotten there first. */
const IDS_REMEMBERED_MAX = 2 * OPEN_ASKS_MAX;

export class PendingAsks {
  private readonly out: AskSink;
  private readonly open = new Map<string, OpenAsk>();
  /** The front end's id of each open ask, by the agent's id. */
  private readonly askIds = new Map<string, string>();
  private readonly usedIds = new Set<string>();

  constructor(out: AskSink) {
    this.out = out;
  }

  has(agentId: string): boolean {
    return this.askIds.has(agentId);
  }

  isOpenIn(sessionId: string): boolean {
    for (const ask of this.open.values()) if (ask.sessionId === sessionId) return true;
    return false;
  }

  /** `source` is what the agent sent, for a fault. */
  raise(asked: NewAsk, reply: Reply, source: object = asked.question): void {
    const { sessionId = this.out.sessionId ?? null } = asked;
    if (this.has(asked.id)) {
      this.refuseTwice(asked.id, sessionId, writeLine(source));
      reply({ kind: "unanswered", reason: `the question ${shown(asked.id)} is already open` });
      return;
    }
    if (this.open.size >= OPEN_ASKS_MAX) {
      const message = "the agent has too many open questions; one was refused";
      this.out.event({ type: "notice.shown", sessionId, level: "warn", message });
      reply({ kind: "unanswered", reason: "overloaded" });
      return;
    }
    const id = this.unusedId(asked.id);
    this.open.set(id, { agentId: asked.id, sessionId, reply });
    this.askIds.set(asked.id, id);
    this.out.event({ type: "ask.raised", sessionId, ask: { ...asked, id, sessionId, turnId: null } });
  }

  /** For wires that see the reused id before they have read the question. */
  refuseTwice(agentId: string, sessionId: string | null = this.out.sessionId ?? null, line = agentId): void {
    const message = `the question ${shown(agentId)} is already open; the second one with this id was refused`;
    this.out.event({ type: "fault.reported", sessionId, fault: faultOf("invalidFrame", message, line) });
  }

  answer({ id, result, error }: Extract<LinesCommand, { type: "ui_response" }>): void {
    const ask = this.settle(id);
    if (ask === undefined) {
      const message = "the answer came too late: the question is no longer open";
      this.out.event({ type: "notice.shown", sessionId: this.out.sessionId ?? null, level: "warn", message });
    } else if (error === undefined || error === null) ask.reply({ kind: "answered", value: result ?? null });
    else ask.reply({ kind: "unanswered", reason: error });
  }

  /** The agent cancelled the ask and gets no answer. */
  withdraw(agentId: string, reason: WithdrawReason): boolean {
    const id = this.askIds.get(agentId);
    const ask = id === undefined ? undefined : this.settle(id);
    if (id === undefined || ask === undefined) return false;
    this.out.event({ type: "ask.withdrawn", sessionId: ask.sessionId, askId: id, reason });
    return true;
  }

  /** Withdraws the asks and answers the agent. */
  giveUp(reason: WithdrawReason, of: { readonly sessionId: string } | "everyone" = "everyone"): void {
    for (const [id, { sessionId, reply }] of [...this.open]) {
      if (of !== "everyone" && of.sessionId !== sessionId) continue;
      this.settle(id);
      reply({ kind: "unanswered", reason });
      this.out.event({ type: "ask.withdrawn", sessionId, askId: id, reason });
    }
  }

  private settle(id: string): OpenAsk | undefined {
    const ask = this.open.get(id);
    this.open.delete(id);
    if (ask !== undefined) this.askIds.delete(ask.agentId);
    return ask;
  }

  private unusedId(agentId: string): string {
    let id = agentId;
    for (let use = 2; this.usedIds.has(id) || this.open.has(id); use += 1) id = `${agentId}~${use}`;
    this.usedIds.add(id);
    const [oldest = ""] = this.usedIds;
    if (this.usedIds.size > IDS_REMEMBERED_MAX) this.usedIds.delete(oldest);
    return id;
  }
}

function shown(agentId: string): string {
  return agentId.slice(0, 80);
}
