// The state of the home screen, which is the open asks and the sessions, and how the daemon's changes update it. Outcomes are
// kept, so that a question that is on screen can show how it ended.
import type { AskOutcome, Delivery } from "../../contract/asks.js";
import type { OverviewAsk, OverviewChange, OverviewSession, OverviewSnapshot } from "../../contract/page.js";

export interface SettledAsk {
  readonly outcome: AskOutcome;
  /** Null where there is nothing to deliver; undefined while the answer is on its way. */
  readonly delivery: Delivery | null | undefined;
}

export interface Overview {
  /** Oldest first. */
  readonly asks: readonly OverviewAsk[];
  /** How many are open beyond those. */
  readonly asksMore: number;
  readonly sessions: readonly OverviewSession[];
  readonly settled: ReadonlyMap<string, SettledAsk>;
}

const SETTLED_MAX = 500;

export const emptyOverview: Overview = { asks: [], asksMore: 0, sessions: [], settled: new Map() };

/** Asks that are in neither list of the snapshot ended while this page was away, and how is not known. */
export function withSnapshot(before: Overview, snapshot: OverviewSnapshot): Overview {
  const settled = new Map(before.settled);
  for (const { id, outcome, delivery } of snapshot.settled) settled.set(id, { outcome, delivery });
  const open = new Set(snapshot.asks.map(({ ask }) => ask.id));
  for (const { ask } of before.asks) {
    const isLost = !open.has(ask.id) && !settled.has(ask.id) && snapshot.asks_more === 0;
    if (isLost) settled.set(ask.id, { outcome: { kind: "withdrawn", reason: "disconnected" }, delivery: null });
  }
  return {
    asks: oldestFirst(snapshot.asks),
    asksMore: snapshot.asks_more,
    sessions: snapshot.sessions,
    settled: bounded(settled),
  };
}

export function withChange(state: Overview, change: OverviewChange): Overview {
  switch (change.type) {
    case "ask.raised": {
      const others = state.asks.filter(({ ask }) => ask.id !== change.ask.ask.id);
      return { ...state, asks: oldestFirst([...others, change.ask]) };
    }
    case "ask.settled":
      return settledWith(state, change.id, { outcome: change.outcome, delivery: undefined });
    case "ask.finished":
      return settledWith(state, change.id, { outcome: change.outcome, delivery: change.delivery });
    case "session": {
      const { session } = change;
      const isKnown = state.sessions.some(({ id }) => id === session.id);
      const sessions = isKnown
        ? state.sessions.map((known) => (known.id === session.id ? session : known))
        : [session, ...state.sessions];
      return { ...state, sessions };
    }
    case "session.gone":
      return { ...state, sessions: state.sessions.filter(({ id }) => id !== change.id) };
  }
}

function settledWith(state: Overview, id: string, entry: SettledAsk): Overview {
  const asks = state.asks.filter(({ ask }) => ask.id !== id);
  const asksMore = asks.length === state.asks.length ? Math.max(0, state.asksMore - 1) : state.asksMore;
  return { ...state, asks, asksMore, settled: bounded(new Map(state.settled).set(id, entry)) };
}

function oldestFirst(asks: readonly OverviewAsk[]): OverviewAsk[] {
  return [...asks].sort((a, b) => a.asked_at_ms - b.asked_at_ms);
}

function bounded(settled: Map<string, SettledAsk>): Map<string, SettledAsk> {
  for (const id of settled.keys()) {
    if (settled.size <= SETTLED_MAX) break;
    settled.delete(id);
  }
  return settled;
}
