// One step of the engine while it is made: the state so far, and what came of it in order. Each method runs one of the reducers
// of a session and passes on what follows from it. What views see is changed by changes alone. A draft lives for one input.
import type { LinesCommand, LinesCommandType } from "../../contract/lines-commands.js";
import { type AsksEffect, type AsksInput, openAskOf, outcomeOf, reduceAsks } from "../asks.js";
import { type FactsEffect, type FactsInput, placesInQueue, reduceFacts, startingFacts } from "../session-facts.js";
import { type OpenSession, reduceSessionList, type SessionListInput } from "../session-list.js";
import { reduceTranscript, type TranscriptInput } from "../transcript/transcript.js";
import { applyChange, changedFacts, entryOf } from "./apply-change.js";
import type { Change, Effect, EngineStep, PromptImage, Refusal } from "./engine-messages.js";
import { activeSession, type EngineState, newSession, type SessionState, sessionOfAsk } from "./engine-state.js";

const NAME_CHARS_MAX = 60;

/** An agent that never answers must not make us remember for ever. */
const AWAITED_MAX = 100;

/** Commands that are about one session say which. */
type SessionCommand = Extract<LinesCommand, { type: "prompt" | "abort" | "reset" | "save" | "stats" }>;

/** Prompts with images that may wait in the queue of a session. */
const IMAGES_WAITING_MAX = 10;

type PromptImages = readonly PromptImage[];

/** What the agent's answer to a command is called. */
const replies: Partial<Record<LinesCommandType, string>> = {
  stats: "stats",
  ping: "pong",
  debug: "debug",
  save: "save_result",
  list_sessions: "sessions_list",
  list_running_sessions: "running_sessions",
  list_models: "models_list",
  get_config: "config_state",
};

export class StepDraft implements EngineStep {
  state: EngineState;
  readonly changes: Change[] = [];
  readonly effects: Effect[] = [];
  refusal: Refusal | null = null;
  readonly atMs: number;
  /** The view whose intent this step is; null for any other input. */
  private readonly by: string | null;

  constructor(state: EngineState, atMs: number, by: string | null) {
    this.state = state;
    this.atMs = atMs;
    this.by = by;
  }

  /** The session as it is now. */
  session(key: number): SessionState {
    return this.state.sessions.find((session) => session.key === key) ?? activeSession(this.state);
  }

  change(change: Change): void {
    this.state = applyChange(this.state, change);
    this.changes.push(change);
  }

  /** What no view sees. */
  update(
    key: number,
    fields: Partial<Pick<SessionState, "context" | "images">> | Pick<SessionState, "transcript" | "journal">,
  ): void {
    const sessions = this.state.sessions.map((session) => (session.key === key ? { ...session, ...fields } : session));
    this.state = { ...this.state, sessions };
  }

  record(key: number, input: TranscriptInput, atMs = this.atMs): void {
    const { state: memory, changes } = reduceTranscript(this.session(key).transcript, input, atMs);
    for (const change of changes) this.change({ type: "block", session: key, change });
    const { transcript, journal } = this.session(key);
    this.update(key, { transcript: { ...memory, open: transcript.open }, journal });
  }

  /** `images` are those of a prompt that is submitted. */
  facts(key: number, input: FactsInput, atMs = this.atMs, images: PromptImages = []): void {
    const session = this.session(key);
    const { state, effects } = reduceFacts(session.facts, input, atMs);
    const facts = changedFacts(session.facts, state);
    if (facts !== null) this.change({ type: "facts", session: key, facts });
    else if (input.type === "prompt.submitted") this.refusal = { why: "queue full" };
    const { waiting, sent } = movedImages(session, state.queue, input, images);
    if (waiting !== session.images) this.update(key, { images: waiting });
    for (const effect of effects) this.perform(key, effect, sent);
  }

  asks(input: AsksInput, agent: "is told" | "knows" = "is told"): void {
    const { state: asks, effects } = reduceAsks(this.state.asks, input);
    this.state = { ...this.state, asks };
    for (const effect of effects) {
      if (effect.type !== "tell-agent" || agent === "is told") this.performAsk(effect);
      else this.asks({ type: "delivered", askId: effect.ask.id, delivery: "delivered", atMs: this.atMs });
    }
  }

  /** The first outcome of an ask is its only one. */
  refuseLate(askId: string): void {
    if (openAskOf(this.state.asks, askId) !== null) return;
    const outcome = outcomeOf(this.state.asks, askId);
    this.refusal = outcome === null ? { why: "unknown ask" } : { why: "late", outcome };
  }

  list(input: SessionListInput): void {
    const before = this.state;
    const { sessions, active } = reduceSessionList(before, input, (entry) => this.create(entry));
    if (sessions === before.sessions && active === before.active) return;
    this.change({ type: "sessions", sessions: sessions.map(entryOf), active });
    for (const { key, facts } of sessions) {
      const news = changedFacts(this.session(key).facts, facts);
      if (news !== null) this.change({ type: "facts", session: key, facts: news });
    }
  }

  /** The active session may be another one afterwards, and one may be gone. */
  switchBy(input: SessionListInput): void {
    const from = activeSession(this.state);
    if (input.type === "closed" && input.id !== from.id) this.gone(input.id);
    this.list(input);
    const to = activeSession(this.state);
    if (to.key !== from.key) this.change({ type: "session.switched", from: from.key, to: to.key });
  }

  gone(id: string): void {
    const place = this.state.sessions.findIndex((session) => session.id === id);
    const session = this.state.sessions[place];
    if (session !== undefined)
      this.change({ type: "session.gone", session: session.key, entry: entryOf(session), place });
  }

  send(key: number, command: SessionCommand): void {
    const { id } = this.session(key);
    this.command(id === "" ? command : { ...command, session_id: id });
  }

  /** Its answer will be for the view that sends it. */
  command(command: LinesCommand): void {
    const reply = replies[command.type];
    if (reply !== undefined && this.by !== null) {
      const awaited = [...this.state.awaited, { reply, by: this.by }].slice(-AWAITED_MAX);
      this.state = { ...this.state, awaited };
    }
    this.effects.push({ type: "send", command });
  }

  /** The view that waits for this answer; null when none does. */
  awaitedBy(reply: string): string | null {
    const at = this.state.awaited.findIndex((waiting) => waiting.reply === reply);
    const found = this.state.awaited[at];
    if (found === undefined) return null;
    this.state = { ...this.state, awaited: this.state.awaited.toSpliced(at, 1) };
    return found.by;
  }

  // The agent is there already, else it could not have named a session.
  private create(entry: OpenSession): SessionState {
    const { model, images, supports } = activeSession(this.state).facts;
    const { nextKey: key, options } = this.state;
    this.state = { ...this.state, nextKey: key + 1 };
    return newSession({ ...entry, key }, { ...startingFacts, phase: "idle", model, images, supports }, options);
  }

  private perform(key: number, effect: FactsEffect, images: PromptImages): void {
    switch (effect.type) {
      case "send-prompt":
        this.nameByPrompt(key, effect.text);
        this.record(key, { type: "prompt.sent", text: effect.text });
        this.send(key, {
          type: "prompt",
          text: effect.text + this.takeContext(key, effect.text),
          ...(images.length === 0 ? {} : { images: [...images] }),
        });
        return;
      case "fill-composer":
        this.change({ type: "composer", session: key, text: effect.text, by: this.by });
        return;
      case "set-title":
        this.list({ type: "named", id: this.session(key).id, name: effect.title });
        return;
    }
  }

  // A command of the agent's own would not be one with more behind it.
  private takeContext(key: number, text: string): string {
    const { context } = this.session(key);
    if (context === "" || text.startsWith("/")) return "";
    this.update(key, { context: "" });
    return context;
  }

  // The first prompt is what a user knows a session by, until the agent finds a better name. A command says nothing about it.
  nameByPrompt(key: number, text: string): void {
    const { id, name } = this.session(key);
    const [first = ""] = text.trim().split("\n");
    if (name === "" && !/^\/[\w:-]+(?:\s|$)/.test(first))
      this.list({ type: "named", id, name: first.slice(0, NAME_CHARS_MAX) });
  }

  private performAsk(effect: AsksEffect): void {
    switch (effect.type) {
      case "show-ask":
        this.change({ type: "ask.raised", ask: effect.ask, atMs: this.atMs });
        return;
      case "close-ask":
        this.change({ type: "ask.settled", ask: effect.ask, outcome: effect.outcome });
        this.record(sessionOfAsk(this.state, effect.ask).key, { ...effect, type: "ask.closed" });
        return;
      case "finish-ask": {
        const { ask, outcome, delivery } = effect;
        this.record(sessionOfAsk(this.state, ask).key, { type: "ask.settled", ask, outcome, delivery });
        this.change({ type: "ask.finished", ask, outcome, delivery });
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

// Images go where their prompt goes. Those of a prompt that leaves the queue unsent leave with it.
function movedImages(
  { facts: { queue: before }, images: waiting }: SessionState,
  queue: readonly string[],
  input: FactsInput,
  images: PromptImages,
): { readonly waiting: readonly PromptImages[]; readonly sent: PromptImages } {
  if (input.type === "prompt.submitted") {
    return queue.length > before.length
      ? { waiting: bounded([...waiting, images]), sent: [] }
      : { waiting, sent: images };
  }
  if (queue.length === before.length) return { waiting, sent: [] };
  if (input.type === "queue.removed" || input.type === "queue.taken-back") {
    const [from, to] = placesInQueue(before, input.which);
    return { waiting: waiting.toSpliced(from, to - from), sent: [] };
  }
  const [sent = [], ...rest] = waiting;
  return { waiting: rest, sent };
}

// Of too many, the oldest are dropped.
function bounded(waiting: readonly PromptImages[]): readonly PromptImages[] {
  const isWith = (images: PromptImages) => images.length > 0;
  return waiting.filter(isWith).length > IMAGES_WAITING_MAX ? waiting.with(waiting.findIndex(isWith), []) : waiting;
}
