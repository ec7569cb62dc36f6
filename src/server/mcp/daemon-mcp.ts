// MCP as a part of a daemon: questions go to its board, state and actions are those of its handlers, and what agents say about
// themselves becomes lines of its log.
import type { LogEntry, MessageKind } from "../../contract/daemon.js";
import type { NotifyLevel } from "../../contract/notices.js";
import type { AskRegistry } from "../../host/asks/ask-registry.js";
import type { StatePorts } from "../http/state-routes.js";
import type { LogHub } from "../logs/log-hub.js";
import { boardDoor } from "./board-door.js";
import type { DaemonDoor, McpPorts } from "./mcp-ports.js";
import { type McpRoutes, mcpRoutes } from "./mcp-routes.js";

export interface DaemonMcpOptions extends Pick<McpPorts, "version" | "extend" | "limits"> {
  readonly board: Pick<AskRegistry, "ask" | "withdraw" | "nowMs">;
  readonly state: StatePorts;
  readonly hub: LogHub;
}

const TAB = "AGENTS";

export function daemonMcp({ board, state, hub, ...rest }: DaemonMcpOptions): McpRoutes {
  const log = (handlerName: string, content: string, kind: MessageKind) =>
    hub.publish({ content, kind, tabTitle: TAB, handlerName });
  return mcpRoutes({
    ...rest,
    asks: boardDoor(board),
    nowMs: () => board.nowMs(),
    daemon: doorOf(state, hub),
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

function doorOf(state: StatePorts, hub: LogHub): DaemonDoor {
  return {
    readState: () => state.readState(),
    act: async (key, value) =>
      state.act === null ? { kind: "refused", reason: "nobody takes actions now" } : state.act(key, value),
    readLogs: ({ linesMax, handler }) => newestOf(hub, linesMax, handler),
  };
}

function newestOf(hub: LogHub, linesMax: number, handler: string | undefined): LogEntry[] {
  const found: LogEntry[] = [];
  for (let seq = hub.endSeq - 1; seq >= hub.firstSeq && found.length < linesMax; seq -= 1) {
    const entry = hub.lineAt(seq)?.entry;
    if (entry !== undefined && (handler ?? entry.handler_name) === entry.handler_name) found.push(entry);
  }
  return found.reverse();
}
