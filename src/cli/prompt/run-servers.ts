// The servers of tools that the agent of one prompt gets: those of the settings, and one of our own through which it asks the
// user. Claude Code reads them from a file, which is private and gone after the run; other agents are told over their wire.
import type { McpAskBridge } from "../../agents/mcp-ask-bridge.js";
import { type McpServer, mcpServersOf, writeServerFile } from "../../agents/mcp-servers.js";
import { OWN_SERVER_NAME, wireFacts } from "../../contract/wire-names.js";
import type { LoadedConfig } from "../config/load-config.js";
import { processClock } from "../process-clock.js";
import type { PromptAgent } from "./prompt-agent.js";

export interface RunServerOptions {
  readonly agent: Pick<PromptAgent, "protocol">;
  /** Whether the agent gets our own. */
  readonly own: "on" | "off";
  readonly chosen: LoadedConfig["settings"]["mcp_servers"];
}

export interface RunServers {
  /** For agents that are told over their wire. */
  readonly mcpServers: readonly McpServer[];
  /** For Claude Code; null when there is nothing to tell. */
  readonly mcpConfigPath: string | null;
  /** Whether our own is among them. */
  readonly own: "on" | "off";
  close(): Promise<void>;
}

export async function openRunServers(bridge: McpAskBridge, wishes: RunServerOptions): Promise<RunServers> {
  const { protocol } = wishes.agent;
  const own = wishes.own === "on" && wireFacts(protocol).mcpServers !== "none" ? await openOwn(bridge) : null;
  const mcpServers = [...mcpServersOf(wishes.chosen), ...(own === null ? [] : [own.acpServer(OWN_SERVER_NAME)])];
  const file = writeServerFile(protocol, mcpServers);
  return {
    mcpServers,
    mcpConfigPath: file?.path ?? null,
    own: own === null ? "off" : "on",
    async close() {
      file?.remove();
      await own?.close();
    },
  };
}

async function openOwn(bridge: McpAskBridge) {
  const { openRunServer } = await import("../../server/mcp/run-server.js");
  return openRunServer({
    version: PALAVER_VERSION,
    asks: bridge,
    nowMs: () => processClock.nowMs(),
    // An agent that needs input asks for it; the ask itself says so.
    onStatus: ({ status, message }) => {
      if (status !== "needs_input") bridge.notify(status === "error" ? "warn" : "info", message ?? status);
    },
    onNotice: ({ level, message }) => bridge.notify(level, message),
  });
}
