// Everything that is known about the conversation with one agent: its sessions in order, the open asks, the notices so far. A new
// state is made for each input; the cost of that does not depend on how much was said.
import type { Ask } from "../../contract/asks.js";
import type { NotifyLevel } from "../../contract/notices.js";
import { type AsksState, noAsks } from "../asks.js";
import { type SessionFacts, startingFacts } from "../session-facts.js";
import { type OpenSession, oneSession, type SessionList } from "../session-list.js";
import { emptyJournal, type Journal } from "../transcript/journal.js";
import { emptyTranscript, type TranscriptState } from "../transcript/transcript.js";

export interface SessionState extends OpenSession {
  /** Names the session for views: it stays when the agent gives the session another id. */
  readonly key: number;
  readonly facts: SessionFacts;
  readonly transcript: TranscriptState;
  readonly journal: Journal;
  /** When the turn began that the user stopped. */
  readonly stoppedTurnMs: number | null;
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
}

export function startingState(): EngineState {
  const sessions = oneSession.sessions.map((entry) => newSession(entry, 0, startingFacts));
  return { sessions, active: oneSession.active, asks: noAsks, notices: [], nextKey: 1 };
}

export function newSession(entry: OpenSession, key: number, facts: SessionFacts): SessionState {
  return { ...entry, key, facts, transcript: emptyTranscript, journal: emptyJournal(), stoppedTurnMs: null };
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
