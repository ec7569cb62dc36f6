// What the user does with fields: run one, change one, answer one that asks back, press a shortcut from anywhere. Whatever
// is sent shows at once; nothing is sent that was not finished with Enter.
import {
  type AttachEffect,
  type AttachState,
  type AttachStep,
  type Editing,
  type Field,
  fieldNamed,
  focusedField,
} from "./attach-state.js";

/** So long a value may look as before until it counts as not taken. */
const EDIT_MS_MAX = 5_000;
/** A conversation without news is not over: the user may continue. */
const ANSWER_MS_MAX = 5_000;

export function actedOn(state: AttachState, nowMs: number): AttachStep {
  const field = focusedField(state);
  if (field === null) return { state, effects: [] };
  const fresh = { ...state, notice: null };
  switch (field.kind) {
    case "display":
      return { state: fresh, effects: [{ type: "read-whole", title: field.label, text: field.value }] };
    case "execution":
      return ran(fresh, field.key, field.key);
    case "edit":
      return {
        state: { ...fresh, editing: { kind: "edit", field: field.key } },
        effects: [{ type: "open-input", preset: shownValue(state, field), hint: "" }],
      };
    case "interactive":
      return begunConversation(fresh, field, nowMs);
  }
}

/** What a field shows: what was sent, or what the daemon says. */
export function shownValue({ pending }: Pick<AttachState, "pending">, { key, value }: Field): string {
  return pending.get(key)?.value ?? value;
}

/** The shortcut's tab and field come to the front, so that one sees what it does. */
export function shortcutPressed(state: AttachState, key: string): AttachStep {
  for (const tab of state.tabs) {
    const field = tab.fields.find(({ shortcuts }) => shortcuts.some((shortcut) => shortcut.key === key));
    if (field === undefined) continue;
    const tabs = state.tabs.map((one) => (one === tab ? { ...one, focus: field.key, unread: 0, failures: 0 } : one));
    const active = { kind: "daemon", title: tab.title } as const;
    return ran({ ...state, tabs, active, notice: null }, field.key, key);
  }
  return { state, effects: [] };
}

export function actionEntered(state: AttachState): AttachStep {
  return {
    state: { ...state, editing: { kind: "action" }, notice: null },
    effects: [{ type: "open-input", preset: "", hint: "the key of an action, and a value" }],
  };
}

export function submitted(state: AttachState, text: string, nowMs: number): AttachStep {
  const { editing } = state;
  if (editing === null) return { state, effects: [] };
  if (editing.kind === "action") return namedAction({ ...state, editing: null }, text.trim());
  const field = fieldNamed(state, editing.field);
  if (field === null) return { state: { ...state, editing: null }, effects: [] };
  return editing.kind === "edit" ? edited(state, field, text, nowMs) : answered(state, editing, text, nowMs);
}

/** Nothing typed is sent; the handler gets a cancel. */
export function inputCancelled(state: AttachState): AttachStep {
  const { editing } = state;
  const effects: AttachEffect[] =
    editing === null || editing.kind === "action" ? [] : [{ type: "cancel-action", key: editing.field }];
  return { state: { ...state, editing: null }, effects };
}

function edited(state: AttachState, field: Field, value: string, nowMs: number): AttachStep {
  const closed = { ...state, editing: null };
  if (value === shownValue(state, field)) return { state: closed, effects: [] };
  const giveUpAtMs = nowMs + EDIT_MS_MAX;
  const pending = new Map(state.pending).set(field.key, { value, before: field.value, giveUpAtMs });
  return { state: { ...closed, pending }, effects: sent(field.key, value, giveUpAtMs) };
}

function answered(state: AttachState, editing: Editing & { kind: "wizard" }, text: string, nowMs: number): AttachStep {
  if (editing.phase === "waiting") return { state, effects: [] };
  const giveUpAtMs = nowMs + ANSWER_MS_MAX;
  const next: Editing = { ...editing, phase: "waiting", answers: editing.answers + 1, giveUpAtMs };
  return { state: { ...state, editing: next, notice: null }, effects: sent(editing.field, text, giveUpAtMs) };
}

// An empty value is how a conversation is asked to begin.
function begunConversation(state: AttachState, { key, label, value }: Field, nowMs: number): AttachStep {
  const giveUpAtMs = nowMs + ANSWER_MS_MAX;
  const begun = { field: key, idleLabel: label, question: label, answers: 0, giveUpAtMs };
  const editing: Editing = { kind: "wizard", phase: "waiting", ...begun };
  return {
    state: { ...state, editing },
    effects: [{ type: "open-input", preset: "", hint: value }, ...sent(key, "", giveUpAtMs)],
  };
}

// "Mode production" as after `palaver action`; a key may have blanks itself, and then the longest one that is known is meant.
function namedAction(state: AttachState, text: string): AttachStep {
  if (text === "") return { state, effects: [] };
  const keys = state.tabs.flatMap(({ fields }) =>
    fields.flatMap(({ key, shortcuts }) => [key, ...shortcuts.map((shortcut) => shortcut.key)]),
  );
  const known = keys.filter((key) => text === key || text.startsWith(`${key} `)).sort((a, b) => b.length - a.length);
  const key = known[0] ?? text.split(" ", 1)[0] ?? "";
  return ran(state, key, key, text.slice(key.length).trim());
}

function ran(state: AttachState, field: string, key: string, value = ""): AttachStep {
  return {
    state: { ...state, running: new Set(state.running).add(field) },
    effects: [{ type: "send-action", key, value }],
  };
}

function sent(key: string, value: string, giveUpAtMs: number): AttachEffect[] {
  return [
    { type: "send-action", key, value },
    { type: "wake-at", atMs: giveUpAtMs },
  ];
}
