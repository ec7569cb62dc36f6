// Where questions arrive and are answered, whoever asks: the agent over its own wire, or a tool through the server of this
// run. What was decided beforehand answers first, then the person, then the policy for when nobody is there. Each question
// gets one reply and leaves one record.

import type { Ask, AskOutcome, WithdrawReason } from "../../contract/asks.js";
import { errorMessage } from "../../contract/plain-word.js";
import { fitAnswer, isSameQuestion } from "../../session/answer-fit.js";
import { decideAlone, decideBeforehand, type GivenBeforehand, type OnAsk } from "../../session/headless-policy.js";
import type { AskManner, OpenPerson, Person } from "./person.js";

/** An answer that was given to a question of an earlier run, for when it is asked again; it is used once. */
export interface EarlierAnswer {
  readonly ask: Pick<Ask, "question">;
  readonly answer: unknown;
}

/** Keeps a question open where somebody elsewhere can answer it. */
export interface WaitingRoom {
  /** `onLeft` says under which id others find it. Rejects, in words, when nobody elsewhere can be reached. */
  leave(ask: Ask, onLeft: (id: string) => void): Promise<AskOutcome>;
  withdraw(askId: string, reason: WithdrawReason): void;
}

export type AskSource = "agent" | "server";

export interface AskCounterOptions {
  readonly beforehand: GivenBeforehand;
  readonly earlier: readonly EarlierAnswer[];
  readonly onAsk: OnAsk;
  /** Null when there is nobody at this terminal. */
  readonly openPerson: OpenPerson | null;
  readonly waitingRoom: WaitingRoom | null;
}

export interface AskCounterHandlers {
  /** The person takes the terminal, and gives it back. */
  onDialogOpened(manner: AskManner): void;
  onDialogClosed(): void;
  onSettled(ask: Ask, outcome: AskOutcome, how: "person" | "beforehand" | "alone"): void;
  /** Nobody can answer this, and nobody will. */
  onNobody(ask: Ask, why: string): void;
  /** It waits elsewhere, under this id. */
  onLeft(ask: Ask, id: string): void;
  /** Something that was written down did not fit. */
  onWarning(words: string): void;
}

interface OpenQuestion {
  readonly ask: Ask;
  readonly key: string;
  readonly source: AskSource;
  readonly reply: (outcome: AskOutcome) => void;
  readonly where: "person" | "waiting-room";
}

const PERSON = "person";
const NO_ROOM = "--on-ask wait needs a place where somebody else can answer, and there is none here";

export class AskResolver {
  private readonly options: AskCounterOptions;
  private readonly handlers: AskCounterHandlers;
  private readonly person: Person | null;
  private readonly earlier: EarlierAnswer[];
  private readonly open = new Map<string, OpenQuestion>();
  private count = 0;

  constructor(options: AskCounterOptions, handlers: AskCounterHandlers) {
    this.options = options;
    this.handlers = handlers;
    this.earlier = [...options.earlier];
    this.person =
      options.openPerson?.({
        onOpening: (manner) => handlers.onDialogOpened(manner),
        onClosed: () => handlers.onDialogClosed(),
        onOutcome: (ask, outcome) => this.settle(ask.id, outcome),
      }) ?? null;
  }

  /** Whether an answer is being waited for. */
  get isWaiting(): boolean {
    return this.open.size > 0;
  }

  raise(source: AskSource, ask: Ask, reply: (outcome: AskOutcome) => void): void {
    const key = `${source} ${ask.id}`;
    if ([...this.open.values()].some((question) => question.key === key)) return;
    if (this.answerBeforehand(ask, reply)) return;
    // Two sources may use the same ids, so that a question has one of ours while it is open.
    this.count += 1;
    const own = { ...ask, id: `ask-${this.count}` };
    if (this.person !== null) {
      this.open.set(own.id, { ask, key, source, reply, where: "person" });
      this.person.ask(own);
    } else if (this.options.onAsk === "wait" && this.options.waitingRoom !== null) {
      this.open.set(own.id, { ask, key, source, reply, where: "waiting-room" });
      this.leave(own, this.options.waitingRoom);
    } else this.answerAlone(ask, reply);
  }

  withdraw(source: AskSource, askId: string, reason: WithdrawReason): void {
    for (const [id, { key }] of this.open) if (key === `${source} ${askId}`) this.takeBack(id, reason);
  }

  withdrawAll(source: AskSource | "everyone", reason: WithdrawReason): void {
    for (const [id, question] of [...this.open]) {
      if (source === "everyone" || question.source === source) this.takeBack(id, reason);
    }
  }

  async close(): Promise<void> {
    this.withdrawAll("everyone", "shutdown");
    await this.person?.close();
  }

  private leave(own: Ask, room: WaitingRoom): void {
    const onLeft = (id: string) => this.handlers.onLeft(own, id);
    room.leave(own, onLeft).then(
      (outcome) => this.settle(own.id, outcome),
      (error: unknown) => this.giveUp(own.id, errorMessage(error)),
    );
  }

  private giveUp(id: string, why: string): void {
    const question = this.open.get(id);
    if (question === undefined) return;
    this.open.delete(id);
    this.handlers.onNobody(question.ask, why);
  }

  private takeBack(id: string, reason: WithdrawReason): void {
    const question = this.open.get(id);
    if (question?.where === "person") this.person?.withdraw(id, reason);
    else this.options.waitingRoom?.withdraw(id, reason);
    this.settle(id, { kind: "withdrawn", reason });
  }

  private settle(id: string, outcome: AskOutcome): void {
    const question = this.open.get(id);
    if (question === undefined) return;
    this.open.delete(id);
    question.reply(outcome);
    this.handlers.onSettled(question.ask, question.where === "person" ? named(outcome) : outcome, "person");
  }

  private answerBeforehand(ask: Ask, reply: (outcome: AskOutcome) => void): boolean {
    const decision = this.fromEarlier(ask) ?? decideBeforehand(ask, this.options.beforehand);
    if (decision.kind === "undecided") {
      if (decision.why !== "") this.handlers.onWarning(decision.why);
      return false;
    }
    reply(decision);
    this.handlers.onSettled(ask, decision, "beforehand");
    return true;
  }

  private fromEarlier(ask: Ask): Extract<AskOutcome, { kind: "answered" | "cancelled" }> | null {
    const at = this.earlier.findIndex((earlier) => isSameQuestion(earlier.ask, ask));
    const [found] = at < 0 ? [] : this.earlier.splice(at, 1);
    if (found === undefined) return null;
    const fitted = fitAnswer(ask, found.answer);
    if (fitted.kind !== "unfit") return { ...fitted, by: "--answer" };
    this.handlers.onWarning(`--answer does not fit: ${fitted.problem}`);
    return null;
  }

  private answerAlone(ask: Ask, reply: (outcome: AskOutcome) => void): void {
    const { onAsk } = this.options;
    const decision = decideAlone(ask, onAsk, "agent");
    if (decision.kind === "undecided") {
      this.handlers.onNobody(ask, onAsk === "wait" ? NO_ROOM : "");
      return;
    }
    reply(decision);
    this.handlers.onSettled(ask, decision, "alone");
  }
}

// Which front end of ours a person used matters to nobody outside.
function named(outcome: AskOutcome): AskOutcome {
  return outcome.kind === "answered" || outcome.kind === "cancelled" ? { ...outcome, by: PERSON } : outcome;
}
