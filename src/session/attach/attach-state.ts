// Everything the attached view knows, as one value: tabs with their fields and logs, which of them is in front, what the
// person is doing with a field, what was sent and is not settled yet, and how the connection is.
import type { LogEntry, StateEntry } from "../../contract/daemon.js";
import type { Field } from "./field.js";
import type { LogState } from "./log-state.js";

export interface DaemonTab {
  readonly title: string;
  readonly fields: readonly Field[];
  /** The key of the field that has the focus; null for a tab without fields. */
  readonly focus: string | null;
  readonly book: LogState;
  /** Lines that came while another tab was in front, and how many of them told of a failure. */
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

/** A value that was sent and shows already; `before` comes back when it is refused. */
export interface PendingEdit {
  readonly value: string;
  readonly before: string;
  readonly giveUpAtMs: number;
}

/** What the line that the person types in is for. */
export type Editing =
  | { readonly kind: "edit"; readonly field: string }
  | {
      readonly kind: "wizard";
      readonly field: string;
      /** What the field was called before the conversation began: when it is called so again, the conversation is over. */
      readonly idleLabel: string;
      readonly answers: number;
      /** "waiting": an answer was sent, and the next question is not known yet. */
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
  /** Whether the person went to the tab in front himself, or merely found it there. */
  readonly placedBy: "chance" | "person";
  /** Where the person was before he asked for help. */
  readonly beforeHelp: TabPlace;
  readonly connection: Connection;
  /** "again": something changed while the state was on its way. */
  readonly loading: "no" | "yes" | "again";
  readonly pending: ReadonlyMap<string, PendingEdit>;
  /** Keys of actions that were sent and have not ended, as far as one can know. */
  readonly running: ReadonlySet<string>;
  readonly editing: Editing | null;
  readonly notice: AttachNotice | null;
  /** Whether a handler's newest line stands for it, or every line is shown. */
  readonly logs: "latest" | "all";
  /** Lines from before this moment are nobody's unread ones. */
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
  /** A moment that was asked for has come. */
  | { readonly type: "clock" }
  | AttachIntent;

/** What the person wants. */
export type AttachIntent =
  | { readonly type: "tab.step"; readonly by: 1 | -1 }
  | { readonly type: "tab.pick"; readonly index: number }
  | { readonly type: "help.toggle" }
  | { readonly type: "field.step"; readonly by: 1 | -1 }
  | { readonly type: "field.act" }
  | { readonly type: "shortcut.press"; readonly key: string }
  | { readonly type: "action.wish" }
  | { readonly type: "input.submit"; readonly text: string }
  | { readonly type: "input.cancel" }
  | { readonly type: "logs.toggle" }
  | { readonly type: "leave" };

export type AttachEffect =
  | { readonly type: "load-state" }
  | { readonly type: "send-action"; readonly key: string; readonly value: string }
  | { readonly type: "cancel-action"; readonly key: string }
  /** Another tab of the daemon's is in front now, which its handlers may want to know. */
  | { readonly type: "tell-tab"; readonly title: string }
  /** The person gets an empty line to type in, or one with this in it. */
  | { readonly type: "open-input"; readonly preset: string; readonly hint: string }
  | { readonly type: "read-whole"; readonly title: string; readonly text: string }
  | { readonly type: "wake-at"; readonly atMs: number }
  | { readonly type: "leave" };

export interface AttachStep {
  readonly state: AttachState;
  readonly effects: readonly AttachEffect[];
}

/** Before anything is known of the daemon. */
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
