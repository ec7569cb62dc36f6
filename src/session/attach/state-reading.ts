// What a fresh state of the daemon means for the view. Its fields take the place of the old ones; the person's place, the
// logs and what he is doing stay. An empty state says nothing and changes nothing: a daemon that is just starting, or that
// lost its project for a moment, would otherwise sweep the screen.
import type { StateEntry } from "../../contract/daemon.js";
import {
  type AttachState,
  type AttachStep,
  type DaemonTab,
  fieldNamed,
  isSamePlace,
  NOWHERE,
  type PendingEdit,
  tabPlaces,
} from "./attach-state.js";
import { fieldsByTab, type TabFields } from "./field.js";
import { emptyBook } from "./log-state.js";

export function stateRead(state: AttachState, entries: readonly StateEntry[] | null): AttachState {
  if (entries === null || entries.length === 0) return state;
  const tabs = mergedTabs(state.tabs, fieldsByTab(entries));
  const read = { ...state, tabs, running: new Set<string>() };
  return { ...read, pending: stillPending(read) };
}

/**
 * Somebody is always in front; when that tab went, the first one is. Which is the first is the daemon's to say: before its
 * first state has come, no line and no session brings its own tab there.
 */
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
  // What a tab has logged stays to be read, also when nothing can be done there any more.
  const titles = new Set(now.map(({ title }) => title));
  const gone = before.filter(({ title, book }) => !titles.has(title) && book.lines.length > 0);
  return [...current, ...gone.map((tab) => ({ ...tab, fields: [], focus: null }))];
}

export function newTab(title: string): DaemonTab {
  return { title, fields: [], focus: null, book: emptyBook, unread: 0, failures: 0 };
}

// A value that is another one than before is the daemon's word. One that is as before may only be slow.
function stillPending(state: AttachState): ReadonlyMap<string, PendingEdit> {
  const left = [...state.pending].filter(([key, { before }]) => fieldNamed(state, key)?.value === before);
  return left.length === state.pending.size ? state.pending : new Map(left);
}

/** A conversation that is over closes its field; one that goes on gets an empty line for the next answer. */
export function conversationRead(state: AttachState): AttachStep {
  const { editing } = state;
  if (editing === null || editing.kind === "action") return { state, effects: [] };
  const field = fieldNamed(state, editing.field);
  if (field === null) {
    const notice = { level: "warn", text: "what you were changing is not there any more" } as const;
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
