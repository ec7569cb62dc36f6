// Which ask one front end shows, and which keys answer it. Asks are shown one at a time: drawn first, and given keys after
// one completed draw, one decision about the scrollback and a quiet moment. From then on an answer is a deliberate gesture:
// a moved selection and Enter, or one answer key with silence before and after it. Every other key belongs to the composer
// and lets the ask wait for the next quiet moment. So typing never answers, whatever its pace.
//
//   queued ──head──► pending ──drawn + synced + quiet──► active ──closed──► (the next one)
//                                               quiet ▲ │ │ ▲
//                     waiting ◄── a key for the composer┘ │ │ a moved selection, typed text: engaged
//                        ▲                                └─┘
//                        └── another key ── held ◄── one answer key ──── (silence) ──► answered
import { ANSWER_HOLD_MS, TYPING_GUARD_MS_DEFAULT } from "../contract/limits.js";

/** What a key means to the ask that is shown; the dialog says so. */
export type KeyUse =
  /** One key that decides or opens something by itself. */
  | "answer"
  /** Moves the selection. */
  | "move"
  /** Sends what was selected, and only after a move. */
  | "enter"
  /** Sends what is selected or filled in; as a first key only with an empty composer. */
  | "send"
  /** Typed into the ask itself. */
  | "text"
  /** Takes the keys away from a composer that holds a draft; otherwise typed into the ask. */
  | "focus"
  /** A key that types nothing and that only the ask knows. */
  | "command"
  | "cancel"
  /** Not for the ask. */
  | "other";

export type GuardedAsk =
  | { readonly phase: "pending"; readonly askId: string; readonly drawnAtMs: number | null; readonly synced: boolean }
  /** It had the keys; then one came for the composer. */
  | { readonly phase: "waiting"; readonly askId: string }
  /**
   * `engaged`: the selection was moved, or something typed into it. `explained`: Enter came before that. `newUntilMs`: it has just
   * appeared until then, and a move was meant for the composer.
   */
  | {
      readonly phase: "active";
      readonly askId: string;
      readonly engaged: boolean;
      readonly explained: boolean;
      readonly newUntilMs: number;
    }
  /** An answer key that nothing has followed yet. */
  | { readonly phase: "held"; readonly askId: string; readonly key: string; readonly atMs: number };

type ActiveAsk = Extract<GuardedAsk, { phase: "active" }>;

export interface TypingGuardState {
  /** Ids that wait behind the head, first come first served. */
  readonly queued: readonly string[];
  readonly head: GuardedAsk | null;
  readonly lastTypedAtMs: number;
  readonly quietMs: number;
}

export type TypingGuardInput =
  | { readonly type: "show"; readonly askId: string }
  | { readonly type: "close"; readonly askId: string }
  | {
      readonly type: "key";
      readonly key: string;
      readonly use: KeyUse;
      readonly draft: "empty" | "written";
      readonly atMs: number;
    }
  /** A key that this guard has not seen went somewhere else. */
  | { readonly type: "typed"; readonly atMs: number }
  /** A line that answers the ask has been begun, where lines answer and not keys. */
  | { readonly type: "engage"; readonly atMs: number }
  /** The head follows another ask that text was typed into: the keys before it were meant for asks. */
  | { readonly type: "follow-on" }
  /** A frame that shows the head was written completely. */
  | { readonly type: "drawn"; readonly atMs: number }
  /** What had to go to the scrollback went there, or nothing had to. */
  | { readonly type: "synced"; readonly atMs: number }
  | { readonly type: "clock"; readonly atMs: number };

export type TypingGuardEffect =
  | { readonly type: "draw-pending"; readonly askId: string }
  | { readonly type: "take-keys"; readonly askId: string; readonly time: "first" | "again" }
  | { readonly type: "remove"; readonly askId: string }
  /** The key is for the dialog of the head. */
  | { readonly type: "to-dialog"; readonly key: string }
  /** The key is for the composer. */
  | { readonly type: "to-composer"; readonly key: string }
  /** The dialog lost the keys to the composer. */
  | { readonly type: "let-go" }
  /** Send a `clock` input then, to look again. */
  | { readonly type: "wake-at"; readonly atMs: number };

export interface TypingGuardStep {
  readonly state: TypingGuardState;
  readonly effects: readonly TypingGuardEffect[];
}

/** A longer quiet moment may be set, never a shorter one. */
export function createTypingGuard(options: { quietMs?: number } = {}): TypingGuardState {
  const quietMs = Math.max(options.quietMs ?? 0, TYPING_GUARD_MS_DEFAULT);
  return { queued: [], head: null, lastTypedAtMs: Number.NEGATIVE_INFINITY, quietMs };
}

/** How many wait besides the one that is shown. */
export function waitingCount(state: TypingGuardState): number {
  return state.queued.length;
}

export function reduceTypingGuard(state: TypingGuardState, input: TypingGuardInput): TypingGuardStep {
  switch (input.type) {
    case "show":
      return show(state, input.askId);
    case "close":
      return close(state, input.askId);
    case "key":
      return keyed(state, input);
    case "typed":
      return letGo(heardAt(state, input.atMs), []);
    case "engage":
      return { state: engaged(heardAt(state, input.atMs)), effects: [] };
    case "follow-on":
      return { state: { ...state, lastTypedAtMs: Number.NEGATIVE_INFINITY }, effects: [] };
    case "drawn":
      return activate(drawn(state, input.atMs), input.atMs);
    case "synced":
      return activate(synced(state), input.atMs);
    case "clock":
      return state.head?.phase === "held" ? judgeHeld(state, state.head, input.atMs) : activate(state, input.atMs);
  }
}

function show(state: TypingGuardState, askId: string): TypingGuardStep {
  if (state.head?.askId === askId || state.queued.includes(askId)) return { state, effects: [] };
  return promote({ ...state, queued: [...state.queued, askId] });
}

// A key that was held for an ask that goes belongs to the composer, too.
function close(state: TypingGuardState, askId: string): TypingGuardStep {
  if (state.head?.askId !== askId) {
    return { state: { ...state, queued: state.queued.filter((id) => id !== askId) }, effects: [] };
  }
  const next = promote({ ...state, head: null });
  return { state: next.state, effects: [{ type: "remove", askId }, ...givenBack(state.head), ...next.effects] };
}

function promote(state: TypingGuardState): TypingGuardStep {
  const [askId, ...queued] = state.queued;
  if (state.head !== null || askId === undefined) return { state, effects: [] };
  const head: GuardedAsk = { phase: "pending", askId, drawnAtMs: null, synced: false };
  return { state: { ...state, head, queued }, effects: [{ type: "draw-pending", askId }] };
}

function drawn(state: TypingGuardState, atMs: number): TypingGuardState {
  const { head } = state;
  return head?.phase === "pending" && head.drawnAtMs === null
    ? { ...state, head: { ...head, drawnAtMs: atMs } }
    : state;
}

function synced(state: TypingGuardState): TypingGuardState {
  const { head } = state;
  return head?.phase === "pending" ? { ...state, head: { ...head, synced: true } } : state;
}

function heardAt(state: TypingGuardState, atMs: number): TypingGuardState {
  return { ...state, lastTypedAtMs: Math.max(state.lastTypedAtMs, atMs) };
}

function engaged(state: TypingGuardState): TypingGuardState {
  const { head } = state;
  if (head?.phase !== "active") return state;
  return { ...state, head: { ...head, engaged: true, explained: false } };
}

type KeyInput = Extract<TypingGuardInput, { type: "key" }>;

function keyed(before: TypingGuardState, input: KeyInput): TypingGuardStep {
  const { head } = before;
  const state = heardAt(before, input.atMs);
  const toComposer: TypingGuardEffect = { type: "to-composer", key: input.key };
  if (head?.phase === "held") return letGo(state, isTyping(input.use) ? [toComposer] : []);
  if (head?.phase !== "active") return letGo(state, [toComposer]);
  const quietForMs = input.atMs - before.lastTypedAtMs;
  const age = input.atMs < head.newUntilMs ? "new" : "seen";
  switch (decided(head, input, { pace: quietForMs >= state.quietMs ? "quiet" : "typing", age })) {
    case "composer":
      return letGo(state, [toComposer]);
    case "dialog":
      return { state: delivered(state, head, input.use), effects: [{ type: "to-dialog", key: input.key }] };
    case "engage":
      return { state: engaged(state), effects: [] };
    case "explain":
      return { state: { ...state, head: { ...head, explained: true } }, effects: [] };
    case "hold":
      return held(state, head.askId, input);
  }
}

// Reading all of it, or going back from a part of the ask, is no step towards an answer.
function delivered(state: TypingGuardState, head: ActiveAsk, use: KeyUse): TypingGuardState {
  if (use === "command") return state;
  return use === "cancel" ? { ...state, head: { ...head, engaged: false, explained: false } } : engaged(state);
}

type Decision = "composer" | "dialog" | "engage" | "explain" | "hold";

interface Moment {
  readonly pace: "quiet" | "typing";
  readonly age: "new" | "seen";
}

// With a draft in the composer a letter belongs to the draft, after a pause of any length. Up and Enter, which send the last
// prompt again, must not meet an ask that appeared a moment before.
function decided(head: ActiveAsk, { use, draft }: KeyInput, { pace, age }: Moment): Decision {
  const isOpen = head.engaged || draft === "empty";
  switch (use) {
    case "cancel":
    case "command":
      return "dialog";
    case "move":
      return age === "new" && !head.engaged ? "composer" : "dialog";
    case "text":
      return isOpen ? "dialog" : "composer";
    case "focus":
      return isOpen ? "dialog" : "engage";
    case "enter":
    case "send":
      if (head.engaged) return "dialog";
      if (draft === "written") return "composer";
      return use === "send" && pace === "quiet" && age === "seen" ? "dialog" : "explain";
    case "answer":
      return draft === "empty" && pace === "quiet" ? "hold" : "composer";
    case "other":
      return "composer";
  }
}

/** Whether a key behind a held one goes on with a text; the others only take the held one back. */
function isTyping(use: KeyUse): boolean {
  return use === "answer" || use === "text" || use === "other";
}

function held(state: TypingGuardState, askId: string, { key, atMs }: KeyInput): TypingGuardStep {
  const head: GuardedAsk = { phase: "held", askId, key, atMs };
  return { state: { ...state, head }, effects: [{ type: "wake-at", atMs: atMs + ANSWER_HOLD_MS }] };
}

function judgeHeld(
  state: TypingGuardState,
  { askId, key, atMs: heldAtMs }: Extract<GuardedAsk, { phase: "held" }>,
  atMs: number,
): TypingGuardStep {
  const dueMs = heldAtMs + ANSWER_HOLD_MS;
  if (atMs < dueMs) return { state, effects: [{ type: "wake-at", atMs: dueMs }] };
  const head: GuardedAsk = { phase: "active", askId, engaged: false, explained: false, newUntilMs: atMs };
  return { state: { ...state, head }, effects: [{ type: "to-dialog", key }] };
}

// What was held goes to the composer first, so that a word arrives in its order.
function letGo(state: TypingGuardState, keys: readonly TypingGuardEffect[]): TypingGuardStep {
  const { head } = state;
  const given = [...givenBack(head), ...keys];
  if (head === null) return { state, effects: given };
  const wake: TypingGuardEffect = { type: "wake-at", atMs: state.lastTypedAtMs + state.quietMs };
  if (head.phase === "pending")
    return { state, effects: head.drawnAtMs !== null && head.synced ? [...given, wake] : given };
  const isNew: TypingGuardEffect[] = head.phase === "waiting" ? [] : [{ type: "let-go" }];
  return {
    state: { ...state, head: { phase: "waiting", askId: head.askId } },
    effects: [...isNew, ...given, wake],
  };
}

function givenBack(head: GuardedAsk | null): TypingGuardEffect[] {
  return head?.phase === "held" ? [{ type: "to-composer", key: head.key }] : [];
}

// A decision about the scrollback counts only for a frame that was drawn: the order is part of the guard.
function activate(state: TypingGuardState, atMs: number): TypingGuardStep {
  const { head } = state;
  if (head === null || head.phase === "active" || head.phase === "held") return { state, effects: [] };
  if (head.phase === "pending" && (head.drawnAtMs === null || !head.synced)) return { state, effects: [] };
  const quietAtMs = state.lastTypedAtMs + state.quietMs;
  if (atMs < quietAtMs) return { state, effects: [{ type: "wake-at", atMs: quietAtMs }] };
  const { askId } = head;
  const time = head.phase === "pending" ? "first" : "again";
  const newUntilMs = head.phase === "pending" ? (head.drawnAtMs ?? atMs) + state.quietMs : atMs;
  const active: GuardedAsk = { phase: "active", askId, engaged: false, explained: false, newUntilMs };
  return { state: { ...state, head: active }, effects: [{ type: "take-keys", askId, time }] };
}
