// MCP in a daemon: asks go to its registry, state and actions are those of its handlers, and reports of agents go to its log.
import { enteredAsk } from "../../agents/entered-ask.js";
import type { MessageKind } from "../../contract/daemon.js";
import type { NotifyLevel } from "../../contract/notices.js";
import type { AskRegistry } from "../../host/asks/ask-registry.js";
import type { StatePorts } from "../http/state-routes.js";
import type { LogHub } from "../logs/log-hub.js";
import type { McpAsks, McpDaemon, McpPorts } from "./mcp-ports.js";
import { type McpRoutes, mcpRoutes } from "./mcp-routes.js";

export interface DaemonMcpOptions extends Pick<McpPorts, "version" | "extend" | "limits"> {
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
