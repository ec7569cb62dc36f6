// The life of every ask, as one pure reducer. An ask is open until the first of: an answer, a cancel, its deadline, or
// its withdrawal (the agent took it back, went away, ended the turn or closed the session). A second answer changes nothing.
// Every ask leaves one audit record: when the agent has the outcome, or at once where there is none to deliver.
//
//   asked → open → answered | cancelled | expired → delivered | lost → one audit record
//                → withdrawn                                        → one audit record
import type { Ask, AskOutcome, AuditRecord, Delivery, WithdrawReason } from "../contract/asks.js";
import { OPEN_ASKS_MAX, SETTLED_ASKS_KEPT_MAX } from "../contract/limits.js";

export type OpenAsk = { ask: Ask; askedAtMs: number; shownAtMs: number | null };

/** Settled, and on its way to the agent. The value of a secret is not in the outcome. */
type AskOnItsWay = OpenAsk & { outcome: AskOutcome; settledAtMs: number };

export type SettledAsk = { askId: string; outcome: AskOutcome };

/** Lists, not maps: a step copies them, and a list of a thousand is copied thirty times as fast. */
export type AsksState = {
  /** In the order in which they came. */
  open: readonly OpenAsk[];
  onTheirWay: readonly AskOnItsWay[];
  /** The last outcomes, so that a second answer can be told who was first. Bounded; the oldest comes first. */
  settled: readonly SettledAsk[];
};

export type AsksInput =
  | { type: "ask"; ask: Ask; atMs: number }
  | { type: "answer"; askId: string; value: unknown; by: string; atMs: number }
  | { type: "cancel"; askId: string; by: string; atMs: number }
  | { type: "withdraw"; askId: string; reason: WithdrawReason; atMs: number }
  | { type: "withdraw-all"; of: AskOwner; reason: WithdrawReason; atMs: number }
  | { type: "clock"; atMs: number }
  /** A view has drawn it. */
  | { type: "shown"; askId: string; atMs: number }
  /** What `tell-agent` asked for has been done, or cannot be. */
  | { type: "delivered"; askId: string; delivery: Delivery; atMs: number };

/** Whose asks: all, those of one session, or those of one turn. */
export type AskOwner = { sessionId: string | null; turnId?: string } | "everyone";

export type AsksEffect =
  | { type: "show-ask"; ask: Ask }
  | { type: "close-ask"; ask: Ask; outcome: AskOutcome }
  /** Carry the outcome to the agent, then feed `delivered`. A withdrawn ask is not reported to any agent. */
  | { type: "tell-agent"; ask: Ask; outcome: AskOutcome }
  /** The ask is over. Null: there was nothing to deliver. */
  | { type: "finish-ask"; ask: Ask; outcome: AskOutcome; delivery: Delivery | null }
  | { type: "write-audit"; record: AuditRecord }
  /** Send a `clock` input then; null when no open ask has a deadline. */
  | { type: "wake-at"; atMs: number | null };

export type AsksStep = { state: AsksState; effects: AsksEffect[] };

/** Of one field in the record. */
const ABOUT_CHARS_MAX = 2_000;

export const noAsks: AsksState = { open: [], onTheirWay: [], settled: [] };

export function openAskOf({ open }: AsksState, askId: string): Ask | null {
  return open.find(({ ask: asked }) => asked.id === askId)?.ask ?? null;
}

/** How it ended, if that was lately. */
export function outcomeOf({ settled }: AsksState, askId: string): AskOutcome | null {
  return settled.find((entry) => entry.askId === askId)?.outcome ?? null;
}

/** Opens it; an ask that is already open stays as it is. */
export function withAsk(state: AsksState, entry: OpenAsk): AsksState {
  return openAskOf(state, entry.ask.id) === null ? { ...state, open: [...state.open, entry] } : state;
}

/** It is settled; a second answer can be told how. */
export function withoutAsk(state: AsksState, askId: string, outcome: AskOutcome): AsksState {
  if (openAskOf(state, askId) === null) return state;
  return {
    ...state,
    open: state.open.filter(({ ask: asked }) => asked.id !== askId),
    settled: lastOf([...state.settled, { askId, outcome }]),
  };
}

export function openAsks({ open }: AsksState): Ask[] {
  return open.map((entry) => entry.ask);
}

export function reduceAsks(state: AsksState, input: AsksInput): AsksStep {
  switch (input.type) {
    case "ask":
      return ask(state, input.ask, input.atMs);
    case "answer":
      return settleMany(state, [input.askId], { kind: "answered", value: input.value, by: input.by }, input.atMs);
    case "cancel":
      return settleMany(state, [input.askId], { kind: "cancelled", by: input.by }, input.atMs);
    case "withdraw":
      return settleMany(state, [input.askId], { kind: "withdrawn", reason: input.reason }, input.atMs);
    case "withdraw-all":
      return settleMany(state, idsOf(state, input.of), { kind: "withdrawn", reason: input.reason }, input.atMs);
    case "clock":
      return expired(state, input.atMs);
    case "shown":
      return { state: shown(state, input.askId, input.atMs), effects: [] };
    case "delivered":
      return delivered(state, input);
  }
}

function shown(state: AsksState, askId: string, atMs: number): AsksState {
  const isNew = (entry: OpenAsk) => entry.ask.id === askId && entry.shownAtMs === null;
  if (!state.open.some(isNew)) return state;
  return { ...state, open: state.open.map((entry) => (isNew(entry) ? { ...entry, shownAtMs: atMs } : entry)) };
}

function delivered(state: AsksState, { askId, delivery, atMs }: Extract<AsksInput, { type: "delivered" }>): AsksStep {
  const entry = state.onTheirWay.find(({ ask: asked }) => asked.id === askId);
  if (entry === undefined) return { state, effects: [] };
  const onTheirWay = state.onTheirWay.filter((other) => other !== entry);
  return { state: { ...state, onTheirWay }, effects: finish(entry, { result: delivery, atMs }) };
}

function finish(entry: AskOnItsWay, delivery: AuditRecord["delivery"]): AsksEffect[] {
  const { ask: asked, outcome } = entry;
  return [
    { type: "finish-ask", ask: asked, outcome, delivery: delivery?.result ?? null },
    { type: "write-audit", record: auditRecordOf(entry, delivery) },
  ];
}

// A timer may fire a moment early; then it is set again, or the deadline would never come.
function expired(state: AsksState, atMs: number): AsksStep {
  const step = settleMany(state, idsDue(state, atMs), { kind: "expired" }, atMs);
  return step.effects.length > 0 ? step : { state, effects: [wake(state)] };
}

// An id that is open or was settled lately is not asked twice; beyond the maximum an ask is refused, with its record.
function ask(state: AsksState, raised: Ask, atMs: number): AsksStep {
  // A clock may count parts of a millisecond; what others read are whole ones.
  const { deadlineMs } = raised;
  const asked = deadlineMs === null ? raised : { ...raised, deadlineMs: Math.round(deadlineMs) };
  if (openAskOf(state, asked.id) !== null || outcomeOf(state, asked.id) !== null) return { state, effects: [] };
  if (state.open.length + state.onTheirWay.length >= OPEN_ASKS_MAX) return refused(state, asked, atMs);
  const opened = withAsk(state, { ask: asked, askedAtMs: atMs, shownAtMs: null });
  return { state: opened, effects: [{ type: "show-ask", ask: asked }, wake(opened)] };
}

function refused(state: AsksState, asked: Ask, atMs: number): AsksStep {
  const outcome: AskOutcome = { kind: "withdrawn", reason: "overloaded" };
  const settled = lastOf([...state.settled, { askId: asked.id, outcome }]);
  const entry = { ask: asked, askedAtMs: atMs, shownAtMs: null, outcome, settledAtMs: atMs };
  const effects: AsksEffect[] = [
    { type: "write-audit", record: auditRecordOf(entry, null) },
    { type: "tell-agent", ask: asked, outcome },
  ];
  return { state: { ...state, settled }, effects };
}

function lastOf(settled: readonly SettledAsk[]): readonly SettledAsk[] {
  return settled.length <= SETTLED_ASKS_KEPT_MAX ? settled : settled.slice(-SETTLED_ASKS_KEPT_MAX);
}

function settleMany(state: AsksState, ids: readonly string[], outcome: AskOutcome, atMs: number): AsksStep {
  const chosen = new Set(ids);
  const ended = state.open.filter(({ ask: asked }) => chosen.has(asked.id));
  if (ended.length === 0) return { state, effects: [] };
  const settled = ended.map(
    (entry): AskOnItsWay => ({ ...entry, outcome: withoutSecret(entry.ask, outcome), settledAtMs: atMs }),
  );
  const isTold = outcome.kind !== "withdrawn";
  const effects = settled.flatMap((entry): AsksEffect[] => [
    { type: "close-ask", ask: entry.ask, outcome: entry.outcome },
    ...(isTold ? [{ type: "tell-agent" as const, ask: entry.ask, outcome }] : finish(entry, null)),
  ]);
  const next = {
    open: state.open.filter(({ ask: asked }) => !chosen.has(asked.id)),
    onTheirWay: isTold ? [...state.onTheirWay, ...settled] : state.onTheirWay,
    settled: lastOf([...state.settled, ...settled.map((entry) => ({ askId: entry.ask.id, outcome: entry.outcome }))]),
  };
  return { state: next, effects: [...effects, wake(next)] };
}

/** The record of an ask that is over. */
export function auditRecordOf(entry: AskOnItsWay, delivery: AuditRecord["delivery"]): AuditRecord {
  const { ask: asked, askedAtMs, shownAtMs, settledAtMs, outcome } = entry;
  const { kind, params } = asked.question;
  return {
    ...{ askId: asked.id, sessionId: asked.sessionId, kind, title: params.title, about: aboutOf(asked) },
    ...{ askedAtMs, shownAtMs, settledAtMs, outcome, delivery },
  };
}

function aboutOf({ question }: Ask): AuditRecord["about"] {
  const about: Record<string, unknown> =
    question.kind === "permission" ? question.params : question.kind === "confirm" ? { ...question.params.opts } : {};
  const words = ["tool", "command", "path", "danger"].flatMap((name) => {
    const value = about[name];
    return typeof value === "string" && value !== "" ? [[name, value.slice(0, ABOUT_CHARS_MAX)]] : [];
  });
  return Object.fromEntries(words);
}

/** Only the agent gets what was typed into a secret input; records and other front ends learn that there was an answer. */
export function withoutSecret(asked: Ask, outcome: AskOutcome): AskOutcome {
  if (outcome.kind !== "answered" || !isSecret(asked)) return outcome;
  return { kind: "answered", value: null, by: outcome.by };
}

export function isSecret({ question }: Pick<Ask, "question">): boolean {
  if (question.kind === "form") return question.params.fields.some((field) => field.kind === "secret");
  return question.kind === "input" && question.params.opts?.secret === true;
}

export function idsOf(state: AsksState, owner: AskOwner): string[] {
  const owned = (entry: Ask) =>
    owner === "everyone" ||
    (entry.sessionId === owner.sessionId && (owner.turnId === undefined || entry.turnId === owner.turnId));
  return openAsks(state)
    .filter(owned)
    .map((entry) => entry.id);
}

function idsDue(state: AsksState, atMs: number): string[] {
  return openAsks(state)
    .filter(({ deadlineMs }) => deadlineMs !== null && deadlineMs <= atMs)
    .map(({ id }) => id);
}

function wake(state: AsksState): AsksEffect {
  let atMs: number | null = null;
  for (const { ask: asked } of state.open) {
    if (asked.deadlineMs !== null && (atMs === null || asked.deadlineMs < atMs)) atMs = asked.deadlineMs;
  }
  return { type: "wake-at", atMs };
}
