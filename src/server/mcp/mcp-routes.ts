// MCP as routes of a daemon. The library is loaded with the first request, since most daemons never get one.
import * as z from "zod";
import { enteredAsk } from "../../agents/entered-ask.js";
import type { MessageKind } from "../../contract/handler-types.js";
import type { NotifyLevel } from "../../contract/notices.js";
import type { AskRegistry } from "../../host/asks/ask-registry.js";
import { jsonAnswer, type Route, type RouteGroup, type RouteRequest } from "../http/route.js";
import type { StatePorts } from "../http/state-routes.js";
import type { LogHub } from "../logs/log-hub.js";
import type { McpEndpoint } from "./mcp-endpoint.js";
import type { McpAsks, McpDaemon, McpPorts } from "./mcp-ports.js";

export interface McpRoutes {
  readonly routes: RouteGroup;
  /** Null before the first request. */
  endpoint(): McpEndpoint | null;
  /** Withdraws what is asked and ends every stream. */
  close(): Promise<void>;
}

const PATH = "/mcp";

export function mcpRoutes(ports: McpPorts): McpRoutes {
  let loading: Promise<McpEndpoint> | null = null;
  let loaded: McpEndpoint | null = null;
  const endpoint = () => {
    loading ??= import("./mcp-endpoint.js").then(({ createMcpEndpoint }) => {
      loaded = createMcpEndpoint(ports);
      return loaded;
    });
    return loading;
  };
  return {
    routes: [postRoute(endpoint), listenRoute(endpoint), endRoute(endpoint)],
    endpoint: () => loaded,
    close: async () => (await loading)?.close(),
  };
}

type Loading = () => Promise<McpEndpoint>;

function postRoute(endpoint: Loading): Route {
  return {
    method: "POST",
    path: PATH,
    access: "owner",
    summary: "The Model Context Protocol, 2026-07-28 and 2025-11-25; and palaver/state and palaver/action as JSON-RPC",
    body: { schema: z.unknown(), contentTypes: ["application/json"], required: true },
    answers: {
      200: { description: "The answer as JSON, or as a stream that ends with it" },
      202: { description: "A notification was taken" },
      404: { description: "There is no such session, or no such method" },
      406: { description: "The client takes neither JSON nor a stream" },
      413: { description: "The body is too large" },
      415: { description: "The body is not JSON" },
      503: { description: "Too many sessions" },
    },
    async handle(request: RouteRequest) {
      const text = await request.text();
      return (await endpoint()).post(request.raw, text);
    },
  };
}

function listenRoute(endpoint: Loading): Route {
  return {
    method: "GET",
    path: PATH,
    access: "owner",
    summary: "Messages of the server in a session of the 2025-11-25 protocol",
    answers: {
      200: { description: "A stream of messages", contentType: "text/event-stream" },
      404: { description: "There is no such session" },
    },
    async handle({ raw }) {
      if (raw.headers.has("mcp-session-id")) return (await endpoint()).control(raw);
      const error = "GET is for sessions of the 2025-11-25 protocol; send a POST";
      return jsonAnswer({ error }, 405, { allow: "POST" });
    },
  };
}

function endRoute(endpoint: Loading): Route {
  return {
    method: "DELETE",
    path: PATH,
    access: "owner",
    summary: "End a session of the 2025-11-25 protocol",
    answers: { 200: { description: "It ended" }, 404: { description: "There is no such session" } },
    handle: async ({ raw }) => (await endpoint()).control(raw),
  };
}

// For a daemon: asks go to its registry, state and actions are those of its handlers, and reports of agents go to its log.

interface DaemonMcpOptions extends Pick<McpPorts, "version" | "extend" | "limits"> {
  readonly registry: Pick<AskRegistry, "ask" | "withdraw" | "nowMs">;
  readonly state: StatePorts;
  readonly hub: LogHub;
}

const TAB = "AGENTS";

export function daemonMcp({ registry, state, hub, ...rest }: DaemonMcpOptions): McpRoutes {
  const log = (handlerName: string, content: string, kind: MessageKind) =>
    hub.publish({ content, kind, tabTitle: TAB, handlerName });
  return mcpRoutes({
    ...rest,
    asks: mcpAsks(registry),
    nowMs: () => registry.nowMs(),
    daemon: mcpDaemon(state, hub),
    onStatus: ({ client, status, prompt, message }) =>
      log(client, [status, prompt, message].filter(Boolean).join(": "), statusKinds[status]),
    onNotice: ({ client, level, message }) => log(client, message, noticeKinds[level]),
    onFault: (error) => log("mcp", error.message, "debug"),
  });
}

const statusKinds = { needs_input: "info", completed: "success", error: "error" } as const;

const noticeKinds: Readonly<Record<NotifyLevel, MessageKind>> = {
  info: "info",
  warn: "warning",
  error: "error",
  success: "success",
};

function mcpDaemon(state: StatePorts, hub: LogHub): McpDaemon {
  return {
    readState: () => state.readState(),
    act: async (key, value) =>
      state.act === null ? { kind: "refused", reason: "no actions are accepted now" } : state.act(key, value),
    readLogs: ({ linesMax, handler }) =>
      hub.newest(linesMax, (entry) => (handler ?? entry.handler_name) === entry.handler_name),
  };
}

export function mcpAsks(registry: Pick<AskRegistry, "ask" | "withdraw" | "nowMs">): McpAsks {
  return {
    ask: (ask) => registry.ask(enteredAsk(ask, { folder: process.cwd(), performedBy: "agent" })),
    withdraw: (askId, reason) => registry.withdraw({ type: "withdraw", askId, reason, atMs: registry.nowMs() }),
  };
}
