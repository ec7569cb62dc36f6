// What a line of the log means for the view: it goes into the book of its tab, counts as unread when another tab is in
// front, and when it is the failure of something the person has just sent, it says why that did not happen.
import type { LogEntry } from "../../contract/daemon.js";
import { type AttachState, activeTab, type DaemonTab } from "./attach-state.js";
import type { Field } from "./field.js";
import { kindOfLine, written } from "./log-state.js";
import { newTab, placed } from "./state-reading.js";

export function lineHeard(state: AttachState, entry: LogEntry): AttachState {
  if (!isNewer(entry.id, state.lastLineId)) return state;
  const isSeen = activeTab(state)?.title === entry.tab_title || isOld(entry, state);
  const hear = (tab: DaemonTab): DaemonTab => ({
    ...tab,
    book: written(tab.book, entry),
    unread: tab.unread + (isSeen ? 0 : 1),
    failures: tab.failures + (isSeen || kindOfLine(entry) !== "error" ? 0 : 1),
  });
  const heard = { ...inTab(state, entry.tab_title, hear), lastLineId: entry.id };
  return failed(placed(heard), entry);
}

/** Told where the person looks, because no tab of the daemon's has lost anything. */
export function lossHeard(state: AttachState, entry: LogEntry): AttachState {
  const title = activeTab(state)?.title ?? state.tabs[0]?.title ?? entry.tab_title;
  const told = inTab(state, title, (tab) => ({ ...tab, book: written(tab.book, entry) }));
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
  return field === undefined ? state : rolledBack(state, field, reasonIn(entry.content));
}

/** The old value is there again, and the reason beside it. */
function rolledBack(state: AttachState, { key }: Field, reason: string): AttachState {
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

function reasonIn(content: string): string {
  return content.replace(/^error:\s*/i, "");
}

// Lines from before one came are there to be read, but nobody has missed them.
function isOld({ at_ms: atMs }: LogEntry, { attachedAtMs }: AttachState): boolean {
  return atMs !== undefined && atMs < attachedAtMs;
}

function isNewer(id: string, lastId: string | null): boolean {
  const areNumbers = /^\d+$/.test(id) && /^\d+$/.test(lastId ?? "");
  return areNumbers ? BigInt(id) > BigInt(lastId ?? 0) : id === "" || id !== lastId;
}
