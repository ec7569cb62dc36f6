// State and actions over HTTP: read the handlers of a daemon, and run them.

import { resolve } from "node:path";
import {
  ACTION_WAIT_MS,
  actionParamsSchema,
  actionResultSchema,
  type StateEntry,
  stateSchema,
  tabParamsSchema,
  tabResultSchema,
} from "../../contract/daemon.js";
import { isRecord, parsedJson } from "../../contract/json-value.js";
import { errorMessage } from "../../contract/plain-word.js";
import { problemOf } from "../../contract/schema-problem.js";
import { HeadlessTui } from "../handlers/headless-tui.js";
import { type Tui, TuiError } from "../handlers/tui.js";
import type { ProjectSlot } from "../project/project-slot.js";
import {
  HttpRefusal,
  jsonAnswer,
  type Route,
  type RouteGroup,
  type RouteRequest,
  readJsonBody,
  TextAnswer,
} from "./route.js";

/** The reason is a sentence for the client. "failed": the handler threw. */
export type ActionOutcome =
  | { kind: "taken"; running?: true }
  | { kind: "unknown" }
  | { kind: "refused" | "failed"; reason: string };

export interface ActionOptions {
  readonly by?: ActionCaller;
  /** How long to wait for the handler. */
  readonly waitMs?: number;
}

/** A paired device may not start, stop or quit. */
export type ActionCaller = "owner" | "device";

export interface StatePorts {
  /** Null when nothing provides state. */
  readState(): readonly StateEntry[] | null;
  /** Null when no actions are accepted now. */
  act: ((key: string, value: string, options?: ActionOptions) => Promise<ActionOutcome>) | null;
  /** Esc in a handler's field. */
  cancel(key: string): boolean;
  /** A user opened this tab; false when there is no such tab. */
  showTab(title: string): boolean;
}

const bodyTypes = ["application/json", "application/x-www-form-urlencoded"];

export function stateRoutes(ports: StatePorts): RouteGroup {
  return [stateRoute(ports), actionRoute(ports), tabRoute(ports)];
}

function stateRoute(ports: StatePorts): Route {
  return {
    method: "GET",
    path: "/state",
    summary: "Every handler with its label and value, read now, in the order of registration",
    answers: {
      200: { description: "The state", schema: stateSchema },
      204: { description: "Nothing here provides state" },
    },
    handle() {
      const entries = ports.readState();
      return entries === null ? new TextAnswer(204, "") : jsonAnswer(entries);
    },
  };
}

function actionRoute(ports: StatePorts): Route {
  return {
    method: "POST",
    path: "/action",
    summary: "Change or run a handler, by its name or by one of its shortcuts, and wait until it has finished",
    query: [
      { name: "key", description: "The handler's name, TAB/NAME, or a shortcut" },
      { name: "value", description: "What to change it to" },
      { name: "wait_ms", description: `How long to wait for the handler, in milliseconds (default ${ACTION_WAIT_MS})` },
    ],
    body: { schema: actionParamsSchema, contentTypes: bodyTypes, required: false },
    answers: {
      200: { description: "The handler has finished, or is still running after the wait", schema: actionResultSchema },
      404: { description: "No handler has this key" },
      415: { description: "The body is neither JSON nor a form" },
      422: { description: "The handler failed; the error is its message" },
      503: { description: "No actions are accepted now" },
    },
    async handle(request) {
      const { key, value, intent, waitMs } = await readAction(request);
      if (ports.act === null) throw new HttpRefusal(503, "no actions are accepted now");
      const { act } = ports;
      const by = request.caller.kind === "owner" ? "owner" : "device";
      const isCancelled = intent === "cancel" && ports.cancel(key);
      const outcome = intent === "cancel" ? null : await withinLimits(() => act(key, value, { by, waitMs }));
      if (isCancelled) return jsonAnswer({ applied: key });
      if (outcome?.kind === "taken") return jsonAnswer({ applied: key, ...(outcome.running && { running: true }) });
      if (outcome?.kind === "failed") throw new HttpRefusal(422, outcome.reason);
      if (outcome?.kind === "refused") throw new HttpRefusal(400, outcome.reason);
      throw new HttpRefusal(404, `there is no action ${JSON.stringify(key.slice(0, 80))}`);
    },
  };
}

function tabRoute(ports: StatePorts): Route {
  return {
    method: "POST",
    path: "/tabs/active",
    summary: "A user opened this tab: calls onTabActive of its handlers, once per handler",
    body: { schema: tabParamsSchema },
    answers: {
      200: { description: "The tab exists", schema: tabResultSchema },
      404: { description: "There is no such tab" },
    },
    async handle(request) {
      const { title } = await readJsonBody(request, tabParamsSchema);
      if (ports.showTab(title)) return jsonAnswer({ active: title });
      throw new HttpRefusal(404, `there is no tab ${JSON.stringify(title.slice(0, 80))}`);
    },
  };
}

async function withinLimits(act: () => Promise<ActionOutcome>): Promise<ActionOutcome> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof TuiError && error.code === "overloaded") throw new HttpRefusal(503, error.message);
    throw error;
  }
}

interface ActionRequest {
  readonly key: string;
  readonly value: string;
  readonly intent: "act" | "cancel";
  readonly waitMs: number;
}

// The query, a form or JSON, and the body wins. `curl -d` sends JSON as a form, so the text itself decides.
async function readAction(request: RouteRequest): Promise<ActionRequest> {
  const given = { ...Object.fromEntries(request.url.searchParams), ...fieldsOf(await request.text(), request.headers) };
  const wait = given["wait_ms"] === undefined ? {} : { wait_ms: Number(given["wait_ms"]) };
  const params = actionParamsSchema.safeParse({ key: "", ...given, ...wait, cancel: isTrue(given["cancel"]) });
  if (!params.success) {
    const { where, what } = problemOf(params.error);
    throw new HttpRefusal(400, `${where}: ${what}`);
  }
  const { key, value = "", cancel, wait_ms: waitMs = ACTION_WAIT_MS } = params.data;
  if (key === "") throw new HttpRefusal(400, "an action needs a key");
  return { key, value: String(value), intent: cancel === true ? "cancel" : "act", waitMs };
}

function isTrue(value: unknown): boolean {
  return value === true || value === "true" || value === "1";
}

function fieldsOf(text: string, headers: Headers): Record<string, unknown> {
  if (text.trim() === "") return {};
  const type = headers.get("content-type") ?? "";
  if (text.trimStart().startsWith("{") || /\bjson\b/i.test(type)) return jsonFields(text);
  if (type === "" || /^application\/x-www-form-urlencoded\b/i.test(type)) {
    return Object.fromEntries(new URLSearchParams(text));
  }
  throw new HttpRefusal(415, "an action is JSON, a form, or in the query");
}

function jsonFields(text: string): Record<string, unknown> {
  const value = parsedJson(text);
  if (isRecord(value)) return value;
  const words = 'the body has to be an object such as {"key":"…","value":"…"}';
  throw new HttpRefusal(400, value === undefined ? "the body is not JSON" : words);
}

// The order in which an action is offered: the current project, the daemon's handlers, the program's own keys, then the keys
// that start, stop and quit.
export interface ActionChain {
  readonly tui: Tui | null;
  readonly slot: ProjectSlot | null;
  /** The program's own keys; true when it took one. */
  readonly onAction: ((key: string, value: string) => boolean | Promise<boolean>) | null;
  /** Ends the daemon. */
  readonly quit: () => void;
  readonly onError: (error: unknown) => void;
}

export async function performAction(
  chain: ActionChain,
  key: string,
  value: string,
  { by = "owner", waitMs = ACTION_WAIT_MS }: ActionOptions = {},
): Promise<ActionOutcome> {
  const { tui, slot, onAction } = chain;
  const running = started(slot?.tui, key, value) ?? started(tui, key, value);
  if (running !== null) return finishedWithin(running, waitMs);
  if ((await onAction?.(key, value)) === true) return { kind: "taken" };
  if (by === "device" && LIFECYCLE.includes(key)) return { kind: "refused", reason: `only the owner can ${key} it` };
  return lifecycle(chain, key, value);
}

// Only a HeadlessTui reports when a handler has finished.
function started(tui: Tui | null | undefined, key: string, value: string): Promise<void> | null {
  if (tui instanceof HeadlessTui) return tui.runAction(key, value);
  return tui?.dispatchAction(key, value) === true ? Promise.resolve() : null;
}

async function finishedWithin(running: Promise<void>, waitMs: number): Promise<ActionOutcome> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<ActionOutcome>((resolve) => {
    timer = setTimeout(resolve, waitMs, { kind: "taken", running: true });
  });
  const finished = running.then(
    (): ActionOutcome => ({ kind: "taken" }),
    (error: unknown): ActionOutcome => ({ kind: "failed", reason: errorMessage(error) }),
  );
  return Promise.race([finished, late]).finally(() => clearTimeout(timer));
}

/** The state of the project, then the daemon's own; null when neither provides any. */
export function readStates({ tui, slot }: Pick<ActionChain, "tui" | "slot">): StateEntry[] | null {
  const parts = [slot?.tui?.getHandlerStates() ?? null, tui?.getHandlerStates() ?? null];
  return parts.every((part) => part === null) ? null : parts.flatMap((part) => part ?? []);
}

/** Offers something to the headless surfaces, the project's first; true when one took it. */
export function offer({ tui, slot }: Pick<ActionChain, "tui" | "slot">, give: (tui: HeadlessTui) => boolean): boolean {
  return [slot?.tui, tui].some((surface) => surface instanceof HeadlessTui && give(surface));
}

const LIFECYCLE = ["quit", "start", "restart", "stop"];

async function lifecycle({ slot, quit, onError }: ActionChain, key: string, value: string): Promise<ActionOutcome> {
  if (key === "quit" || (key === "stop" && slot === null)) {
    // After the response has been sent.
    setImmediate(quit);
    return { kind: "taken" };
  }
  if (slot === null) return { kind: "unknown" };
  switch (key) {
    case "start":
      return outcomeOf(slot.start(resolve(value === "" ? (slot.folder ?? ".") : value)));
    case "restart":
      return outcomeOf(slot.restart());
    case "stop":
      slot.stop().catch(onError);
      return { kind: "taken" };
    default:
      return { kind: "unknown" };
  }
}

async function outcomeOf(step: Promise<void>): Promise<ActionOutcome> {
  try {
    await step;
    return { kind: "taken" };
  } catch (error) {
    return { kind: "refused", reason: errorMessage(error) };
  }
}
