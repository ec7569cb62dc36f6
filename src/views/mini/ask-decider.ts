// Decides who answers an open ask: a rule, else the user in a view, else the project's daemon or the policy for when no one
// can be asked. Every answer is dispatched with the rule, flag or view that gave it.

import type { Ask, AskOutcome } from "../../contract/asks.js";
import { errorMessage } from "../../contract/plain-word.js";
import { fitAnswer } from "../../session/answer-fit.js";
import { isSameQuestion } from "../../session/ask-facts.js";
import { openAskOf } from "../../session/asks.js";
import type { Change } from "../../session/engine/engine-messages.js";
import type { SessionEngine } from "../../session/engine/source.js";
import {
  type Decision,
  decideAlone,
  decideBeforehand,
  type GivenBeforehand,
  type OnAsk,
} from "../../session/headless-policy.js";
import { type AskView, type AskViewPorts, MINI, type OpenAskView } from "./ask-view.js";

/** An answer that was given to a question of an earlier run, for when it is asked again; it is used once. */
export interface EarlierAnswer {
  readonly ask: Pick<Ask, "question">;
  /** Null: it was cancelled. */
  readonly answer: unknown;
  readonly by: string;
  /** The id under which it waited at the daemon. */
  readonly waitsAs?: string;
}

/** Keeps an ask open where it can be answered from elsewhere. */
export interface WaitingRoom {
  /** `onLeft` says under which id others find it. Rejects, in words, when no one elsewhere can be reached. */
  leave(ask: Ask, onLeft: (id: string) => void): Promise<AskOutcome>;
  withdraw(askId: string): void;
}

export interface AskOptions {
  readonly beforehand: GivenBeforehand;
  readonly earlier: readonly EarlierAnswer[];
  readonly onAsk: OnAsk;
  /** Null when no one can be asked at this terminal. */
  readonly openView: OpenAskView | null;
  readonly waitingRoom: WaitingRoom | null;
  /** The record of this ask is kept under the id that it has at the daemon. */
  recordAs?(askId: string, id: string): void;
}

export interface AskDeciderPorts extends AskViewPorts {
  onSettled(ask: Ask, outcome: AskOutcome, how: "person" | "beforehand" | "alone"): void;
  /** No one can answer this, and no one will. */
  onUnanswered(ask: Ask, why: string): void;
  /** It waits elsewhere, under this id. */
  onLeft(ask: Ask, id: string): void;
  /** Something that was written down did not fit. */
  onWarning(words: string): void;
}

const NO_ROOM = "--on-ask wait needs a daemon where the question can be answered, and none runs here";

export class AskDecider {
  private readonly options: AskOptions;
  private readonly ports: AskDeciderPorts;
  private readonly view: AskView | null;
  private readonly earlier: EarlierAnswer[];
  /** The open asks that the user is not asked, by id. */
  private readonly decided = new Map<string, "beforehand" | "alone" | "unanswered">();

  constructor(options: AskOptions, ports: AskDeciderPorts) {
    this.options = options;
    this.ports = ports;
    this.earlier = [...options.earlier];
    this.view = options.openView?.(ports) ?? null;
  }

  follow(change: Change): void {
    if (change.type === "ask.raised") this.raised(change);
    else this.view?.follow(change);
    if (change.type === "ask.settled") this.settled(change.ask, change.outcome);
  }

  /** Resolves when the terminal was given back. */
  async close(): Promise<void> {
    await this.view?.close();
  }

  private raised(change: Extract<Change, { type: "ask.raised" }>): void {
    const { ask } = change;
    const { onAsk, waitingRoom } = this.options;
    if (this.settle(ask, this.decideBeforehand(ask), "beforehand")) return;
    if (this.view !== null) this.view.follow(change);
    else if (onAsk === "wait" && waitingRoom !== null) this.leave(ask, waitingRoom);
    else if (!this.settle(ask, decideAlone(ask, onAsk, "agent"), "alone"))
      this.giveUp(ask, onAsk === "wait" ? NO_ROOM : "");
  }

  private settled(ask: Ask, outcome: AskOutcome): void {
    const how = this.decided.get(ask.id) ?? "person";
    this.decided.delete(ask.id);
    this.options.waitingRoom?.withdraw(ask.id);
    if (how !== "unanswered") this.ports.onSettled(ask, named(outcome), how);
  }

  private settle(ask: Ask, decision: Decision, how: "beforehand" | "alone"): boolean {
    if (decision.kind === "undecided") return false;
    this.decided.set(ask.id, how);
    settleAsk(this.ports.source, ask.id, decision);
    return true;
  }

  private leave(ask: Ask, room: WaitingRoom): void {
    const { source, onLeft } = this.ports;
    room
      .leave(ask, (id) => {
        this.options.recordAs?.(ask.id, id);
        onLeft.call(this.ports, ask, id);
      })
      .then(
        (outcome) => settleAsk(source, ask.id, outcome),
        (error: unknown) => this.giveUp(ask, errorMessage(error)),
      );
  }

  private giveUp(ask: Ask, why: string): void {
    if (openAskOf(this.ports.source.state.asks, ask.id) === null) return;
    this.decided.set(ask.id, "unanswered");
    this.ports.onUnanswered(ask, why);
  }

  private decideBeforehand(ask: Ask): Decision {
    const decision = this.fromEarlier(ask) ?? decideBeforehand(ask, this.options.beforehand);
    if (decision.kind === "undecided" && decision.why !== "") this.ports.onWarning(decision.why);
    return decision;
  }

  private fromEarlier(ask: Ask): Decision | null {
    const at = this.earlier.findIndex((earlier) => isSameQuestion(earlier.ask, ask));
    const [found] = at < 0 ? [] : this.earlier.splice(at, 1);
    if (found === undefined) return null;
    if (found.waitsAs !== undefined) this.options.recordAs?.(ask.id, found.waitsAs);
    const fitted = fitAnswer(ask, found.answer);
    if (fitted.kind !== "unfit") return { ...fitted, by: found.by };
    this.ports.onWarning(`${found.by} does not fit: ${fitted.problem}`);
    return null;
  }
}

/** Settles an open ask as it was decided here or elsewhere. The source itself knows when it expires. */
export function settleAsk(source: SessionEngine, askId: string, outcome: AskOutcome): void {
  if (outcome.kind === "answered") source.dispatch({ type: "answer", askId, value: outcome.value }, outcome.by);
  else if (outcome.kind === "cancelled") source.dispatch({ type: "cancel", askId }, outcome.by);
  else if (outcome.kind === "withdrawn") {
    source.take({ type: "event", event: { type: "ask.withdrawn", sessionId: null, askId, reason: outcome.reason } });
  }
}

// Which view was used does not matter to those who read what is printed.
function named(outcome: AskOutcome): AskOutcome {
  const isHere = (outcome.kind === "answered" || outcome.kind === "cancelled") && outcome.by === MINI;
  return isHere ? { ...outcome, by: "person" } : outcome;
}
