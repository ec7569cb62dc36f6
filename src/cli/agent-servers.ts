// The MCP servers an agent gets: those of the settings, and our own, through which it asks when its wire cannot. Each kind of
// agent gets them in its own way, and what was made for it is removed afterwards.

import type { AgentCommand } from "../agents/agent-process.js";
import type { DialectLinkHandlers, SessionLink } from "../agents/dialect-link.js";
import { McpAskBridge } from "../agents/mcp-ask-bridge.js";
import { claudeEnvironment, type McpServer, mcpServersOf, writeServerFile } from "../agents/mcp-servers.js";
import { OWN_SERVER_NAME, type WireName, wireFacts } from "../contract/wire-names.js";
import type { McpServerSetting } from "../session/settings/presets.js";
import { processClock } from "./process-clock.js";

export interface ServerOptions {
  readonly protocol: WireName | "detect";
  readonly chosen: Readonly<Record<string, McpServerSetting>>;
  /** Whether the agent gets our own server. */
  readonly own: "on" | "off";
}

/** How an agent is started with its servers. */
export interface Equipment {
  /** For agents that get them over their wire. */
  readonly mcpServers: readonly McpServer[];
  /** For Claude Code; null without servers. */
  readonly mcpConfigPath: string | null;
  /** Whether our own is among them. */
  readonly own: "on" | "off";
  /** Brings in the asks of our own server; null without it. */
  readonly bridge: McpAskBridge | null;
}

export class AgentServers {
  private readonly given: ServerOptions;
  private readonly leftovers: (() => void | Promise<void>)[] = [];
  private equipment: Promise<Equipment> | null = null;

  constructor(given: ServerOptions) {
    this.given = given;
  }

  /** What is made for the agent is made when it is first started, and used again when it is started again. */
  prepare(): Promise<Equipment> {
    this.equipment ??= this.make();
    return this.equipment;
  }

  async open<Handlers extends DialectLinkHandlers>(
    handlers: Handlers,
    start: (equipment: Equipment, handlers: Handlers) => SessionLink | Promise<SessionLink>,
  ): Promise<SessionLink> {
    const equipment = await this.prepare();
    const { bridge } = equipment;
    return bridge === null
      ? start(equipment, handlers)
      : bridge.open(handlers, async (between) => start(equipment, between));
  }

  async close(): Promise<void> {
    for (const remove of this.leftovers.splice(0).reverse()) await remove();
  }

  private async make(): Promise<Equipment> {
    const { protocol, chosen } = this.given;
    // An agent on a wire without MCP servers asks over its wire.
    const hasOwn = this.given.own === "on" && wireFacts(protocol).mcpServers !== "none";
    const bridge = hasOwn ? new McpAskBridge() : null;
    const mcpServers = [...mcpServersOf(chosen), ...(bridge === null ? [] : [await this.openOwn(bridge)])];
    const file = writeServerFile(protocol, mcpServers);
    if (file !== null) this.leftovers.push(() => file.remove());
    return { mcpServers, mcpConfigPath: file?.path ?? null, own: hasOwn ? "on" : "off", bridge };
  }

  private async openOwn(bridge: McpAskBridge): Promise<McpServer> {
    const { openRunServer } = await import("../server/mcp/run-server.js");
    const server = await openRunServer({
      version: PALAVER_VERSION,
      asks: bridge,
      nowMs: () => processClock.nowMs(),
      // needs_input raises a question, which shows itself.
      onStatus: ({ status, message }) => {
        if (status !== "needs_input") bridge.notify(status === "error" ? "warn" : "info", message ?? status);
      },
      onNotice: ({ level, message }) => bridge.notify(level, message),
    });
    this.leftovers.push(() => server.close());
    return server.acpServer(OWN_SERVER_NAME);
  }
}

/** The command of an agent that reads its servers from a file. */
export function equipped(command: AgentCommand, { mcpConfigPath, own }: Equipment): AgentCommand {
  if (mcpConfigPath === null) return command;
  // Asking the user needs no permission of the user.
  const allowed = own === "off" ? [] : ["--allowedTools", `mcp__${OWN_SERVER_NAME}`];
  const { args, env } = command;
  return {
    ...command,
    args: [...args, "--mcp-config", mcpConfigPath, ...allowed],
    env: { ...claudeEnvironment, ...env },
  };
}
