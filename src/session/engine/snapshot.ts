// The state of an engine as data for a view elsewhere. The closed blocks are not in it: they are as long as the session, and
// travel as items of their history.
import type { OpenAsk, SettledAsk } from "../asks.js";
import type { SessionFacts } from "../session-facts.js";
import type { Block } from "../transcript/block.js";
import { entryOf } from "./apply-change.js";
import type { EngineState, Notice, SessionEntry } from "./engine-state.js";

export interface Snapshot {
  readonly sessions: readonly SessionSnapshot[];
  readonly active: string;
  readonly asks: readonly OpenAsk[];
  readonly settled: readonly SettledAsk[];
  readonly notices: readonly Notice[];
  /** Where the transcript continues before the items that come with this; null when they are all. */
  readonly earlier: number | null;
}

export interface SessionSnapshot extends SessionEntry {
  readonly facts: SessionFacts;
  /** The blocks that can still change. */
  readonly open: readonly Block[];
}

/** A closed block; `session` is the id of its session when it was closed. */
export interface HistoryItem {
  readonly seq: number;
  readonly session: string | null;
  readonly block: Block;
}

/** As many outcomes as a view may have asks open that it missed the end of. */
const SETTLED_MAX = 100;

export function snapshotOf({ sessions, active, asks, notices }: EngineState, earlier: number | null): Snapshot {
  return {
    sessions: sessions.map((session) => ({
      ...entryOf(session),
      facts: session.facts,
      open: session.transcript.open,
    })),
    active,
    asks: asks.open,
    settled: asks.settled.slice(-SETTLED_MAX),
    notices,
    earlier,
  };
}
