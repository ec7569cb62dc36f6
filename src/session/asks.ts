// The life of every ask, as one pure reducer. An ask is open until the first of: an answer, a cancel, its deadline, or
// its withdrawal (the agent took it back, went away, ended the turn or closed the session). Whoever comes second is
// told so. A front end that joins late sees every open ask. Every outcome leaves one audit record; nothing else does.
//
//   asked ──► open ──► answered | cancelled | expired | withdrawn ──► one audit record
import type { Ask, AskOutcome, AuditRecord, WithdrawReason } from "../contract/asks.js";
import { OPEN_ASKS_MAX, SETTLED_ASKS_KEPT_MAX } from "../contract/limits.js";

export type OpenAsk = { ask: Ask; askedAtMs: number };

export type SettledAsk = { askId: string; outcome: AskOutcome };

/** Both are lists, not maps: a step copies them, and a list of a thousand is copied thirty times as fast. */
export type AsksState = {
  /** In the order in which they came. */
  open: readonly OpenAsk[];
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
  | { type: "join"; frontEnd: string };

/** Whose asks: all, those of one session, or those of one turn. */
export type AskOwner = { sessionId: string | null; turnId?: string } | "everyone";

export type AsksEffect =
  | { type: "show-ask"; ask: Ask }
  | { type: "close-ask"; ask: Ask; outcome: AskOutcome }
  /** Carry the outcome to the agent. Withdrawn asks have nobody left who waits. */
  | { type: "tell-agent"; ask: Ask; outcome: AskOutcome }
  | { type: "tell-late"; frontEnd: string; askId: string; outcome: AskOutcome | null }
  | { type: "show-open"; frontEnd: string; asks: Ask[] }
  | { type: "write-audit"; record: AuditRecord }
  /** Send a `clock` input then; null when no open ask has a deadline. */
  | { type: "wake-at"; atMs: number | null };

export type AsksStep = { state: AsksState; effects: AsksEffect[] };

export const noAsks: AsksState = { open: [], settled: [] };

export function openAskOf({ open }: AsksState, askId: string): Ask | null {
  return open.find(({ ask: asked }) => asked.id === askId)?.ask ?? null;
}

/** How it ended, if that was lately. */
export function outcomeOf({ settled }: AsksState, askId: string): AskOutcome | null {
  return settled.find((entry) => entry.askId === askId)?.outcome ?? null;
}

export function openAsks({ open }: AsksState): Ask[] {
  return open.map((entry) => entry.ask);
}

export function reduceAsks(state: AsksState, input: AsksInput): AsksStep {
  switch (input.type) {
    case "ask":
      return ask(state, input.ask, input.atMs);
    case "answer":
      return settleFor(state, input, { kind: "answered", value: input.value, by: input.by });
    case "cancel":
      return settleFor(state, input, { kind: "cancelled", by: input.by });
    case "withdraw":
      return settleMany(state, [input.askId], { kind: "withdrawn", reason: input.reason }, input.atMs);
    case "withdraw-all":
      return settleMany(state, idsOf(state, input.of), { kind: "withdrawn", reason: input.reason }, input.atMs);
    case "clock":
      return expired(state, input.atMs);
    case "join":
      return { state, effects: [{ type: "show-open", frontEnd: input.frontEnd, asks: openAsks(state) }] };
  }
}

// A timer may ring a moment early; then it is set again, for a deadline that nobody waits for never comes.
function expired(state: AsksState, atMs: number): AsksStep {
  const step = settleMany(state, idsDue(state, atMs), { kind: "expired" }, atMs);
  return step.effects.length > 0 ? step : { state, effects: [wake(state)] };
}

// An id that is open or was settled lately is not asked twice; beyond the maximum an ask is refused, with its record.
function ask(state: AsksState, asked: Ask, atMs: number): AsksStep {
  if (openAskOf(state, asked.id) !== null || outcomeOf(state, asked.id) !== null) return { state, effects: [] };
  if (state.open.length >= OPEN_ASKS_MAX) return refused(state, asked, atMs);
  const opened = { ...state, open: [...state.open, { ask: asked, askedAtMs: atMs }] };
  return { state: opened, effects: [{ type: "show-ask", ask: asked }, wake(opened)] };
}

function refused(state: AsksState, asked: Ask, atMs: number): AsksStep {
  const outcome: AskOutcome = { kind: "withdrawn", reason: "overloaded" };
  const settled = lastOf([...state.settled, { askId: asked.id, outcome }]);
  const record = recordOf({ ask: asked, askedAtMs: atMs }, outcome, atMs);
  const effects: AsksEffect[] = [
    { type: "write-audit", record },
    { type: "tell-agent", ask: asked, outcome },
  ];
  return { state: { ...state, settled }, effects };
}

function lastOf(settled: readonly SettledAsk[]): readonly SettledAsk[] {
  return settled.length <= SETTLED_ASKS_KEPT_MAX ? settled : settled.slice(-SETTLED_ASKS_KEPT_MAX);
}

function settleFor(
  state: AsksState,
  { askId, by, atMs }: { askId: string; by: string; atMs: number },
  outcome: AskOutcome,
): AsksStep {
  if (openAskOf(state, askId) !== null) return settleMany(state, [askId], outcome, atMs);
  return { state, effects: [{ type: "tell-late", frontEnd: by, askId, outcome: outcomeOf(state, askId) }] };
}

function settleMany(state: AsksState, ids: readonly string[], outcome: AskOutcome, atMs: number): AsksStep {
  const chosen = new Set(ids);
  const ended = state.open.filter(({ ask: asked }) => chosen.has(asked.id));
  if (ended.length === 0) return { state, effects: [] };
  const effects: AsksEffect[] = ended.flatMap((entry) => endingOf(entry, outcome, atMs));
  const outcomes = ended.map((entry) => ({ askId: entry.ask.id, outcome: withoutSecret(entry.ask, outcome) }));
  const next = {
    open: state.open.filter(({ ask: asked }) => !chosen.has(asked.id)),
    settled: lastOf([...state.settled, ...outcomes]),
  };
  return { state: next, effects: [...effects, wake(next)] };
}

function endingOf(entry: OpenAsk, outcome: AskOutcome, atMs: number): AsksEffect[] {
  const { ask: asked } = entry;
  return [
    { type: "close-ask", ask: asked, outcome: withoutSecret(asked, outcome) },
    ...(outcome.kind === "withdrawn" ? [] : [{ type: "tell-agent" as const, ask: asked, outcome }]),
    { type: "write-audit", record: recordOf(entry, outcome, atMs) },
  ];
}

function recordOf({ ask: asked, askedAtMs }: OpenAsk, outcome: AskOutcome, settledAtMs: number): AuditRecord {
  return {
    askId: asked.id,
    sessionId: asked.sessionId,
    kind: asked.question.kind,
    title: asked.question.params.title,
    askedAtMs,
    settledAtMs,
    outcome: withoutSecret(asked, outcome),
  };
}

// Only the agent gets what was typed into a secret input; records and other front ends learn that there was an answer.
function withoutSecret(asked: Ask, outcome: AskOutcome): AskOutcome {
  if (outcome.kind !== "answered" || !isSecret(asked)) return outcome;
  return { kind: "answered", value: null, by: outcome.by };
}

function isSecret({ question }: Ask): boolean {
  if (question.kind === "form") return question.params.fields.some((field) => field.kind === "secret");
  return question.kind === "input" && question.params.opts?.secret === true;
}

function idsOf(state: AsksState, owner: AskOwner): string[] {
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
