// An ask on its way in, the same for every wire: what is dangerous about it is put into words, and an approval says who will
// perform what it approves. An agent cannot say that of itself: what it claims is replaced.
import type { Ask } from "../contract/asks.js";
import type { SessionEvent } from "../contract/session-events.js";
import { isApproval } from "../core/answer-fit.js";
import { withDanger } from "../core/permission/dangerous-ask.js";

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

// Permission questions are made by the wires, which know what Palaver itself does for an agent; confirmations are the agent's.
function withPerformer(ask: Ask, usual: Entering["performedBy"]): Ask {
  const { question } = ask;
  if (!isApproval(ask)) return ask;
  if (question.kind === "permission") {
    const performedBy = question.params.performedBy ?? usual;
    return { ...ask, question: { ...question, params: { ...question.params, performedBy } } };
  }
  if (question.kind !== "confirm") return ask;
  const opts = { ...question.params.opts, performed_by: usual };
  return { ...ask, question: { ...question, params: { ...question.params, opts } } };
}
