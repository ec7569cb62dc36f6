// The attached view as a machine: what happens and what the person wants go in, the next state and effects come out. It
// never waits, draws or sends; one runner does that.
import {
  type AttachEvent,
  type AttachState,
  type AttachStep,
  activeTab,
  fieldNamed,
  isSamePlace,
  NOWHERE,
  type TabPlace,
  tabPlaces,
} from "./attach-state.js";
import { actedOn, actionWished, inputCancelled, shortcutPressed, submitted } from "./field-actions.js";
import { lineHeard, lossHeard } from "./line-hearing.js";
import { lostSight } from "./log-state.js";
import { conversationRead, placed, stateRead } from "./state-reading.js";

export function reduceAttach(state: AttachState, event: AttachEvent, nowMs: number): AttachStep {
  const step = reduced(state, event, nowMs);
  const { active } = step.state;
  const isNew = active.kind === "daemon" && active !== NOWHERE && !isSamePlace(active, state.active);
  // One that came back from an interruption may be another daemon, which has not been told yet.
  const isTold = event.type !== "connected" || active === NOWHERE;
  if (active.kind !== "daemon" || (!isNew && isTold)) return step;
  return { ...step, effects: [{ type: "tell-tab", title: active.title }, ...step.effects] };
}

function reduced(state: AttachState, event: AttachEvent, nowMs: number): AttachStep {
  switch (event.type) {
    case "connected":
      return wantingState({ ...state, connection: { phase: "connected" } });
    case "disconnected":
      return only(disconnected(state, event.retryInMs));
    case "state.changed":
      return wantingState(state);
    case "state.loaded":
      return loaded(state, event);
    case "state.failed":
      return again({ ...state, notice: { level: "error", text: event.reason } });
    case "line.logged":
      return only(lineHeard(state, event.entry));
    case "lines.lost":
      return only(lossHeard(state, event.entry));
    case "action.taken":
      return only(state);
    case "action.refused":
      return only(refused(state, event.key, event.reason));
    case "sessions.loaded":
      return only(settledIn(ledToSession(placed({ ...state, sessions: event.sessions }))));
    case "clock":
      return expired(state, nowMs);
    case "tab.step":
      return only(stepped(state, event.by));
    case "tab.pick":
      return only(shown(state, tabPlaces(state)[event.index] ?? state.active));
    case "help.toggle":
      return only(helped(state));
    case "field.step":
      return only(focusMoved(state, event.by));
    case "field.act":
      return actedOn(state, nowMs);
    case "shortcut.press":
      return shortcutPressed(state, event.key);
    case "action.wish":
      return actionWished(state);
    case "input.submit":
      return submitted(state, event.text, nowMs);
    case "input.cancel":
      return inputCancelled(state);
    case "logs.toggle":
      return only({ ...state, logs: state.logs === "latest" ? "all" : "latest" });
    case "leave":
      return { state, effects: [{ type: "leave" }] };
  }
}

function only(state: AttachState): AttachStep {
  return { state, effects: [] };
}

// One question at a time is under way; news that come meanwhile are asked for when it is answered.
function wantingState(state: AttachState): AttachStep {
  if (state.loading !== "no") return only({ ...state, loading: "again" });
  return { state: { ...state, loading: "yes" }, effects: [{ type: "load-state" }] };
}

function again(state: AttachState): AttachStep {
  const idle = placed({ ...state, loading: "no" });
  return state.loading === "again" ? wantingState(idle) : only(idle);
}

function loaded(state: AttachState, { entries }: AttachEvent & { type: "state.loaded" }): AttachStep {
  const read = conversationRead(stateRead(state, entries));
  const step = again(read.state);
  const next = { ...step, state: ledToSession(step.state) };
  return { state: next.state, effects: [...read.effects, ...next.effects] };
}

function disconnected(state: AttachState, retryInMs: number): AttachState {
  const tabs = state.tabs.map((tab) => ({ ...tab, book: lostSight(tab.book) }));
  return { ...state, tabs, connection: { phase: "lost", retryInMs }, running: new Set() };
}

// `key` may be a shortcut; the field it belongs to is no longer waited for either.
function refused(state: AttachState, key: string, reason: string): AttachState {
  const pending = new Map(state.pending);
  pending.delete(key);
  const { editing } = state;
  const isAnswer = editing?.kind === "wizard" && editing.field === key;
  return {
    ...state,
    pending,
    running: new Set(),
    editing: isAnswer ? { ...editing, phase: "asking" } : editing,
    notice: { level: "error", text: reason },
  };
}

function expired(state: AttachState, nowMs: number): AttachStep {
  const late = [...state.pending].filter(([, { giveUpAtMs }]) => giveUpAtMs <= nowMs);
  const pending = new Map([...state.pending].filter(([, { giveUpAtMs }]) => giveUpAtMs > nowMs));
  const [first] = late;
  const label = first === undefined ? "" : (fieldNamed(state, first[0])?.label ?? first[0]);
  const notice =
    first === undefined
      ? state.notice
      : ({ level: "warn", text: `${label} is still ${first[1].before || "empty"}` } as const);
  const { editing } = state;
  const isSilent = editing?.kind === "wizard" && editing.phase === "waiting" && editing.giveUpAtMs <= nowMs;
  if (!isSilent) return only({ ...state, pending, notice });
  return {
    state: { ...state, pending, notice, editing: { ...editing, phase: "asking" } },
    effects: [{ type: "open-input", preset: "", hint: "" }],
  };
}

function stepped(state: AttachState, by: 1 | -1): AttachState {
  const places = tabPlaces(state);
  const at = places.findIndex((place) => isSamePlace(place, state.active));
  return shown(state, places[(Math.max(0, at) + by + places.length) % places.length] ?? state.active);
}

/** Whoever looks at a tab has seen what is in it. */
function shown(state: AttachState, active: TabPlace): AttachState {
  const tabs = state.tabs.map((tab) =>
    active.kind === "daemon" && tab.title === active.title ? { ...tab, unread: 0, failures: 0 } : tab,
  );
  const beforeHelp = state.active.kind === "help" ? state.beforeHelp : state.active;
  return { ...state, tabs, active, placedBy: "person", beforeHelp, editing: null, notice: null };
}

// Whoever has seen where he is stays there: a session that comes later takes nobody away.
function settledIn(state: AttachState): AttachState {
  return state.active === NOWHERE ? state : { ...state, placedBy: "person" };
}

// Where nothing can be done but talk to an agent, one came to talk to it.
function ledToSession(state: AttachState): AttachState {
  const [session] = state.sessions;
  const hasDeeds = state.tabs.some(({ fields }) => fields.some(({ kind }) => kind !== "display"));
  if (session === undefined || hasDeeds || state.placedBy === "person" || state.active === NOWHERE) return state;
  return { ...state, active: { kind: "session", id: session.id } };
}

function helped(state: AttachState): AttachState {
  if (state.active.kind !== "help") return shown(state, { kind: "help" });
  return placed(shown(state, state.beforeHelp));
}

function focusMoved(state: AttachState, by: 1 | -1): AttachState {
  const tab = activeTab(state);
  if (tab === null || tab.fields.length === 0) return state;
  const at = tab.fields.findIndex(({ key }) => key === tab.focus);
  const next = tab.fields[(Math.max(0, at) + by + tab.fields.length) % tab.fields.length];
  const tabs = state.tabs.map((one) => (one === tab ? { ...one, focus: next?.key ?? null } : one));
  return { ...state, tabs, notice: null };
}
