// Servers of tools for an agent: as the Agent Client Protocol writes them, which is how they travel through the links, and as
// the file that Claude Code reads.
import type { McpServerSetting } from "../session/settings/presets.js";

export type McpServer = Readonly<Record<string, unknown>> & { readonly name: string };

export function mcpServersOf(chosen: Readonly<Record<string, McpServerSetting>>): McpServer[] {
  return Object.entries(chosen).map(([name, server]) =>
    server.kind === "program"
      ? { name, command: server.command, args: server.args, env: pairs(server.env) }
      : { type: "http", name, url: server.url, headers: pairs(server.headers) },
  );
}

export type ClaudeMcpOptions = {
  /** How long a call may take. */
  readonly patienceMs: number;
  /** The servers whose tools the model knows from the start; those of the others it has to look for. */
  readonly atHand: readonly string[];
};

/** The content of a file for `--mcp-config`; it may hold secrets. */
export function claudeMcpConfig(servers: readonly McpServer[], { patienceMs, atHand }: ClaudeMcpOptions): string {
  const entries = servers.map(({ name, env, headers, ...server }) => [
    name,
    {
      ...server,
      ...(env === undefined ? {} : { env: table(env) }),
      ...(headers === undefined ? {} : { headers: table(headers) }),
      ...(server["type"] === "http" ? { timeout: patienceMs } : {}),
      ...(atHand.includes(name) ? { alwaysLoad: true } : {}),
    },
  ]);
  return JSON.stringify({ mcpServers: Object.fromEntries(entries) });
}

function pairs(fields: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(fields).map(([name, value]) => ({ name, value }));
}

function table(list: unknown): Record<string, unknown> {
  const entries = Array.isArray(list) ? list : [];
  return Object.fromEntries(entries.map(({ name, value }: { name: string; value: unknown }) => [name, value]));
}
