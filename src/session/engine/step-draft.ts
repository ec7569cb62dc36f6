// One step of the engine while it is made: the state so far, and what came of it in order. Each method runs one of the reducers
// of a session and passes on what follows from it. A draft lives for one input.
import type { AskOutcome, Delivery } from "../../contract/asks.js";
import type { LinesCommand } from "../../contract/lines-commands.js";
import { type AsksEffect, type AsksInput, reduceAsks } from "../asks.js";
import { outcomeWords } from "../outcome-words.js";
import { type FactsEffect, type FactsInput, reduceFacts, startingFacts } from "../session-facts.js";
import { reduceSessionList, type SessionListInput } from "../session-list.js";
import type { BlockChange } from "../transcript/block.js";
import { journaled } from "../transcript/journal.js";
import { reduceTranscript, type TranscriptInput } from "../transcript/transcript.js";
import type { Change, Effect, EngineStep } from "./engine-messages.js";
import { activeSession, type EngineState, newSession, type SessionState, sessionOfAsk } from "./engine-state.js";

const NAME_CHARS_MAX = 60;

/** Commands that are about one session say which. */
type SessionCommand = Extract<LinesCommand, { type: "prompt" | "abort" | "reset" | "save" | "stats" }>;

export type Recorded = Pick<SessionState, "transcript" | "journal">;

/** What happened becomes blocks; those that are closed go to the journal. */
export function recorded(
  before: Recorded,
  input: TranscriptInput,
  atMs: number,
): Recorded & { readonly changes: readonly BlockChange[] } {
  const { state: transcript, changes } = reduceTranscript(before.transcript, input, atMs);
  let { journal } = before;
  for (const change of changes) if (change.type === "closed") journal = journaled(journal, change.block);
  return { transcript, journal, changes };
}

export class StepDraft implements EngineStep {
  state: EngineState;
  readonly changes: Change[] = [];
  readonly effects: Effect[] = [];
  readonly atMs: number;

  constructor(state: EngineState, atMs: number) {
    this.state = state;
    this.atMs = atMs;
  }

  /** The session as it is now. */
  session(key: number): SessionState {
    return this.state.sessions.find((session) => session.key === key) ?? activeSession(this.state);
  }

  update(key: number, fields: Partial<SessionState>): void {
    const sessions = this.state.sessions.map((session) => (session.key === key ? { ...session, ...fields } : session));
    this.state = { ...this.state, sessions };
  }

  record(key: number, input: TranscriptInput, atMs = this.atMs): void {
    const session = this.session(key);
    const { transcript, journal, changes } = recorded(session, input, atMs);
    this.update(key, { transcript, journal });
    for (const change of changes) {
      if (change.type === "closed") this.list({ type: "block-ended", id: session.id });
      this.changes.push({ type: "block", session: key, change });
    }
  }

  facts(key: number, input: FactsInput, atMs = this.atMs): void {
    const session = this.session(key);
    const { state: facts, effects } = reduceFacts(session.facts, input, atMs);
    if (facts !== session.facts) {
      this.update(key, { facts });
      this.changes.push({ type: "facts", session: key });
    }
    for (const effect of effects) this.perform(key, effect);
  }

  asks(input: AsksInput, agent: "is told" | "knows" = "is told"): void {
    const { state: asks, effects } = reduceAsks(this.state.asks, input);
    this.state = { ...this.state, asks };
    for (const effect of effects) {
      if (effect.type !== "tell-agent" || agent === "is told") this.performAsk(effect);
      else this.asks({ type: "delivered", askId: effect.ask.id, delivery: "delivered", atMs: this.atMs });
    }
  }

  list(input: SessionListInput): void {
    const before = this.state;
    const list = reduceSessionList(before, input, (entry) => this.create(entry));
    if (list !== before) this.state = { ...this.state, sessions: list.sessions, active: list.active };
  }

  /** The active session may be another one afterwards, and one may be gone. */
  switchBy(input: SessionListInput): void {
    const from = activeSession(this.state);
    if (input.type === "closed" && input.id !== from.id) this.gone(input.id);
    this.list(input);
    const to = activeSession(this.state);
    if (to.key !== from.key) this.changes.push({ type: "session.switched", from: from.key, to: to.key });
  }

  gone(id: string): void {
    const place = this.state.sessions.findIndex((session) => session.id === id);
    const session = this.state.sessions[place];
    if (session !== undefined) this.changes.push({ type: "session.gone", session, place });
  }

  send(key: number, command: SessionCommand): void {
    const { id } = this.session(key);
    this.effects.push({ type: "send", command: id === "" ? command : { ...command, session_id: id } });
  }

  // The agent is there already, else it could not have named a session.
  private create(entry: Parameters<typeof newSession>[0]): SessionState {
    const { model } = activeSession(this.state).facts;
    const key = this.state.nextKey;
    this.state = { ...this.state, nextKey: key + 1 };
    return newSession(entry, key, { ...startingFacts, phase: "idle", model });
  }

  private perform(key: number, effect: FactsEffect): void {
    switch (effect.type) {
      case "send-prompt":
        this.nameByPrompt(key, effect.text);
        this.record(key, { type: "prompt.sent", text: effect.text });
        this.send(key, { type: "prompt", text: effect.text });
        return;
      case "set-composer":
        this.changes.push({ type: "composer", session: key, text: effect.text });
        return;
      case "set-title":
        this.update(key, { name: effect.title });
        return;
    }
  }

  // The first prompt is what a user knows a session by, until the agent finds a better name.
  private nameByPrompt(key: number, text: string): void {
    const [first = ""] = text.trim().split("\n");
    if (this.session(key).name === "") this.update(key, { name: first.slice(0, NAME_CHARS_MAX) });
  }

  private performAsk(effect: AsksEffect): void {
    switch (effect.type) {
      case "show-ask":
        this.changes.push({ type: "ask.raised", ask: effect.ask });
        return;
      case "close-ask":
        this.changes.push({ type: "ask.settled", ask: effect.ask, outcome: effect.outcome });
        return;
      case "finish-ask": {
        const { ask, outcome, delivery } = effect;
        const { key } = sessionOfAsk(this.state, ask);
        const words = deliveredWords(outcomeWords(ask, outcome), outcome, delivery);
        this.record(key, { type: "ask.settled", title: ask.question.params.title, outcome: words });
        this.changes.push({ type: "ask.finished", ask, outcome, delivery });
        return;
      }
      case "tell-agent":
        this.effects.push({ type: "respond", ask: effect.ask, outcome: effect.outcome });
        return;
      case "write-audit":
        this.effects.push({ type: "audit", record: effect.record });
        return;
      case "wake-at":
        this.effects.push(effect);
        return;
    }
  }
}

// An answer stands in the transcript as given only when the agent has it.
function deliveredWords(words: string, outcome: AskOutcome, delivery: Delivery | null): string {
  return outcome.kind === "answered" && delivery === "lost" ? `${words} (not delivered: the agent was gone)` : words;
}
