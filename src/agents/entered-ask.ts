// An ask on its way in, the same for every wire: what is dangerous about it is put into words, and an approval says who will
// perform what it approves. An agent cannot say that of itself: what it claims is replaced.
import type { Ask } from "../contract/asks.js";
import type { SessionEvent } from "../contract/session-events.js";
import { isApproval } from "../session/answer-fit.js";
import { withDanger } from "../session/permission/dangerous-ask.js";

export type Entering = {
  /** Where the agent was started. */
  readonly folder: string;
  readonly performedBy: "palaver" | "agent";
};

export function enteredEvent(event: SessionEvent, entering: Entering): SessionEvent {
  return event.type === "ask.raised" ? { ...event, ask: enteredAsk(event.ask, entering) } : event;
}

export function enteredAsk(ask: Ask, { folder, performedBy }: Entering): Ask {
  return withPerformer(withDanger(ask, { folder }), performedBy);
}

// Permission questions are made by the wires, which say it themselves: they know what Palaver does for an agent. Confirmations
// are the agent's own.
function withPerformer(ask: Ask, performed_by: Entering["performedBy"]): Ask {
  const { question } = ask;
  if (question.kind !== "confirm" || !isApproval(ask)) return ask;
  const opts = { ...question.params.opts, performed_by };
  return { ...ask, question: { ...question, params: { ...question.params, opts } } };
}
