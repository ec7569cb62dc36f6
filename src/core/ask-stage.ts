// How one front end brings open asks before its person, one at a time. An ask at the head of the queue is drawn first
// (pending) and takes keys only later (active): after one completed draw, one decision about the scrollback, and a
// quiet moment without typing. Until then every key belongs to the composer, so that nobody approves by typing.
//
//   queued ──head──► pending ──drawn + synced + quiet──► active ──closed──► (the next one)
import { TYPING_GUARD_MS_DEFAULT } from "../contract/limits.js";

export type AskStageState = {
  /** Ids that wait behind the head, first come first served. */
  queued: readonly string[];
  head: StagedAsk | null;
  lastTypedAtMs: number;
  quietMs: number;
};

export type StagedAsk =
  | { phase: "pending"; askId: string; drawn: boolean; synced: boolean }
  | { phase: "active"; askId: string };

export type AskStageInput =
  | { type: "show"; askId: string }
  | { type: "close"; askId: string }
  | { type: "typed"; atMs: number }
  /** A frame that shows the head was written completely. */
  | { type: "drawn"; atMs: number }
  /** What had to go to the scrollback went there, or nothing had to. */
  | { type: "synced"; atMs: number }
  | { type: "clock"; atMs: number };

export type AskStageEffect =
  | { type: "draw-pending"; askId: string }
  | { type: "take-keys"; askId: string }
  | { type: "remove"; askId: string }
  /** Send a `clock` input then, to look again. */
  | { type: "wake-at"; atMs: number };

export type AskStageStep = { state: AskStageState; effects: AskStageEffect[] };

export function createAskStage(options: { quietMs?: number } = {}): AskStageState {
  const { quietMs = TYPING_GUARD_MS_DEFAULT } = options;
  return { queued: [], head: null, lastTypedAtMs: Number.NEGATIVE_INFINITY, quietMs };
}

/** How many wait besides the one that is shown. */
export function waitingCount(state: AskStageState): number {
  return state.queued.length;
}

export function reduceAskStage(state: AskStageState, input: AskStageInput): AskStageStep {
  switch (input.type) {
    case "show":
      return show(state, input.askId);
    case "close":
      return close(state, input.askId);
    case "typed":
      return activate({ ...state, lastTypedAtMs: Math.max(state.lastTypedAtMs, input.atMs) }, input.atMs);
    case "drawn":
      return activate(marked(state, { drawn: true }), input.atMs);
    case "synced":
      return activate(marked(state, { synced: true }), input.atMs);
    case "clock":
      return activate(state, input.atMs);
  }
}

function show(state: AskStageState, askId: string): AskStageStep {
  if (state.head?.askId === askId || state.queued.includes(askId)) return { state, effects: [] };
  return promote({ ...state, queued: [...state.queued, askId] });
}

function close(state: AskStageState, askId: string): AskStageStep {
  if (state.head?.askId !== askId) {
    return { state: { ...state, queued: state.queued.filter((id) => id !== askId) }, effects: [] };
  }
  const next = promote({ ...state, head: null });
  return { state: next.state, effects: [{ type: "remove", askId }, ...next.effects] };
}

function promote(state: AskStageState): AskStageStep {
  const [askId, ...queued] = state.queued;
  if (state.head !== null || askId === undefined) return { state, effects: [] };
  const head: StagedAsk = { phase: "pending", askId, drawn: false, synced: false };
  return { state: { ...state, head, queued }, effects: [{ type: "draw-pending", askId }] };
}

function marked(state: AskStageState, mark: { drawn: true } | { synced: true }): AskStageState {
  return state.head?.phase === "pending" ? { ...state, head: { ...state.head, ...mark } } : state;
}

// A decision about the scrollback counts only for a frame that was drawn: the order is part of the guard.
function activate(state: AskStageState, atMs: number): AskStageStep {
  const { head } = state;
  if (head?.phase !== "pending" || !head.drawn || !head.synced) return { state, effects: [] };
  const quietAtMs = state.lastTypedAtMs + state.quietMs;
  if (atMs < quietAtMs) return { state, effects: [{ type: "wake-at", atMs: quietAtMs }] };
  const active: StagedAsk = { phase: "active", askId: head.askId };
  return { state: { ...state, head: active }, effects: [{ type: "take-keys", askId: head.askId }] };
}
