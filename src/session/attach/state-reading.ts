// Applies a fresh state of the daemon: its fields replace the old ones; focus, logs and open edits stay. An empty state is
// ignored, because a daemon that is starting or switching projects would clear the screen.
import type { StateEntry } from "../../contract/daemon.js";
import {
  type AttachState,
  type AttachStep,
  type DaemonTab,
  fieldNamed,
  fieldsByTab,
  isSamePlace,
  NOWHERE,
  type PendingEdit,
  type TabFields,
  tabPlaces,
} from "./attach-state.js";
import { emptyLog } from "./log-state.js";

export function stateRead(state: AttachState, entries: readonly StateEntry[] | null): AttachState {
  if (entries === null || entries.length === 0) return state;
  const tabs = mergedTabs(state.tabs, fieldsByTab(entries));
  const read = { ...state, tabs, running: new Set<string>() };
  return { ...read, pending: stillPending(read) };
}

/** If the tab in front is gone, the first one takes its place; before the first state, none does. */
export function placed(state: AttachState): AttachState {
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

export function newTab(title: string): DaemonTab {
  return { title, fields: [], focus: null, log: emptyLog, unread: 0, failures: 0 };
}

// A changed value settles an edit; an unchanged one may just be late.
function stillPending(state: AttachState): ReadonlyMap<string, PendingEdit> {
  const left = [...state.pending].filter(([key, { before }]) => fieldNamed(state, key)?.value === before);
  return left.length === state.pending.size ? state.pending : new Map(left);
}

/** Closes the field of a finished conversation, or opens an empty line for the next answer. */
export function conversationRead(state: AttachState): AttachStep {
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
  if (editing.phase === "asking") return { state, effects: [] };
  return {
    state: { ...state, editing: { ...editing, phase: "asking" } },
    effects: [{ type: "open-input", preset: "", hint: field.value }],
  };
}
