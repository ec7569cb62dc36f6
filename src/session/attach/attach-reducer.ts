// The state machine of the attached view: events and intents in, the next state and effects out. It does no I/O.
import type { LogEntry, StateEntry } from "../../contract/daemon.js";
import {
  type AttachEvent,
  type AttachState,
  type AttachStep,
  activeTab,
  type DaemonTab,
  fieldNamed,
  fieldsByTab,
  isSamePlace,
  NOWHERE,
  type PendingEdit,
  type TabFields,
  type TabPlace,
  tabPlaces,
} from "./attach-state.js";
import { actedOn, actionEntered, inputCancelled, shortcutPressed, submitted } from "./field-actions.js";
import { emptyLog, isNewerLine, kindOfLine, withUnknownProgress, written } from "./log-state.js";

export function reduceAttach(state: AttachState, event: AttachEvent, nowMs: number): AttachStep {
  const step = reduced(state, event, nowMs);
  const { active } = step.state;
  const isNew = active.kind === "daemon" && active !== NOWHERE && !isSamePlace(active, state.active);
  // After an interruption it may be another daemon, which does not have the tab yet.
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
      return only(lineLogged(state, event.entry));
    case "lines.lost":
      return only(linesLost(state, event.entry));
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
    case "action.enter":
      return actionEntered(state);
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

// One request at a time; changes that arrive meanwhile cause another one.
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
  const tabs = state.tabs.map((tab) => ({ ...tab, log: withUnknownProgress(tab.log) }));
  return { ...state, tabs, connection: { phase: "lost", retryInMs }, running: new Set() };
}

// `key` may be a shortcut, so its field stops waiting too.
function refused(state: AttachState, key: string, reason: string): AttachState {
  return { ...rolledBack(state, key, reason), running: new Set() };
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

/** A tab in front has nothing unread. */
function shown(state: AttachState, active: TabPlace): AttachState {
  const tabs = state.tabs.map((tab) =>
    active.kind === "daemon" && tab.title === active.title ? { ...tab, unread: 0, failures: 0 } : tab,
  );
  const beforeHelp = state.active.kind === "help" ? state.beforeHelp : state.active;
  return { ...state, tabs, active, placedBy: "person", beforeHelp, editing: null, notice: null };
}

// A session that appears later does not move the user.
function settledIn(state: AttachState): AttachState {
  return state.active === NOWHERE ? state : { ...state, placedBy: "person" };
}

// With a session and no fields to change, the session comes to the front.
function ledToSession(state: AttachState): AttachState {
  const [session] = state.sessions;
  const hasActions = state.tabs.some(({ fields }) => fields.some(({ kind }) => kind !== "display"));
  if (session === undefined || hasActions || state.placedBy === "person" || state.active === NOWHERE) return state;
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

function lineLogged(state: AttachState, entry: LogEntry): AttachState {
  if (!isNewerLine(entry.id, state.lastLineId)) return state;
  const isSeen = activeTab(state)?.title === entry.tab_title || isOld(entry, state);
  const add = (tab: DaemonTab): DaemonTab => ({
    ...tab,
    log: written(tab.log, entry),
    unread: tab.unread + (isSeen ? 0 : 1),
    failures: tab.failures + (isSeen || kindOfLine(entry) !== "error" ? 0 : 1),
  });
  const added = { ...inTab(state, entry.tab_title, add), lastLineId: entry.id };
  return failed(placed(added), entry);
}

/** Shown in the active tab, because the loss belongs to no tab. */
function linesLost(state: AttachState, entry: LogEntry): AttachState {
  const title = activeTab(state)?.title ?? state.tabs[0]?.title ?? entry.tab_title;
  const told = inTab(state, title, (tab) => ({ ...tab, log: written(tab.log, entry) }));
  return { ...told, notice: { level: "warn", text: entry.content } };
}

function inTab(state: AttachState, title: string, change: (tab: DaemonTab) => DaemonTab): AttachState {
  const isKnown = state.tabs.some((tab) => tab.title === title);
  const tabs = isKnown ? state.tabs : [...state.tabs, newTab(title)];
  return { ...state, tabs: tabs.map((tab) => (tab.title === title ? change(tab) : tab)) };
}

function failed(state: AttachState, entry: LogEntry): AttachState {
  if (kindOfLine(entry) !== "error") return state;
  const fields = state.tabs.find(({ title }) => title === entry.tab_title)?.fields ?? [];
  const field = fields.find(({ name, key }) => name === entry.handler_name && isAwaited(state, key));
  return field === undefined ? state : rolledBack(state, field.key, entry.content.replace(/^error:\s*/i, ""));
}

/** Restores the old value and shows the reason. */
function rolledBack(state: AttachState, key: string, reason: string): AttachState {
  const { editing } = state;
  const pending = new Map(state.pending);
  pending.delete(key);
  return {
    ...state,
    pending,
    running: new Set([...state.running].filter((running) => running !== key)),
    editing: editing?.kind === "wizard" && editing.field === key ? { ...editing, phase: "asking" } : editing,
    notice: { level: "error", text: reason },
  };
}

function isAwaited({ pending, running, editing }: AttachState, key: string): boolean {
  const isAnswered = editing?.kind === "wizard" && editing.field === key && editing.phase === "waiting";
  return pending.has(key) || running.has(key) || isAnswered;
}

// Lines from before the start are not unread.
function isOld({ at_ms: atMs }: LogEntry, { attachedAtMs }: AttachState): boolean {
  return atMs !== undefined && atMs < attachedAtMs;
}

// Applies a fresh state of the daemon: its fields replace the old ones; focus, logs and open edits stay. An empty state is
// ignored, because a daemon that is starting or switching projects would clear the screen.
function stateRead(state: AttachState, entries: readonly StateEntry[] | null): AttachState {
  if (entries === null || entries.length === 0) return state;
  const tabs = mergedTabs(state.tabs, fieldsByTab(entries));
  const read = { ...state, tabs, running: new Set<string>() };
  return { ...read, pending: stillPending(read) };
}

/** If the tab in front is gone, the first one takes its place; before the first state, none does. */
function placed(state: AttachState): AttachState {
  if (state.active === NOWHERE && state.loading !== "no") return state;
  const places = tabPlaces(state);
  if (places.some((place) => isSamePlace(place, state.active))) return state;
  const [first] = places;
  return first === undefined || first.kind === "help" ? state : { ...state, active: first };
}

function mergedTabs(before: readonly DaemonTab[], now: readonly TabFields[]): DaemonTab[] {
  const known = new Map(before.map((tab) => [tab.title, tab]));
  const current = now.map(({ title, fields }): DaemonTab => {
    const { focus = null, ...rest } = known.get(title) ?? newTab(title);
    const isThere = fields.some(({ key }) => key === focus);
    return { ...rest, fields, focus: isThere ? focus : (fields[0]?.key ?? null) };
  });
  // A tab with log lines stays, even without fields.
  const titles = new Set(now.map(({ title }) => title));
  const gone = before.filter(({ title, log }) => !titles.has(title) && log.lines.length > 0);
  return [...current, ...gone.map((tab) => ({ ...tab, fields: [], focus: null }))];
}

function newTab(title: string): DaemonTab {
  return { title, fields: [], focus: null, log: emptyLog, unread: 0, failures: 0 };
}

// A changed value settles an edit; an unchanged one may just be late.
function stillPending(state: AttachState): ReadonlyMap<string, PendingEdit> {
  const left = [...state.pending].filter(([key, { before }]) => fieldNamed(state, key)?.value === before);
  return left.length === state.pending.size ? state.pending : new Map(left);
}

/** Closes the field of a finished conversation, or opens an empty line for the next answer. */
function conversationRead(state: AttachState): AttachStep {
  const { editing } = state;
  if (editing === null || editing.kind === "action") return { state, effects: [] };
  const field = fieldNamed(state, editing.field);
  if (field === null) {
    const notice = { level: "warn", text: "the field you were editing is gone" } as const;
    return { state: { ...state, editing: null, notice }, effects: [] };
  }
  if (editing.kind === "edit") return { state, effects: [] };
  const isOver = editing.answers > 0 && field.label === editing.idleLabel;
  if (isOver) return { state: { ...state, editing: null }, effects: [] };
  // A refusal is told in the log and by the reply; the later of them may arrive after the next answer was sent.
  const { label: question } = field;
  if (editing.phase === "asking" && question === editing.question) return { state, effects: [] };
  return {
    state: { ...state, editing: { ...editing, question, phase: "asking" } },
    effects: [{ type: "open-input", preset: "", hint: field.value }],
  };
}
