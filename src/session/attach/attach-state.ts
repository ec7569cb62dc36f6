// The whole state of the attached view: tabs with their fields and logs, the tab in front, open edits, pending actions, and
// the connection; and the events and effects of its reducer.
import type { LogEntry, StateEntry } from "../../contract/daemon.js";
import { type HandlerKind, handlerTypes } from "../../contract/handler-types.js";
import type { LogState } from "./log-state.js";

export interface DaemonTab {
  readonly title: string;
  readonly fields: readonly Field[];
  /** The key of the focused field; null without fields. */
  readonly focus: string | null;
  readonly log: LogState;
  /** Lines that came while another tab was in front, and how many of them are errors. */
  readonly unread: number;
  readonly failures: number;
}

export interface HostedSession {
  readonly id: string;
  readonly name: string;
  readonly state: "running" | "ended";
}

/** Which tab is in front. */
export type TabPlace =
  | { readonly kind: "daemon"; readonly title: string }
  | { readonly kind: "session"; readonly id: string }
  | { readonly kind: "help" };

/** A value that was sent and is already shown; `before` is restored when it is refused. */
export interface PendingEdit {
  readonly value: string;
  readonly before: string;
  readonly giveUpAtMs: number;
}

/** What the input line is for. */
export type Editing =
  | { readonly kind: "edit"; readonly field: string }
  | {
      readonly kind: "wizard";
      readonly field: string;
      /** The label before the conversation; when it is back, the conversation is over. */
      readonly idleLabel: string;
      /** The label that the input line was opened for: another one is another question. */
      readonly question: string;
      readonly answers: number;
      /** "waiting": an answer was sent, and the next question has not arrived. */
      readonly phase: "asking" | "waiting";
      readonly giveUpAtMs: number;
    }
  /** Any action by its key. */
  | { readonly kind: "action" };

export interface AttachNotice {
  readonly level: "info" | "warn" | "error";
  readonly text: string;
}

export type Connection =
  | { readonly phase: "connecting" }
  | { readonly phase: "connected" }
  | { readonly phase: "lost"; readonly retryInMs: number };

export interface AttachState {
  readonly tabs: readonly DaemonTab[];
  readonly sessions: readonly HostedSession[];
  readonly active: TabPlace;
  /** Whether the user chose the tab in front. */
  readonly placedBy: "chance" | "person";
  readonly beforeHelp: TabPlace;
  readonly connection: Connection;
  /** "again": the state changed while it was being loaded. */
  readonly loading: "no" | "yes" | "again";
  readonly pending: ReadonlyMap<string, PendingEdit>;
  /** Keys of actions that were sent and are not known to have ended. */
  readonly running: ReadonlySet<string>;
  readonly editing: Editing | null;
  readonly notice: AttachNotice | null;
  /** Whether the newest line of each handler is shown, or every line. */
  readonly logs: "latest" | "all";
  /** Earlier lines do not count as unread. */
  readonly attachedAtMs: number;
  readonly lastLineId: string | null;
}

export type AttachEvent =
  | { readonly type: "connected" }
  | { readonly type: "disconnected"; readonly retryInMs: number }
  | { readonly type: "state.changed" }
  | { readonly type: "state.loaded"; readonly entries: readonly StateEntry[] | null }
  | { readonly type: "state.failed"; readonly reason: string }
  | { readonly type: "line.logged"; readonly entry: LogEntry }
  | { readonly type: "lines.lost"; readonly entry: LogEntry }
  | { readonly type: "action.taken"; readonly key: string }
  | { readonly type: "action.refused"; readonly key: string; readonly reason: string }
  | { readonly type: "sessions.loaded"; readonly sessions: readonly HostedSession[] }
  /** The time of a `wake-at` has come. */
  | { readonly type: "clock" }
  | AttachIntent;

export type AttachIntent =
  | { readonly type: "tab.step"; readonly by: 1 | -1 }
  | { readonly type: "tab.pick"; readonly index: number }
  | { readonly type: "help.toggle" }
  | { readonly type: "field.step"; readonly by: 1 | -1 }
  | { readonly type: "field.act" }
  | { readonly type: "shortcut.press"; readonly key: string }
  | { readonly type: "action.enter" }
  | { readonly type: "input.submit"; readonly text: string }
  | { readonly type: "input.cancel" }
  | { readonly type: "logs.toggle" }
  | { readonly type: "leave" };

export type AttachEffect =
  | { readonly type: "load-state" }
  | { readonly type: "send-action"; readonly key: string; readonly value: string }
  | { readonly type: "cancel-action"; readonly key: string }
  /** Tells the daemon which of its tabs is in front. */
  | { readonly type: "tell-tab"; readonly title: string }
  | { readonly type: "open-input"; readonly preset: string; readonly hint: string }
  | { readonly type: "read-whole"; readonly title: string; readonly text: string }
  | { readonly type: "wake-at"; readonly atMs: number }
  | { readonly type: "leave" };

export interface AttachStep {
  readonly state: AttachState;
  readonly effects: readonly AttachEffect[];
}

/** Before the first state of the daemon. */
export const NOWHERE: TabPlace = { kind: "daemon", title: "" };

export function attachedAt(nowMs: number): AttachState {
  return {
    tabs: [],
    sessions: [],
    active: NOWHERE,
    placedBy: "chance",
    beforeHelp: NOWHERE,
    connection: { phase: "connecting" },
    loading: "no",
    pending: new Map(),
    running: new Set(),
    editing: null,
    notice: null,
    logs: "latest",
    attachedAtMs: nowMs,
    lastLineId: null,
  };
}

/** The daemon tab in front; null when a session or the help is. */
export function activeTab({ tabs, active }: Pick<AttachState, "tabs" | "active">): DaemonTab | null {
  return (active.kind === "daemon" && tabs.find(({ title }) => title === active.title)) || null;
}

export function focusedField(state: Pick<AttachState, "tabs" | "active">): Field | null {
  const tab = activeTab(state);
  return tab?.fields.find(({ key }) => key === tab.focus) ?? null;
}

export function fieldNamed({ tabs }: Pick<AttachState, "tabs">, key: string): Field | null {
  return tabs.flatMap(({ fields }) => fields).find((field) => field.key === key) ?? null;
}

/** All tabs in their order; the help is the last. */
export function tabPlaces({ tabs, sessions }: Pick<AttachState, "tabs" | "sessions">): TabPlace[] {
  return [
    ...tabs.map(({ title }): TabPlace => ({ kind: "daemon", title })),
    ...sessions.map(({ id }): TabPlace => ({ kind: "session", id })),
    { kind: "help" },
  ];
}

export function isSamePlace(a: TabPlace, b: TabPlace): boolean {
  if (a.kind === "daemon" && b.kind === "daemon") return a.title === b.title;
  if (a.kind === "session" && b.kind === "session") return a.id === b.id;
  return a.kind === "help" && b.kind === "help";
}

type FieldKind = Exclude<HandlerKind, "loggable">;

export interface Field {
  readonly key: string;
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly kind: FieldKind;
  readonly shortcuts: readonly FieldShortcut[];
}

export interface FieldShortcut {
  readonly key: string;
  readonly meaning: string;
}

export interface TabFields {
  readonly title: string;
  readonly fields: readonly Field[];
}

const kindsByNumber: ReadonlyMap<number, HandlerKind> = new Map(
  (Object.keys(handlerTypes) as HandlerKind[]).map((kind) => [handlerTypes[kind], kind]),
);

/** Tabs in the order in which they are first mentioned, each with its fields in the order of registration. */
export function fieldsByTab(entries: readonly StateEntry[]): TabFields[] {
  const tabs = new Map<string, Field[]>();
  for (const entry of entries) {
    const fields = tabs.get(entry.tab_title) ?? [];
    tabs.set(entry.tab_title, fields);
    const kind = kindsByNumber.get(entry.handler_type) ?? "display";
    if (kind !== "loggable") fields.push(fieldOf(entry, kind));
  }
  return [...tabs].map(([title, fields]) => ({ title, fields }));
}

function fieldOf(entry: StateEntry, kind: FieldKind): Field {
  const { tab_title: tab, handler_name: name, label, value, shortcut, shortcuts } = entry;
  return {
    key: shortcut || `${tab}/${name}`,
    name,
    label: label.trim() === "" ? name : label,
    value,
    kind,
    shortcuts: (shortcuts ?? []).flatMap((one) => Object.entries(one).map(([key, meaning]) => ({ key, meaning }))),
  };
}
