// The open questions of one agent, on every wire. Each is answered exactly once: by the person, by the end of the turn, by an
// abort or by the end of the connection. A late answer is dropped, and the person is told.
//
// An agent may use an id again once its question is settled. The front ends get another id then, so that a late answer to
// the first question can never answer the second. While a question is open, a second one with its id is refused.
import type { Ask, WithdrawReason } from "../../contract/asks.js";
import { objectOf } from "../../contract/json-value.js";
import { OPEN_ASKS_MAX } from "../../contract/limits.js";
import type { LinesCommand } from "../../contract/lines-commands.js";
import type { SessionEvent } from "../../contract/session-events.js";
import { faultOf } from "./frames/json-frame.js";

export type AskReply =
  /** What the person said. A cancel is null, and false for a confirmation. */
  | { readonly kind: "answered"; readonly value: unknown }
  /** There is no answer, and none will come. */
  | { readonly kind: "unanswered"; readonly reason: string };

/** The name of a question by the id of its request: 1 and "1" are two ids, and an agent may use both. */
export function askIdOf(id: string | number): string {
  return typeof id === "number" ? `#${id}` : id;
}

/** Whether a confirmation was answered with yes, plainly or with options. */
export function isYes(value: unknown): boolean {
  return value === true || objectOf(value)["ok"] === true;
}

/** Carries the answer to the agent, in the words of its wire. */
export type Reply = (answer: AskReply) => void;

/** Where events go; `sessionId` is the session of a question that names none. */
export type AskSink = { readonly sessionId?: string | null; event(...events: readonly SessionEvent[]): void };

export type NewAsk = Omit<Ask, "sessionId" | "turnId"> & { readonly sessionId?: string | null };

type OpenAsk = { readonly agentId: string; readonly sessionId: string | null; readonly reply: Reply };

/** More than can be open or lately settled in a front end, so that an id that is forgotten here is forgotten there, too. */
const IDS_REMEMBERED_MAX = 2 * OPEN_ASKS_MAX;

export class PendingAsks {
  private readonly out: AskSink;
  private readonly open = new Map<string, OpenAsk>();
  /** The front end's id of each open question, by the agent's. */
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

  raise(asked: NewAsk, reply: Reply): void {
    const { sessionId = this.out.sessionId ?? null } = asked;
    if (this.has(asked.id)) {
      this.refuseTwice(asked.id, sessionId);
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

  /** An id was used again while its question is open; for wires that notice it before they know the question. */
  refuseTwice(agentId: string, sessionId: string | null = this.out.sessionId ?? null): void {
    const message = `the question ${shown(agentId)} is already open; the second one with this id was refused`;
    this.out.event({ type: "fault.reported", sessionId, fault: faultOf("invalidFrame", message, agentId) });
  }

  answer({ id, result, error }: Extract<LinesCommand, { type: "ui_response" }>): void {
    const ask = this.settle(id);
    if (ask === undefined) {
      const message = "the answer came too late: the question is no longer open";
      this.out.event({ type: "notice.shown", sessionId: this.out.sessionId ?? null, level: "warn", message });
    } else if (error === undefined || error === null) ask.reply({ kind: "answered", value: result ?? null });
    else ask.reply({ kind: "unanswered", reason: error });
  }

  /** The agent no longer wants an answer, and gets none. */
  withdraw(agentId: string, reason: WithdrawReason): boolean {
    const id = this.askIds.get(agentId);
    const ask = id === undefined ? undefined : this.settle(id);
    if (id === undefined || ask === undefined) return false;
    this.out.event({ type: "ask.withdrawn", sessionId: ask.sessionId, askId: id, reason });
    return true;
  }

  /** No one will answer these: the agent is told, and the dialogs close. */
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
