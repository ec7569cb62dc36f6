// The rules of a conversation with an agent, in one place: what an event of the agent changes, what an intent of a view does,
// when asks are withdrawn, what the agent has to be sent. Pure; the reducers of the parts do the work.
//
//   reduce(state, input, atMs) → { state, changes, effects }
import type { WithdrawReason } from "../../contract/asks.js";
import { textOf } from "../../contract/message-parts.js";
import type { SessionEvent } from "../../contract/session-events.js";
import { withoutReason } from "../ask-facts.js";
import { openAskOf } from "../asks.js";
import { QUEUE_FULL_WORDS } from "../session-facts.js";
import { joinedOutputs } from "../shell-output.js";
import type { Journal } from "../transcript/journal.js";
import type { EngineInput, EngineStep, Intent } from "./engine-messages.js";
import { activeSession, type EngineState, type Notice, sessionNamedBy, sessionOfAsk } from "./engine-state.js";
import { StepDraft } from "./step-draft.js";

type Submit = Extract<Intent, { type: "submit" }>;

export function reduce(state: EngineState, input: EngineInput, atMs: number): EngineStep {
  const draft = new StepDraft(state, atMs, input.type === "intent" ? input.by : null);
  switch (input.type) {
    case "event":
      event(draft, input.event);
      break;
    case "agent":
      agent(draft, input);
      break;
    case "settled-elsewhere":
      settledElsewhere(draft, input);
      break;
    case "delivered":
      draft.asks({ ...input, atMs });
      break;
    case "intent":
      intent(draft, input);
      break;
    case "withdraw":
      draft.asks({ type: "withdraw-all", of: "everyone", reason: input.reason, atMs });
      break;
    case "clock":
      draft.asks({ type: "clock", atMs });
      break;
  }
  return draft;
}

function event(draft: StepDraft, happened: SessionEvent): void {
  if (happened.type === "session.cleared") {
    cleared(draft, happened);
    return;
  }
  askEvent(draft, happened);
  listEvent(draft, happened);
  const atMs = happened.atMs ?? draft.atMs;
  if (happened.type === "notice.shown") {
    draft.change({ type: "notice", notice: { atMs, level: happened.level, text: happened.message } });
  }
  const { key, facts } = sessionNamedBy(draft.state, happened.sessionId);
  draft.record(key, happened, atMs);
  // Of a resumed session the agent tells the prompts.
  if (happened.type === "message.finished" && happened.message.role === "user") {
    draft.nameByPrompt(key, textOf(happened.message.content));
  }
  if (happened.type === "agent.readied" && facts.phase === "working") {
    notice(draft, key, {
      level: "error",
      text: "the agent sent its greeting again in the middle of the turn, so the prompt is lost",
    });
  }
  // Half an answer without a reason under it looks like a fault.
  if (happened.type === "prompt.finished" && facts.stoppingSinceMs !== null) {
    notice(draft, key, { level: "info", text: "stopped" });
  }
  draft.facts(key, happened, atMs);
  if (happened.type === "agent.readied") readyEverywhere(draft, happened, atMs);
  if (happened.type === "command.answered") {
    const { command, answer } = happened;
    draft.change({ type: "reply", command, answer, by: draft.awaitedBy(command) });
  } else if (happened.type === "session.started" && happened.sessionId !== null) {
    draft.change({ type: "session.started", id: happened.sessionId });
  }
}

// A session that was asked for during the start may get its name before the first one does.
function readyEverywhere(draft: StepDraft, readied: SessionEvent, atMs: number): void {
  for (const { key, facts } of draft.state.sessions) if (facts.phase === "starting") draft.facts(key, readied, atMs);
}

// The session stays: what was said is above the notice, and what is queued goes to the new conversation.
function cleared(draft: StepDraft, happened: Extract<SessionEvent, { type: "session.cleared" }>): void {
  const { replacedBy = null } = happened;
  const { key, id } = sessionNamedBy(draft.state, happened.sessionId);
  withdrawAll(draft, id, "session_closed");
  notice(draft, key, { level: "info", text: "conversation cleared" });
  draft.facts(key, happened);
  draft.update(key, { context: "" });
  draft.list({ type: "cleared", id, replacedBy });
  if (replacedBy !== null) draft.change({ type: "session.started", id: replacedBy });
}

function askEvent(draft: StepDraft, happened: SessionEvent): void {
  const { atMs } = draft;
  if (happened.type === "ask.raised") draft.asks({ type: "ask", ask: happened.ask, atMs });
  else if (happened.type === "ask.withdrawn") {
    draft.asks({ type: "withdraw", askId: happened.askId, reason: happened.reason, atMs });
  } else if (happened.type === "prompt.finished") withdrawAll(draft, happened.sessionId, "turn_ended");
  else if (happened.type === "session.closed") withdrawAll(draft, happened.sessionId, "session_closed");
}

// An agent with one session may leave its name out in one frame and say it in another.
function withdrawAll(draft: StepDraft, sessionId: string | null, reason: WithdrawReason): void {
  const of = draft.state.sessions.length > 1 && sessionId !== null ? { sessionId } : "everyone";
  draft.asks({ type: "withdraw-all", of, reason, atMs: draft.atMs });
}

function listEvent(draft: StepDraft, happened: SessionEvent): void {
  const { sessionId: id } = happened;
  if (id === null) return;
  if (happened.type === "session.started") draft.switchBy({ type: "started", id, cwd: happened.cwd ?? null });
  else if (happened.type === "session.closed") draft.switchBy({ type: "closed", id });
  else if (happened.type === "session.activated") draft.switchBy({ type: "activated", id });
  else draft.switchBy({ type: "heard", id });
}

// The sessions of an agent end with it. Its successor names its own; the active one is the first of them.
function agent(draft: StepDraft, input: Extract<EngineInput, { type: "agent" }>): void {
  const { change } = input;
  if (change === "closed") {
    draft.asks({ type: "withdraw-all", of: "everyone", reason: "disconnected", atMs: draft.atMs });
    for (const { key } of draft.state.sessions) draft.record(key, { type: "prompt.finished", sessionId: null });
    draft.state = { ...draft.state, awaited: [] };
  } else {
    for (const { id } of draft.state.sessions) if (id !== draft.state.active) draft.gone(id);
    draft.list({ type: "restarted" });
  }
  const type = change === "opened" ? "link.opened" : "link.closed";
  for (const { key } of draft.state.sessions) draft.facts(key, { type });
  draft.change(input);
}

function settledElsewhere(
  draft: StepDraft,
  { askId, outcome }: Extract<EngineInput, { type: "settled-elsewhere" }>,
): void {
  const { atMs } = draft;
  if (outcome.kind === "answered") {
    draft.asks({ type: "answer", askId, value: outcome.value, by: outcome.by, atMs }, "knows");
  } else if (outcome.kind === "cancelled") draft.asks({ type: "cancel", askId, by: outcome.by, atMs }, "knows");
  else draft.asks({ type: "withdraw", askId, reason: "agent_cancelled", atMs }, "knows");
}

function intent(draft: StepDraft, { intent: wanted, by }: Extract<EngineInput, { type: "intent" }>): void {
  const { atMs } = draft;
  const { key } = activeSession(draft.state);
  switch (wanted.type) {
    case "submit":
      submit(draft, key, wanted);
      return;
    case "abort":
      // After a stop the next message is not sent: queued messages go back to the composer.
      draft.facts(key, { type: "queue.taken-back", which: "all" });
      draft.send(key, wanted);
      draft.facts(key, { type: "stop.asked" });
      return;
    case "reset":
    case "save":
    case "stats":
      draft.send(key, wanted);
      return;
    case "queue.remove":
      draft.facts(key, { type: "queue.removed", which: wanted.text === undefined ? "all" : { text: wanted.text } });
      return;
    case "queue.take-back":
      draft.facts(key, { type: "queue.taken-back", which: wanted.text === undefined ? "last" : { text: wanted.text } });
      return;
    case "suggestion.take":
      draft.facts(key, { type: "suggestion.taken" });
      return;
    case "resume":
      draft.facts(key, { type: "session.cleared", sessionId: null });
      draft.list({ type: "named", id: draft.session(key).id, name: wanted.title });
      return;
    case "activate":
      activate(draft, wanted.id);
      return;
    case "close":
      draft.command({ type: "close_session", session_id: wanted.id });
      return;
    case "answer":
      answer(draft, wanted, by);
      return;
    case "cancel":
      draft.refuseLate(wanted.askId);
      draft.asks({ type: "cancel", askId: wanted.askId, by, atMs });
      return;
    case "shown":
      draft.asks({ type: "shown", askId: wanted.askId, atMs });
      return;
    case "notice":
      notice(draft, key, wanted);
      return;
    case "shell":
      draft.record(wanted.session, { type: "shell", event: wanted.event });
      return;
    case "cut-short":
      for (const session of draft.state.sessions) draft.record(session.key, { type: "cut-short" });
      return;
    case "prepend": {
      const { transcript, journal } = draft.session(key);
      draft.update(key, { transcript, journal: joined(wanted.journal, journal) });
      return;
    }
    case "command":
      draft.command(wanted.command);
      return;
  }
}

function submit(draft: StepDraft, key: number, { text, context = "", images = [] }: Submit): void {
  const before = draft.session(key);
  if (context !== "") draft.update(key, { context: joinedOutputs(before.context, context) });
  draft.facts(key, { type: "prompt.submitted", text }, draft.atMs, images);
  // It comes again with the prompt.
  if (draft.refusal !== null) draft.update(key, { context: before.context });
}

function answer(draft: StepDraft, wanted: Extract<Intent, { type: "answer" }>, by: string): void {
  const { askId } = wanted;
  draft.refuseLate(askId);
  const ask = openAskOf(draft.state.asks, askId);
  if (ask === null) return;
  const { value, prompt } = withoutReason(ask, wanted.value);
  draft.asks({ type: "answer", askId, value, by, atMs: draft.atMs });
  if (prompt === "") return;
  const { key } = sessionOfAsk(draft.state, ask);
  draft.facts(key, { type: "prompt.submitted", text: prompt });
  if (draft.refusal === null) return;
  // The answer itself was accepted.
  draft.refusal = null;
  notice(draft, key, { level: "warn", text: `your reason was ${QUEUE_FULL_WORDS}` });
}

function activate(draft: StepDraft, id: string): void {
  if (id === draft.state.active) return;
  draft.switchBy({ type: "activated", id });
  draft.command({ type: "set_active_session", session_id: id });
}

function notice(draft: StepDraft, key: number, { level, text }: Omit<Notice, "atMs">): void {
  draft.record(key, { type: "notice.shown", sessionId: null, level, message: text });
}

function joined(earlier: Journal, journal: Journal): Journal {
  return {
    blocks: [...earlier.blocks, ...journal.blocks],
    units: earlier.units + journal.units,
    dropped: journal.dropped,
  };
}
