// What a front end shows around the transcript of one session: whether the agent works, what it says it is doing, status
// fields, widgets, the title, and the queued prompts. Pure; what has to be done about it is an effect.
import { wireErrorCodes } from "../contract/errors.js";
import { isRecord } from "../contract/json-value.js";
import { usageOf } from "../contract/message-parts.js";
import type { WidgetPlacement } from "../contract/notices.js";
import type { SessionEvent } from "../contract/session-events.js";
import { safeLines } from "../text/safe.js";

export type SessionFacts = {
  readonly phase: "starting" | "idle" | "working" | "ended";
  /** Since when it starts or works; null when it does neither. */
  readonly workingSinceMs: number | null;
  /** Since when the user wants the turn to stop; null when not. */
  readonly stoppingSinceMs: number | null;
  readonly workingMessage: string | null;
  readonly model: string | null;
  readonly status: readonly { readonly key: string; readonly text: string }[];
  readonly widgets: readonly Widget[];
  readonly title: string | null;
  readonly plan: PlanEntries;
  /** Commands of the agent's own. */
  readonly commands: AgentCommands;
  /** What the user may choose at the agent: model, mode, options. */
  readonly settings: AgentSettings;
  readonly usage: SessionUsage;
  /** A message of this prompt has said what it cost, so that the sum at the end of the prompt is not added again. */
  readonly isCounted?: boolean;
  /** Prompts sent while the agent was busy, first come first served. */
  readonly queue: readonly string[];
  /** A text that the agent suggests as the next prompt, until the user takes it or the agent withdraws it. */
  readonly suggestion: string | null;
  /** The commands of the lines wire that the agent has; null when it does not say. */
  readonly supports: readonly string[] | null;
  /** Whether the agent takes images. */
  readonly images: boolean;
};

export type Widget = {
  readonly key: string;
  readonly lines: readonly string[];
  readonly placement: WidgetPlacement;
};

export type PlanEntries = Extract<SessionEvent, { type: "plan.changed" }>["entries"];
export type AgentCommands = Extract<SessionEvent, { type: "commands.changed" }>["commands"];
export type AgentSettings = Extract<SessionEvent, { type: "settings.changed" }>["settings"];

/** What the session used so far; a field that was not reported is null and is not shown. */
export type SessionUsage = {
  readonly tokens: number | null;
  readonly cost: number | null;
  readonly context: { readonly used: number; readonly size: number } | null;
};

export type FactsInput =
  | SessionEvent
  | { readonly type: "prompt.submitted"; readonly text: string }
  | { readonly type: "stop.asked" }
  | { readonly type: "queue.removed"; readonly which: Queued }
  /** Queued messages go back to the composer. */
  | { readonly type: "queue.taken-back"; readonly which: Queued }
  /** The user has sent or edited the suggestion. */
  | { readonly type: "suggestion.taken" }
  | { readonly type: "link.opened" }
  | { readonly type: "link.closed" };

/** One queued message is named by its text: its place may change at any time. */
export type Queued = "last" | "all" | { readonly text: string };

export type FactsEffect =
  | { readonly type: "send-prompt"; readonly text: string }
  | { readonly type: "set-title"; readonly title: string }
  /** The text goes before what is written already. */
  | { readonly type: "fill-composer"; readonly text: string };

export type FactsStep = { readonly state: SessionFacts; readonly effects: readonly FactsEffect[] };

/** More waiting prompts than this are refused: they are a mistake. */
const QUEUED_PROMPTS_MAX = 200;
export const QUEUE_FULL_WORDS = "not sent: too many messages are queued";

/** More than an agent needs, and than a user could see. */
const FIELDS_MAX = 64;
/** Every field is looked at with every frame that is drawn, so that a long one would cost its length each time. */
const FIELD_UNITS_MAX = 500;
const WIDGET_LINES_MAX = 64;
const COMPOSER_UNITS_MAX = 1_000_000;
const COMMANDS_MAX = 500;

export const startingFacts: SessionFacts = {
  phase: "starting",
  workingSinceMs: null,
  stoppingSinceMs: null,
  workingMessage: null,
  model: null,
  status: [],
  widgets: [],
  title: null,
  plan: [],
  commands: [],
  settings: [],
  usage: { tokens: null, cost: null, context: null },
  queue: [],
  suggestion: null,
  supports: null,
  images: false,
};

const atRest = { workingSinceMs: null, stoppingSinceMs: null, workingMessage: null } as const;

export function reduceFacts(state: SessionFacts, input: FactsInput, atMs: number): FactsStep {
  switch (input.type) {
    case "link.opened":
      return just({ ...startingFacts, workingSinceMs: atMs, queue: state.queue, usage: state.usage });
    case "link.closed":
      return just({ ...state, ...atRest, phase: "ended" });
    case "agent.readied":
      return next({
        ...state,
        ...atRest,
        phase: "idle",
        model: chosenModel(state.settings, input.model ?? null),
        images: input.images ?? false,
      });
    case "prompt.submitted":
      return submitted(state, input.text, atMs);
    case "prompt.started":
      return just({ ...state, phase: "working", workingSinceMs: state.workingSinceMs ?? atMs, isCounted: false });
    case "prompt.finished": {
      const usage = state.isCounted === true ? state.usage : added(state.usage, input.usage ?? null);
      const idle = { ...state, ...atRest, usage, phase: "idle" } as const;
      // The agent has ended in the middle of its answer: the next prompt is for its successor.
      return input.isCutOff === true ? just(idle) : next(idle);
    }
    case "stop.asked":
      return just(state.phase === "working" ? { ...state, stoppingSinceMs: state.stoppingSinceMs ?? atMs } : state);
    case "command.failed":
      return just(isRefusal(input.code) ? { ...state, stoppingSinceMs: null } : state);
    case "queue.removed":
      return just(unqueued(state, input.which).state);
    case "queue.taken-back":
      return unqueued(state, input.which);
    case "working.changed":
      return just({ ...state, workingMessage: input.message === null ? null : clipped(input.message) });
    case "status.changed": {
      const key = clipped(input.key);
      const field = input.text === null ? null : { key, text: clipped(input.text) };
      return just({ ...state, status: changed(state.status, key, field) });
    }
    case "widget.changed": {
      const key = clipped(input.key);
      const lines = input.lines?.slice(0, WIDGET_LINES_MAX).map(clipped) ?? null;
      const widget = lines === null ? null : { key, lines, placement: input.placement };
      return just({ ...state, widgets: changed(state.widgets, key, widget) });
    }
    case "session.cleared": {
      const { usage, plan, title } = startingFacts;
      return just({ ...state, usage, plan, title });
    }
    case "title.changed":
      return titled(state, clipped(input.title));
    case "editor-text.changed":
      return just({ ...state, suggestion: composable(input.text) });
    case "suggestion.taken":
      return just({ ...state, suggestion: null });
    default:
      return just(reported(state, input));
  }
}

// What the agent says about itself; it changes what is shown and nothing else.
function reported(state: SessionFacts, input: FactsInput): SessionFacts {
  switch (input.type) {
    case "plan.changed":
      return {
        ...state,
        plan: input.entries.slice(0, FIELDS_MAX).map((entry) => ({ ...entry, text: clipped(entry.text) })),
      };
    case "commands.changed":
      return { ...state, commands: input.commands.slice(0, COMMANDS_MAX) };
    case "settings.changed":
      return {
        ...state,
        settings: input.settings.slice(0, FIELDS_MAX),
        model: chosenModel(input.settings, state.model),
      };
    case "usage.changed": {
      const { usage, context } = input;
      const tokens = usage?.total_tokens ?? state.usage.tokens;
      const cost = usage?.cost?.total ?? state.usage.cost;
      const isCounted = usage !== undefined || state.isCounted === true;
      return { ...state, isCounted, usage: { tokens, cost, context: context ?? state.usage.context } };
    }
    case "command.answered":
      return {
        ...state,
        model: configuredModel(state.settings, input.command, input.answer) ?? state.model,
        supports: supportedCommands(input.command, input.answer) ?? state.supports,
        images: state.images || takesImages(input.command, input.answer),
      };
    case "message.finished": {
      const usage = usageOf(input.message);
      return usage === null ? state : { ...state, usage: added(state.usage, usage), isCounted: true };
    }
    default:
      return state;
  }
}

/** How the built-in agent names the model that is none. */
const NO_MODEL = "palaver:offline";

/** The model as front ends show it. */
export function modelWords({ model }: Pick<SessionFacts, "model">): string {
  return model === NO_MODEL ? "no model" : (model ?? "");
}

function supportedCommands(
  command: string,
  { commands, server_capabilities: able }: Readonly<Record<string, unknown>>,
): string[] | null {
  if (command !== "initialized") return null;
  if (!Array.isArray(commands)) return isRecord(able) ? commandsOf(able) : null;
  return commands.slice(0, FIELDS_MAX).filter((name) => typeof name === "string");
}

// It cannot stop, so the end of its turn is no stop.
function isRefusal(code: number | undefined): boolean {
  return code === wireErrorCodes.unknownType || code === wireErrorCodes.notSupported;
}

// An agent on the lines wire has bits. Sessions and `save` have always had theirs; of the others, only a false one says anything.
function commandsOf(able: Readonly<Record<string, unknown>>): string[] {
  return [
    "abort",
    ...["reset", "stats", "debug"].filter((name) => able[`supports_${name}`] !== false),
    ...(able["supports_save"] === true ? ["save"] : []),
    ...(able["supports_sessions"] === true ? ["start_session", "close_session"] : []),
  ];
}

function takesImages(command: string, answer: Readonly<Record<string, unknown>>): boolean {
  const { supports_images } = (answer["server_capabilities"] ?? {}) as { readonly supports_images?: unknown };
  return command === "initialized" && supports_images === true;
}

// An agent on the lines wire tells its model among its other settings.
function configuredModel(
  settings: AgentSettings,
  command: string,
  { config }: Readonly<Record<string, unknown>>,
): string | null {
  if (command !== "config_state" || typeof config !== "object" || config === null) return null;
  const { model } = config as { readonly model?: unknown };
  return typeof model === "string" && model !== "" ? modelLabel(settings, model) : null;
}

function chosenModel(settings: AgentSettings, before: string | null): string | null {
  const model = settings.find(({ kind }) => kind === "model");
  return model === undefined ? before : modelLabel(settings, model.value);
}

function modelLabel(settings: AgentSettings, id: string): string {
  const options = settings.find(({ kind }) => kind === "model")?.options ?? [];
  return options.find(({ value }) => value === id)?.label ?? id;
}

// Either each message reports its own cost, or the end of the prompt reports the cost of all of them; the session has the sum. If one
// part is unknown, there is no sum: a price that is too low is worse than none.
function added(usage: SessionUsage, more: ReturnType<typeof usageOf>): SessionUsage {
  if (more === null) return usage;
  const tokens = more.total_tokens ?? (more.input ?? 0) + (more.output ?? 0);
  const cost = more.cost?.total;
  return {
    ...usage,
    tokens: tokens === 0 ? usage.tokens : (usage.tokens ?? 0) + tokens,
    cost: tokens === 0 ? usage.cost : costWith(usage, cost),
  };
}

function costWith({ tokens, cost }: SessionUsage, more: number | undefined): number | null {
  const isUnknown = more === undefined || (tokens !== null && cost === null);
  return isUnknown ? null : (cost ?? 0) + more;
}

function titled(state: SessionFacts, title: string): FactsStep {
  return { state: { ...state, title }, effects: [{ type: "set-title", title }] };
}

// A suggestion may be sent as the user's own words, so that nothing in it may be out of sight.
function composable(text: string): string | null {
  const lines = safeLines(text.slice(0, COMPOSER_UNITS_MAX)).join("\n").trim();
  return lines === "" ? null : lines;
}

function clipped(text: string): string {
  return text.length > FIELD_UNITS_MAX ? `${text.slice(0, FIELD_UNITS_MAX)}…` : text;
}

function just(state: SessionFacts): FactsStep {
  return { state, effects: [] };
}

// The agent is free: the next prompt that waited has its turn.
function next(state: SessionFacts): FactsStep {
  const [text, ...queue] = state.queue;
  if (text === undefined) return just(state);
  return { state: { ...state, queue, phase: "working" }, effects: [{ type: "send-prompt", text }] };
}

/** The places of these messages in the queue: from the first one up to, but not including, the second. */
export function placesInQueue(queue: readonly string[], which: Queued): readonly [number, number] {
  if (which === "all") return [0, queue.length];
  const at = which === "last" ? queue.length - 1 : queue.indexOf(which.text);
  return [Math.max(0, at), at + 1];
}

// In reverse, because each text is put before the draft: they end up in their order.
function unqueued(state: SessionFacts, which: Queued): FactsStep {
  const { queue } = state;
  const [from, to] = placesInQueue(queue, which);
  const taken = queue.slice(from, to);
  if (taken.length === 0) return just(state);
  const left = queue.toSpliced(from, to - from);
  const effects = taken.toReversed().map((text) => ({ type: "fill-composer", text }) as const);
  return { state: { ...state, queue: left }, effects };
}

function submitted(state: SessionFacts, text: string, atMs: number): FactsStep {
  if (state.phase === "idle") {
    return { state: { ...state, phase: "working", workingSinceMs: atMs }, effects: [{ type: "send-prompt", text }] };
  }
  return just(state.queue.length >= QUEUED_PROMPTS_MAX ? state : { ...state, queue: [...state.queue, text] });
}

function changed<Field extends { readonly key: string }>(
  fields: readonly Field[],
  key: string,
  field: Field | null,
): readonly Field[] {
  if (field === null) return fields.filter((known) => known.key !== key);
  if (fields.some((known) => known.key === key)) return fields.map((known) => (known.key === key ? field : known));
  return fields.length < FIELDS_MAX ? [...fields, field] : fields;
}
