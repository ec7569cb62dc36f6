// One prompt: sends it, reacts to questions as the chapter says, and records what happened until the agent ends the turn,
// falls silent or exits.
import { cancelledAnswer, sampleAnswer } from "../contract/dialogs.js";
import type { LinesOutput, UiRequest } from "../contract/lines-outputs.js";
import type { Conversation } from "./conversation.js";

export type TurnRecord = {
  end: "agent_end" | "silence" | "gone";
  asks: UiRequest[];
  withdrawn: Set<string>;
  updates: number;
  pongs: number;
  errors: string[];
};

export type TurnReactions = {
  /** What to do about a question; by default it is answered. */
  onAsk?: (ask: UiRequest) => void;
  onUpdate?: () => void;
};

export async function runTurn(agent: Conversation, text: string, reactions: TurnReactions = {}): Promise<TurnRecord> {
  const { onAsk = (ask: UiRequest) => answer(agent, ask), onUpdate = () => {} } = reactions;
  const record: TurnRecord = { end: "agent_end", asks: [], withdrawn: new Set(), updates: 0, pongs: 0, errors: [] };
  agent.send({ type: "prompt", text });
  for (;;) {
    const next = await agent.next(patience(agent, record));
    if (typeof next === "string") return { ...record, end: next };
    if (isEnd(next)) return record;
    if (next.type === "pong") record.pongs += 1;
    if (next.type === "error") record.errors.push(next.message);
    if (next.type === "ui_cancel") record.withdrawn.add(next.id);
    if (next.type === "event" && next.event.type === "message_update") {
      record.updates += 1;
      onUpdate();
    }
    if (next.type === "ui_request") {
      record.asks.push(next);
      onAsk(next);
    }
  }
}

export function answer(agent: Conversation, ask: UiRequest): void {
  agent.send({ type: "ui_response", id: ask.id, result: sampleAnswer(ask), error: null });
}

export function cancel(agent: Conversation, ask: UiRequest): void {
  agent.send({ type: "ui_response", id: ask.id, result: cancelledAnswer(ask.method), error: null });
}

/** Without a short timeout of the agent, the front end reports its own. */
export function leaveUnanswered(agent: Conversation, ask: UiRequest): void {
  if (ask.timeout_ms !== undefined && ask.timeout_ms <= agent.patienceMs) return;
  agent.send({ type: "ui_response", id: ask.id, result: null, error: "timeout: no answer" });
}

function isEnd(frame: LinesOutput): boolean {
  return frame.type === "event" && frame.event.type === "agent_end";
}

// An open question may stay silent until its own deadline.
function patience(agent: Conversation, { asks }: TurnRecord): number {
  const ownMs = asks.at(-1)?.timeout_ms ?? 0;
  return agent.patienceMs + (ownMs <= agent.patienceMs ? ownMs : 0);
}
