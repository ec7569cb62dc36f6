// State and actions over HTTP: what there is to see, and how to act on it from elsewhere.
import {
  actionParamsSchema,
  actionResultSchema,
  type StateEntry,
  stateSchema,
  tabParamsSchema,
  tabResultSchema,
} from "../../contract/daemon.js";
import { TuiError } from "../handlers/tui-error.js";
import { readAction } from "./action-request.js";
import { readJsonBody } from "./json-body.js";
import { HttpRefusal, jsonAnswer, type Route, type RouteGroup, TextAnswer } from "./route.js";

/** What became of an action. A reason is a sentence for whoever asked. */
export type ActionOutcome = { kind: "taken" } | { kind: "unknown" } | { kind: "refused"; reason: string };

export interface StatePorts {
  /** Null when nothing provides state. */
  readState(): readonly StateEntry[] | null;
  /** Null when nobody takes actions now. */
  act: ((key: string, value: string) => Promise<ActionOutcome>) | null;
  /** Esc in a handler's field. */
  cancel(key: string): boolean;
  /** A person looks at this tab now; false when there is none of this title. */
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
    summary: "Change or run a handler, by its name or by one of its shortcuts; does not wait for it",
    query: [
      { name: "key", description: "The handler's name, TAB/NAME, or a shortcut" },
      { name: "value", description: "What to change it to" },
    ],
    body: { schema: actionParamsSchema, contentTypes: bodyTypes, required: false },
    answers: {
      200: { description: "A handler took it", schema: actionResultSchema },
      404: { description: "Nobody knows this key" },
      413: { description: "The body is too large" },
      415: { description: "The body is neither JSON nor a form" },
      503: { description: "Nobody takes actions now" },
    },
    async handle(request) {
      const { key, value, intent } = await readAction(request);
      if (ports.act === null) throw new HttpRefusal(503, "nobody takes actions now");
      const { act } = ports;
      const outcome = intent === "cancel" ? cancelled(ports.cancel(key)) : await withinLimits(() => act(key, value));
      if (outcome.kind === "taken") return jsonAnswer({ applied: key });
      if (outcome.kind === "refused") throw new HttpRefusal(400, outcome.reason);
      throw new HttpRefusal(404, `there is no action ${JSON.stringify(key.slice(0, 80))}`);
    },
  };
}

function tabRoute(ports: StatePorts): Route {
  return {
    method: "POST",
    path: "/tabs/active",
    summary: "A person looks at this tab now: its handlers hear of it, each the first time",
    body: { schema: tabParamsSchema, contentTypes: ["application/json"], required: true },
    answers: {
      200: { description: "The tab is there", schema: tabResultSchema },
      404: { description: "There is no such tab" },
      413: { description: "The body is too large" },
    },
    async handle(request) {
      const { title } = await readJsonBody(request, tabParamsSchema);
      if (ports.showTab(title)) return jsonAnswer({ active: title });
      throw new HttpRefusal(404, `there is no tab ${JSON.stringify(title.slice(0, 80))}`);
    },
  };
}

function cancelled(taken: boolean): ActionOutcome {
  return { kind: taken ? "taken" : "unknown" };
}

async function withinLimits(act: () => Promise<ActionOutcome>): Promise<ActionOutcome> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof TuiError && error.code === "overloaded") throw new HttpRefusal(503, error.message);
    throw error;
  }
}
