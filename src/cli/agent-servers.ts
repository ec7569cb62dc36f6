// The MCP servers an agent gets: those of the settings, and our own, through which it asks when its wire cannot. Each kind of
// agent gets them in its own way, and what was made for it is removed afterwards.

import type { AgentCommand } from "../agents/agent-process.js";
import type { DialectLinkHandlers, SessionLink } from "../agents/dialect-link.js";
import { McpAskBridge } from "../agents/mcp-ask-bridge.js";
import { claudeEnvironment, type McpServer, mcpServersOf, writeServerFile } from "../agents/mcp-servers.js";
import { OWN_SERVER_NAME, type WireName, wireFacts } from "../contract/wire-names.js";
import type { McpServerSetting } from "../session/settings/presets.js";
import type { LoadedConfig } from "./config/load-config.js";
import { processClock } from "./process-clock.js";
import type { PromptAgent } from "./prompt/prompt-agent.js";

export interface ServerOptions {
  readonly protocol: WireName | "detect";
  readonly chosen: Readonly<Record<string, McpServerSetting>>;
  /** Whether the agent gets our own server. */
  readonly own: "offered" | "off";
}

/** How an agent is started with its servers. */
export interface Equipment {
  equip(command: AgentCommand): AgentCommand;
  readonly mcpServers: readonly McpServer[];
}

export class AgentServers {
  private readonly given: ServerOptions;
  private readonly bridge = new McpAskBridge();
  private readonly leftovers: (() => void | Promise<void>)[] = [];
  private equipment: Promise<Equipment> | null = null;

  constructor(given: ServerOptions) {
    this.given = given;
  }

  /** What is made for the agent is made when it is first started, and used again when it is started again. */
  open<Handlers extends DialectLinkHandlers>(
    handlers: Handlers,
    start: (equipment: Equipment, handlers: Handlers) => SessionLink | Promise<SessionLink>,
  ): Promise<SessionLink> {
    this.equipment ??= this.prepare();
    const { equipment } = this;
    return this.bridge.open(handlers, async (between) => start(await equipment, between));
  }

  async close(): Promise<void> {
    for (const remove of this.leftovers.splice(0).reverse()) await remove();
  }

  private async prepare(): Promise<Equipment> {
    const { protocol, chosen } = this.given;
    const own = await this.openOwn();
    const mcpServers = [...mcpServersOf(chosen), ...own];
    const file = writeServerFile(protocol, mcpServers);
    if (file === null) return { mcpServers, equip: (command) => command };
    this.leftovers.push(() => file.remove());
    // Asking the person needs no permission of the person.
    const allowed = own.length === 0 ? [] : ["--allowedTools", `mcp__${OWN_SERVER_NAME}`];
    return {
      mcpServers,
      equip: ({ args, env, ...command }) => ({
        ...command,
        args: [...args, "--mcp-config", file.path, ...allowed],
        env: { ...claudeEnvironment, ...env },
      }),
    };
  }

  // An agent on a wire without MCP servers asks over its wire.
  private async openOwn(): Promise<McpServer[]> {
    const { protocol, own } = this.given;
    if (own === "off" || wireFacts(protocol).mcpServers === "none") return [];
    const { openRunServer } = await import("../server/mcp/run-server.js");
    const server = await openRunServer({
      version: PALAVER_VERSION,
      asks: this.bridge,
      nowMs: () => performance.now(),
      onStatus: ({ status, message }) => this.bridge.notify(status === "error" ? "warn" : "info", message ?? status),
      onNotice: ({ level, message }) => this.bridge.notify(level, message),
    });
    this.leftovers.push(() => server.close());
    return [server.acpServer(OWN_SERVER_NAME)];
  }
}

interface RunServerOptions {
  readonly agent: Pick<PromptAgent, "protocol">;
  /** Whether the agent gets our own. */
  readonly own: "on" | "off";
  readonly chosen: LoadedConfig["settings"]["mcp_servers"];
}

interface RunServers {
  /** For agents that get them over their wire. */
  readonly mcpServers: readonly McpServer[];
  /** For Claude Code; null without servers. */
  readonly mcpConfigPath: string | null;
  /** Whether our own is among them. */
  readonly own: "on" | "off";
  close(): Promise<void>;
}

export async function openRunServers(bridge: McpAskBridge, given: RunServerOptions): Promise<RunServers> {
  const { protocol } = given.agent;
  const own = given.own === "on" && wireFacts(protocol).mcpServers !== "none" ? await openOwn(bridge) : null;
  const mcpServers = [...mcpServersOf(given.chosen), ...(own === null ? [] : [own.acpServer(OWN_SERVER_NAME)])];
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
  const { openRunServer } = await import("../server/mcp/run-server.js");
  return openRunServer({
    version: PALAVER_VERSION,
    asks: bridge,
    nowMs: () => processClock.nowMs(),
    // needs_input raises a question, which shows itself.
    onStatus: ({ status, message }) => {
      if (status !== "needs_input") bridge.notify(status === "error" ? "warn" : "info", message ?? status);
    },
    onNotice: ({ level, message }) => bridge.notify(level, message),
  });
}
