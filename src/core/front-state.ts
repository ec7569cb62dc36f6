// What a front end shows around the transcript of one session: whether the agent works, what it says it is doing, status
// fields, widgets, the title, and the prompts that wait for their turn. Pure; what has to be done about it is an effect.
import type { WidgetPlacement } from "../contract/notices.js";
import type { SessionEvent } from "../contract/session-events.js";

export type FrontState = {
  readonly phase: "starting" | "idle" | "working" | "ended";
  /** Since when it works; null when it does not. */
  readonly workingSinceMs: number | null;
  readonly workingMessage: string | null;
  readonly model: string | null;
  readonly status: ReadonlyMap<string, string>;
  readonly widgets: ReadonlyMap<string, { readonly lines: readonly string[]; readonly placement: WidgetPlacement }>;
  readonly title: string | null;
  /** Prompts sent while the agent was busy, first come first served. */
  readonly queue: readonly string[];
};

export type FrontInput =
  | SessionEvent
  | { readonly type: "prompt.submitted"; readonly text: string }
  | { readonly type: "queue.cleared" }
  | { readonly type: "link.opened" }
  | { readonly type: "link.closed" };

export type FrontEffect =
  | { readonly type: "send-prompt"; readonly text: string }
  | { readonly type: "set-title"; readonly title: string }
  | { readonly type: "set-composer"; readonly text: string };

export type FrontStep = { readonly state: FrontState; readonly effects: readonly FrontEffect[] };

/** More waiting prompts than this are refused: nobody meant to send them. */
const QUEUED_PROMPTS_MAX = 200;

/** More than this an agent does not need, and a person cannot see. */
const FIELDS_MAX = 64;

export const startingFront: FrontState = {
  phase: "starting",
  workingSinceMs: null,
  workingMessage: null,
  model: null,
  status: new Map(),
  widgets: new Map(),
  title: null,
  queue: [],
};

export function reduceFront(state: FrontState, input: FrontInput, atMs: number): FrontStep {
  switch (input.type) {
    case "link.opened":
      return just({ ...startingFront, queue: state.queue });
    case "link.closed":
      return just({ ...state, phase: "ended", workingSinceMs: null, workingMessage: null });
    case "agent.readied":
      return next({ ...state, phase: "idle", model: input.model ?? null });
    case "prompt.submitted":
      return submitted(state, input.text, atMs);
    case "prompt.started":
      return just({ ...state, phase: "working", workingSinceMs: state.workingSinceMs ?? atMs });
    case "prompt.finished":
      return next({ ...state, phase: "idle", workingSinceMs: null, workingMessage: null });
    case "queue.cleared":
      return just({ ...state, queue: [] });
    case "working.changed":
      return just({ ...state, workingMessage: input.message });
    case "status.changed":
      return just({ ...state, status: changed(state.status, input.key, input.text) });
    case "widget.changed": {
      const widget = input.lines === null ? null : { lines: input.lines, placement: input.placement };
      return just({ ...state, widgets: changed(state.widgets, input.key, widget) });
    }
    case "title.changed":
      return { state: { ...state, title: input.title }, effects: [{ type: "set-title", title: input.title }] };
    case "editor-text.changed":
      return { state, effects: [{ type: "set-composer", text: input.text }] };
    default:
      return just(state);
  }
}

function just(state: FrontState): FrontStep {
  return { state, effects: [] };
}

// The agent is free: the next prompt that waited has its turn.
function next(state: FrontState): FrontStep {
  const [text, ...queue] = state.queue;
  if (text === undefined) return just(state);
  return { state: { ...state, queue, phase: "working" }, effects: [{ type: "send-prompt", text }] };
}

function submitted(state: FrontState, text: string, atMs: number): FrontStep {
  if (state.phase === "idle") {
    return { state: { ...state, phase: "working", workingSinceMs: atMs }, effects: [{ type: "send-prompt", text }] };
  }
  return just(state.queue.length >= QUEUED_PROMPTS_MAX ? state : { ...state, queue: [...state.queue, text] });
}

function changed<Value>(map: ReadonlyMap<string, Value>, key: string, value: Value | null): ReadonlyMap<string, Value> {
  const copy = new Map(map);
  if (value === null) copy.delete(key);
  else if (copy.has(key) || copy.size < FIELDS_MAX) copy.set(key, value);
  return copy;
}
