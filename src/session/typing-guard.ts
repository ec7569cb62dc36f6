// Which ask one front end shows, and which keys answer it. Asks are shown one at a time: drawn first, and given keys after
// one completed draw, one decision about the scrollback and a quiet moment. From then on an answer is a deliberate gesture:
// a moved selection, a pause and Enter, or one answer key with silence before and after it. Beside a draft both need the
// focus key first. Every other key belongs to the composer and lets the ask wait for the next quiet moment. So typing with
// a key every second or faster never answers. Keys that come while this process stalls are read late, so a stall counts as typing.
//
//   queued ──head──► pending ──drawn + synced + quiet──► active ──closed──► (the next one)
//                                               quiet ▲ │ │ ▲
//                     waiting ◄── a key for the composer┘ │ │ a moved selection, typed text: engaged
//                        ▲                                └─┘
//                        └── another key ── held ◄── one answer key ──── (silence) ──► answered
import {
  ANSWER_HOLD_MS,
  ENTER_PAUSE_MS,
  GUARD_BEAT_MS,
  STALL_MS,
  TYPING_GUARD_MS_DEFAULT,
} from "../contract/limits.js";

/** What a key means to the ask that is shown; the dialog says so. */
export type KeyUse =
  /** One key that decides or opens something by itself. */
  | "answer"
  /** Moves the selection. */
  | "move"
  /** Sends what was selected, and only after a move. */
  | "enter"
  /** Sends what is filled in; as a first key only with an empty composer. */
  | "send"
  /** Typed into the ask itself. */
  | "text"
  /** Takes the keys away from a composer that holds a draft. */
  | "focus"
  /** A key that types nothing and that only the ask knows. */
  | "command"
  | "cancel"
  /** Not for the ask. */
  | "other";

/** What the user did to the ask that has the keys: gave it the keys beside a draft, moved its selection, typed into it. */
export type Engagement = "none" | "focused" | "moved" | "typed";

/** Why Enter did nothing: nothing was moved before it, or it came too soon after. */
export type EnterRefusal = "move-first" | "too-soon";

export type GuardedAsk =
  | { readonly phase: "pending"; readonly askId: string; readonly drawnAtMs: number | null; readonly synced: boolean }
  /** It had the keys; then one came for the composer. */
  | { readonly phase: "waiting"; readonly askId: string }
  /**
   * `explained`: Enter came and did nothing. `newUntilMs`: it has just appeared until then, and a move or an answer key was
   * meant for the composer; null afterwards.
   */
  | {
      readonly phase: "active";
      readonly askId: string;
      readonly engaged: Engagement;
      readonly explained: EnterRefusal | null;
      readonly newUntilMs: number | null;
    }
  /** An answer key that nothing has followed yet. */
  | {
      readonly phase: "held";
      readonly askId: string;
      readonly key: string;
      readonly atMs: number;
      readonly engaged: Engagement;
    };

type ActiveAsk = Extract<GuardedAsk, { phase: "active" }>;

export interface TypingGuardState {
  /** Ids that wait behind the head, first come first served. */
  readonly queued: readonly string[];
  readonly head: GuardedAsk | null;
  readonly lastTypedAtMs: number;
  readonly quietMs: number;
  /** What the view draws of an ask that has no keys yet. */
  readonly pendingShows: "title" | "whole";
  /** When the next `beat` is due; null before the first one. */
  readonly beatDueMs: number | null;
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
  /** Something of the head has come into sight that was not shown before: it is new again. */
  | { readonly type: "renewed"; readonly atMs: number }
  /** A frame that shows the head was written completely. */
  | { readonly type: "drawn"; readonly atMs: number }
  /** What had to go to the scrollback went there, or nothing had to. */
  | { readonly type: "synced"; readonly atMs: number }
  | { readonly type: "clock"; readonly atMs: number }
  /** Comes every GUARD_BEAT_MS while an ask is shown; one that is late tells of a stall. */
  | { readonly type: "beat"; readonly atMs: number };

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
  /** The ask is no longer new: all of its keys count. */
  | { readonly type: "keys-count" }
  /** Send a `clock` input then, to look again. */
  | { readonly type: "wake-at"; readonly atMs: number };

export interface TypingGuardStep {
  readonly state: TypingGuardState;
  readonly effects: readonly TypingGuardEffect[];
}

/** A longer quiet moment may be set, never a shorter one. */
export function createTypingGuard(
  options: { quietMs?: number; pendingShows?: TypingGuardState["pendingShows"] } = {},
): TypingGuardState {
  const quietMs = Math.max(options.quietMs ?? 0, TYPING_GUARD_MS_DEFAULT);
  const { pendingShows = "title" } = options;
  return { queued: [], head: null, lastTypedAtMs: Number.NEGATIVE_INFINITY, quietMs, pendingShows, beatDueMs: null };
}

/** How many wait besides the one that is shown. */
export function waitingCount(state: TypingGuardState): number {
  return state.queued.length;
}

export function reduceTypingGuard(before: TypingGuardState, input: TypingGuardInput): TypingGuardStep {
  if (!("atMs" in input) || !isStall(before, input.atMs)) return judged(before, input);
  const stalled = heardAt({ ...before, beatDueMs: input.atMs + GUARD_BEAT_MS }, input.atMs);
  const late = before.head?.phase === "held" ? letGo(stalled, []) : { state: stalled, effects: [] };
  const step = judged(late.state, input);
  return { state: step.state, effects: [...late.effects, ...step.effects] };
}

function isStall({ head, beatDueMs }: TypingGuardState, atMs: number): boolean {
  return head !== null && beatDueMs !== null && atMs - beatDueMs > STALL_MS;
}

function judged(state: TypingGuardState, input: TypingGuardInput): TypingGuardStep {
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
      return { state: engaged(heardAt(state, input.atMs), "typed"), effects: [] };
    case "follow-on":
      return { state: { ...state, lastTypedAtMs: Number.NEGATIVE_INFINITY }, effects: [] };
    case "renewed":
      return renewed(state, input.atMs);
    case "drawn":
      return activate(drawn(state, input.atMs), input.atMs);
    case "synced":
      return activate(synced(state), input.atMs);
    case "clock":
      return look(state, input.atMs);
    case "beat":
      return { state: { ...state, beatDueMs: input.atMs + GUARD_BEAT_MS }, effects: [] };
  }
}

function look(state: TypingGuardState, atMs: number): TypingGuardStep {
  const { head } = state;
  if (head?.phase === "held") return judgeHeld(state, head, atMs);
  if (head?.phase !== "active") return activate(state, atMs);
  if (head.newUntilMs === null) return { state, effects: [] };
  if (atMs < head.newUntilMs) return { state, effects: [{ type: "wake-at", atMs: head.newUntilMs }] };
  return { state: { ...state, head: { ...head, newUntilMs: null } }, effects: [{ type: "keys-count" }] };
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
  const next = promote({ ...state, head: null, beatDueMs: null });
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

function renewed(state: TypingGuardState, atMs: number): TypingGuardStep {
  if (state.head === null || state.head.phase === "pending") return { state, effects: [] };
  const head: GuardedAsk = { phase: "pending", askId: state.head.askId, drawnAtMs: atMs, synced: true };
  const step = activate({ ...state, head }, atMs);
  return { state: step.state, effects: [{ type: "let-go" }, ...givenBack(state.head), ...step.effects] };
}

function heardAt(state: TypingGuardState, atMs: number): TypingGuardState {
  return { ...state, lastTypedAtMs: Math.max(state.lastTypedAtMs, atMs) };
}

function engaged(state: TypingGuardState, by: Engagement): TypingGuardState {
  const { head } = state;
  if (head?.phase !== "active") return state;
  return { ...state, head: { ...head, engaged: by, explained: null } };
}

type KeyInput = Extract<TypingGuardInput, { type: "key" }>;

function keyed(before: TypingGuardState, input: KeyInput): TypingGuardStep {
  const { head } = before;
  const state = heardAt(before, input.atMs);
  const toComposer: TypingGuardEffect = { type: "to-composer", key: input.key };
  if (head?.phase === "held") return letGo(state, isTyping(input.use) ? [toComposer] : []);
  if (head?.phase !== "active") return letGo(state, [toComposer]);
  const decision = decided(head, input, momentOf(before, head, input.atMs));
  switch (decision) {
    case "composer":
      return letGo(state, [toComposer]);
    case "dialog":
      return { state: delivered(state, head, input.use), effects: [{ type: "to-dialog", key: input.key }] };
    case "focus":
      return { state: engaged(state, "focused"), effects: [] };
    case "hold":
      return held(state, head, input);
    default:
      return { state: { ...state, head: { ...head, explained: decision } }, effects: [] };
  }
}

// Reading all of it, or going back from a part of the ask, is no step towards an answer.
function delivered(state: TypingGuardState, head: ActiveAsk, use: KeyUse): TypingGuardState {
  if (use === "command") return state;
  if (use === "cancel") return { ...state, head: { ...head, engaged: "none", explained: null } };
  return engaged(state, use === "text" || head.engaged === "typed" ? "typed" : "moved");
}

type Decision = "composer" | "dialog" | "focus" | "hold" | EnterRefusal;

interface Moment {
  /** How long no key had come: for the quiet moment, for the pause that Enter needs, or for neither. */
  readonly pace: "quiet" | "paused" | "typing";
  readonly age: "new" | "seen";
}

function momentOf({ lastTypedAtMs, quietMs }: TypingGuardState, { newUntilMs }: ActiveAsk, atMs: number): Moment {
  const silentMs = atMs - lastTypedAtMs;
  const pace = silentMs >= quietMs ? "quiet" : silentMs >= ENTER_PAUSE_MS ? "paused" : "typing";
  return { pace, age: newUntilMs !== null && atMs < newUntilMs ? "new" : "seen" };
}

// With a draft in the composer every key belongs to the draft, after a pause of any length: arrows and Tab edit it or choose a
// completion. Up and Enter, which send the last prompt again, must not meet an ask that appeared a moment before.
function decided(head: ActiveAsk, { use, draft }: KeyInput, moment: Moment): Decision {
  const isOpen = head.engaged !== "none" || draft === "empty";
  switch (use) {
    case "cancel":
    case "command":
      return "dialog";
    case "focus":
      return "focus";
    case "text":
      return isOpen ? "dialog" : "composer";
    case "move":
      return isOpen && mayMove(head, moment) ? "dialog" : "composer";
    case "enter":
    case "send":
      return isOpen ? entered(head, use, moment) : "composer";
    case "answer":
      return isOpen && mayHold(head, moment) ? "hold" : "composer";
    case "other":
      return "composer";
  }
}

/** The first move needs a quiet moment before it; after a focus key, or an Enter that was explained, a pause. */
function mayMove({ engaged: by, explained }: ActiveAsk, { pace, age }: Moment): boolean {
  if (by === "moved" || by === "typed") return true;
  if (age === "new") return false;
  return by === "focused" || explained !== null ? pace !== "typing" : pace === "quiet";
}

function mayHold({ engaged: by }: ActiveAsk, { pace, age }: Moment): boolean {
  return age === "seen" && (by === "focused" ? pace !== "typing" : pace === "quiet");
}

// What was typed into the ask can be sent as fast as it was typed; a move and Enter may have been meant for a list elsewhere.
function entered({ engaged: by }: ActiveAsk, use: "enter" | "send", { pace, age }: Moment): Decision {
  if (by === "typed") return "dialog";
  if (by === "moved" || (by === "focused" && use === "send")) return pace === "typing" ? "too-soon" : "dialog";
  return use === "send" && pace === "quiet" && age === "seen" ? "dialog" : "move-first";
}

/** Whether a key after a held one continues a text; other keys only take the held one back. */
function isTyping(use: KeyUse): boolean {
  return use === "answer" || use === "text" || use === "other";
}

function held(state: TypingGuardState, { askId, engaged: by }: ActiveAsk, { key, atMs }: KeyInput): TypingGuardStep {
  const head: GuardedAsk = { phase: "held", askId, key, atMs, engaged: by };
  return { state: { ...state, head }, effects: [{ type: "wake-at", atMs: atMs + ANSWER_HOLD_MS }] };
}

// A judgement that comes late may have missed a key, which is still to be read.
function judgeHeld(
  state: TypingGuardState,
  head: Extract<GuardedAsk, { phase: "held" }>,
  atMs: number,
): TypingGuardStep {
  const { askId, key, engaged: by } = head;
  const dueMs = head.atMs + ANSWER_HOLD_MS;
  if (atMs < dueMs) return { state, effects: [{ type: "wake-at", atMs: dueMs }] };
  if (atMs - dueMs > STALL_MS) return letGo(heardAt(state, atMs), []);
  const answered: GuardedAsk = { phase: "active", askId, engaged: by, explained: null, newUntilMs: null };
  return { state: { ...state, head: answered }, effects: [{ type: "to-dialog", key }] };
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
  const newUntilMs = head.phase === "pending" ? shownWholeMs(state, head, atMs) + state.quietMs : atMs;
  if (newUntilMs <= atMs) return taken(null, []);
  return taken(newUntilMs, [{ type: "wake-at", atMs: newUntilMs }]);

  function taken(until: number | null, wake: TypingGuardEffect[]): TypingGuardStep {
    const active: GuardedAsk = { phase: "active", askId, engaged: "none", explained: null, newUntilMs: until };
    return { state: { ...state, head: active }, effects: [{ type: "take-keys", askId, time }, ...wake] };
  }
}

// Where a pending ask is only a title, what is approved appears with the frame that gives it the keys.
function shownWholeMs(
  { pendingShows }: TypingGuardState,
  { drawnAtMs }: Extract<GuardedAsk, { phase: "pending" }>,
  atMs: number,
): number {
  return pendingShows === "whole" ? (drawnAtMs ?? atMs) : atMs;
}
