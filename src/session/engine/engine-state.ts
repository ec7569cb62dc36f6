// Everything that is known about the conversation with one agent: its sessions in order, the open asks, the notices so far. A new
// state is made for each input; the cost of that does not depend on how much was said.
import type { Ask } from "../../contract/asks.js";
import type { NotifyLevel } from "../../contract/notices.js";
import { type AsksState, noAsks } from "../asks.js";
import { type SessionFacts, startingFacts } from "../session-facts.js";
import { type OpenSession, oneSession, type SessionList } from "../session-list.js";
import { emptyJournal, JOURNAL_UNITS_MAX, type Journal } from "../transcript/journal.js";
import { emptyTranscript, type TranscriptState } from "../transcript/transcript.js";
import type { PromptImage } from "./engine-messages.js";

export interface SessionEntry extends OpenSession {
  /** Names the session for views: it stays when the agent gives the session another id. */
  readonly key: number;
}

export interface SessionState extends SessionEntry {
  readonly facts: SessionFacts;
  readonly transcript: TranscriptState;
  readonly journal: Journal;
  /** Output of the user's own commands that goes with the next prompt. */
  readonly context: string;
  /** The images of each queued prompt, in the order of the queue. */
  readonly images: readonly (readonly PromptImage[])[];
}

export interface Notice {
  readonly atMs: number;
  readonly level: NotifyLevel;
  readonly text: string;
}

export interface EngineState extends SessionList<SessionState> {
  readonly asks: AsksState;
  readonly notices: readonly Notice[];
  readonly nextKey: number;
  /** The commands that the agent has not answered yet, with the views that sent them. Bounded. */
  readonly awaited: readonly AwaitedReply[];
  readonly options: EngineOptions;
}

export interface EngineOptions {
  /** The number of a session's first block: one that no other engine gives to a block of the same session. */
  readonly firstBlock: number;
  /** About how much of a session is kept for reading again. */
  readonly journalUnitsMax: number;
}

const usual: EngineOptions = { firstBlock: 1, journalUnitsMax: JOURNAL_UNITS_MAX };

export interface AwaitedReply {
  /** What the answer is called. */
  readonly reply: string;
  readonly by: string;
}

export function startingState(given: Partial<EngineOptions> = {}): EngineState {
  const options = { ...usual, ...given };
  const sessions = oneSession.sessions.map((entry) => newSession({ ...entry, key: 0 }, startingFacts, options));
  return { sessions, active: oneSession.active, asks: noAsks, notices: [], nextKey: 1, awaited: [], options };
}

export function newSession(entry: SessionEntry, facts: SessionFacts, { firstBlock }: EngineOptions): SessionState {
  const transcript = { ...emptyTranscript, nextNumber: firstBlock };
  return { ...entry, facts, transcript, journal: emptyJournal(), context: "", images: [] };
}

export function activeSession({ sessions, active }: EngineState): SessionState {
  const found = sessions.find(({ id }) => id === active);
  if (found === undefined) throw new Error("the active session is not in the list");
  return found;
}

/** The session that an event or an ask names; the active one when it names none that is known. */
export function sessionNamedBy(state: EngineState, id: string | null): SessionState {
  return state.sessions.find((session) => session.id === id) ?? activeSession(state);
}

export function sessionOfAsk(state: EngineState, { sessionId }: Ask): SessionState {
  return sessionNamedBy(state, sessionId);
}

export function isWorking({ sessions }: EngineState): boolean {
  return sessions.some(({ facts }) => facts.phase === "working" || facts.phase === "starting");
}
