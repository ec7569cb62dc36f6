// Applies a change to the state that views see. The engine uses it for its own steps and a mirror in another process follows
// with it, so the two cannot differ. What only the reducers need (the memory of a transcript, the next key) is not in the
// changes; a mirror does not have it.
import { withAsk, withoutAsk } from "../asks.js";
import { type SessionFacts, startingFacts } from "../session-facts.js";
import type { Block, BlockChange } from "../transcript/block.js";
import { journaled } from "../transcript/journal.js";
import type { Change } from "./engine-messages.js";
import { type EngineState, newSession, type SessionEntry, type SessionState } from "./engine-state.js";

const NOTICES_MAX = 200;

export function applyChange(state: EngineState, change: Change): EngineState {
  switch (change.type) {
    case "block":
      return withSession(state, change.session, (session) => withBlock(session, change.change, state));
    case "facts":
      return withSession(state, change.session, (session) => ({
        ...session,
        facts: { ...session.facts, ...change.facts },
      }));
    case "sessions":
      return { ...state, sessions: change.sessions.map((entry) => listed(state, entry)), active: change.active };
    case "notice":
      return { ...state, notices: [...state.notices, change.notice].slice(-NOTICES_MAX) };
    case "ask.raised":
      return { ...state, asks: withAsk(state.asks, { ask: change.ask, askedAtMs: change.atMs, shownAtMs: null }) };
    case "ask.settled":
      return { ...state, asks: withoutAsk(state.asks, change.ask.id, change.outcome) };
    case "ask.finished":
    case "session.started":
    case "session.switched":
    case "session.gone":
    case "composer":
    case "reply":
    case "agent":
      return state;
  }
}

/** The fields that differ; null when none does. */
export function changedFacts(before: SessionFacts, after: SessionFacts): Partial<SessionFacts> | null {
  const names = Object.keys(after) as (keyof SessionFacts)[];
  const changed = names.filter((name) => before[name] !== after[name]);
  return changed.length === 0 ? null : Object.fromEntries(changed.map((name) => [name, after[name]]));
}

export function entryOf({ key, id, name, unread, cwd }: SessionEntry): SessionEntry {
  return { key, id, name, unread, cwd };
}

function listed({ sessions, options }: EngineState, entry: SessionEntry): SessionState {
  const known = sessions.find(({ key }) => key === entry.key);
  return known === undefined ? newSession(entry, startingFacts, options) : { ...known, ...entry };
}

function withSession(state: EngineState, key: number, change: (session: SessionState) => SessionState): EngineState {
  return { ...state, sessions: state.sessions.map((session) => (session.key === key ? change(session) : session)) };
}

// What is closed goes to the journal; in a session that is not active it waits to be read.
function withBlock(session: SessionState, change: BlockChange, { active, options }: EngineState): SessionState {
  const { open } = session.transcript;
  const live = { ...session, transcript: { ...session.transcript, open: liveBlocks(open, change) } };
  if (change.type !== "closed") return live;
  const unread = session.id === active ? session.unread : session.unread + 1;
  return { ...live, unread, journal: journaled(session.journal, change.block, options.journalUnitsMax) };
}

function liveBlocks(open: readonly Block[], change: BlockChange): readonly Block[] {
  switch (change.type) {
    case "opened":
      return [...open, change.block];
    case "replaced":
      return open.map((block) => (block.id === change.block.id ? change.block : block));
    case "grew":
      return open.map((block) => (block.id === change.id ? grown(block, change.delta) : block));
    case "closed":
      return open.filter(({ id }) => id !== change.block.id);
  }
}

function grown(block: Block, delta: string): Block {
  if (block.kind === "tool") return { ...block, output: block.output + delta };
  return "text" in block ? { ...block, text: block.text + delta } : block;
}
