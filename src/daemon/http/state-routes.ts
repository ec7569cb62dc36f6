// State and actions over HTTP: what there is to see, and how to act on it from elsewhere.
import { actionParamsSchema, actionResultSchema, type StateEntry, stateSchema } from "../../contract/daemon.js";
import { TuiError } from "../handlers/tui-error.js";
import { readAction } from "./action-request.js";
import { HttpRefusal, jsonAnswer, type RouteGroup } from "./route.js";

/** What became of an action. A reason is a sentence for whoever asked. */
export type ActionOutcome = { kind: "taken" } | { kind: "unknown" } | { kind: "refused"; reason: string };

export interface StatePorts {
  /** Null when nothing provides state. */
  readState(): readonly StateEntry[] | null;
  /** Null when nobody takes actions now. */
  act: ((key: string, value: string) => Promise<ActionOutcome>) | null;
  /** Esc in a handler's field. */
  cancel(key: string): boolean;
}

const bodyTypes = ["application/json", "application/x-www-form-urlencoded"];

export function stateRoutes(ports: StatePorts): RouteGroup {
  return [
    {
      method: "GET",
      path: "/state",
      summary: "Every handler with its label and value, read now, in the order of registration",
      answers: {
        200: { description: "The state", schema: stateSchema },
        204: { description: "Nothing here provides state" },
      },
      handle() {
        const entries = ports.readState();
        return entries === null ? new Response(null, { status: 204 }) : jsonAnswer(entries);
      },
    },
    {
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
    },
  ];
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
