// Intents of views elsewhere: answers are checked before they settle an ask, and the view is told whether the agent has them.
import type { Delivery } from "../contract/asks.js";
import type { SessionIntent } from "../contract/session-changes.js";
import { openAskOf } from "../session/asks.js";
import type { Change, Intent, Refusal } from "../session/engine/engine-messages.js";
import type { SessionEngine } from "../session/engine/source.js";
import { checkAnswer } from "./asks/answer-check.js";

/** "delivered": the agent has it. */
export type HostedResult =
  | { readonly result: "accepted" | "delivered" }
  | { readonly result: "refused"; readonly refusal: HostedRefusal };

export type HostedRefusal = Refusal | { readonly why: "ended" } | { readonly why: "unfit"; readonly problem: string };

export class CheckedIntents {
  private readonly engine: SessionEngine;
  /** What is done to an intent before it enters the engine. */
  private readonly enter: (intent: Intent) => Intent;
  /** Requests that wait for the delivery of an answer, by the id of the ask. */
  private readonly finishing = new Map<string, (delivery: Delivery | null) => void>();

  constructor(engine: SessionEngine, enter: (intent: Intent) => Intent = (intent) => intent) {
    this.engine = engine;
    this.enter = enter;
  }

  dispatch(intent: SessionIntent, by: string): HostedResult {
    const checked = this.checked(intent as Intent);
    if ("refusal" in checked) return { result: "refused", refusal: checked.refusal };
    return this.engine.dispatch(this.enter(checked.intent), by);
  }

  /** Like `dispatch`; of what settles an ask it says whether the agent has it. */
  async perform(intent: SessionIntent, dispatch: (intent: SessionIntent) => HostedResult): Promise<HostedResult> {
    const isAnswer = intent.type === "answer" || intent.type === "cancel";
    if (!isAnswer || openAskOf(this.engine.state.asks, intent.askId) === null) return dispatch(intent);
    const finished = new Promise<Delivery | null>((resolve) => this.finishing.set(intent.askId, resolve));
    const result = dispatch(intent);
    if (result.result === "refused") this.finishing.delete(intent.askId);
    else if ((await finished) === "delivered") return { result: "delivered" };
    return result;
  }

  /** To be called with every change of the engine. */
  follow(change: Change): void {
    if (change.type !== "ask.finished") return;
    this.finishing.get(change.ask.id)?.(change.delivery);
    this.finishing.delete(change.ask.id);
  }

  private checked(intent: Intent): { readonly intent: Intent } | { readonly refusal: HostedRefusal } {
    if (intent.type !== "answer") return { intent };
    const ask = openAskOf(this.engine.state.asks, intent.askId);
    if (ask === null) return { intent };
    const answer = checkAnswer(ask, intent.value);
    if (answer.kind === "unfit") return { refusal: { why: "unfit", problem: answer.problem } };
    return { intent: { ...intent, value: answer.value } };
  }
}
