// MCP servers for an agent, as ACP writes them and as the file that Claude Code reads.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { OWN_SERVER_NAME, type WireName, wireFacts } from "../contract/wire-names.js";
import type { McpServerSetting } from "../session/settings/presets.js";
import { endAfterKill } from "../system/after-kill.js";

export type McpServer = Readonly<Record<string, unknown>> & { readonly name: string };

export function mcpServersOf(chosen: Readonly<Record<string, McpServerSetting>>): McpServer[] {
  return Object.entries(chosen).map(([name, server]) =>
    server.kind === "program"
      ? { name, command: server.command, args: server.args, env: pairs(server.env) }
      : { type: "http", name, url: server.url, headers: pairs(server.headers) },
  );
}

/** An answer may take a day; Claude Code has a shorter default for tool calls. */
const CALL_MS_MAX = 24 * 60 * 60 * 1_000;

export const claudeEnvironment: Readonly<Record<string, string>> = { MCP_TOOL_TIMEOUT: String(CALL_MS_MAX) };

/** The private file for `--mcp-config`, which may hold secrets; null when there is none to write. */
export function writeServerFile(wire: WireName | "detect", servers: readonly McpServer[]): PrivateFile | null {
  if (wireFacts(wire).mcpServers !== "file" || servers.length === 0) return null;
  return writePrivateFile("mcp.json", claudeMcpConfig(servers));
}

/** `alwaysLoad` makes the tools of our own server known to the model from the start. */
function claudeMcpConfig(servers: readonly McpServer[]): string {
  const entries = servers.map(({ name, env, headers, ...server }) => [
    name,
    {
      ...server,
      ...(env === undefined ? {} : { env: table(env) }),
      ...(headers === undefined ? {} : { headers: table(headers) }),
      ...(server["type"] === "http" ? { timeout: CALL_MS_MAX } : {}),
      ...(name === OWN_SERVER_NAME ? { alwaysLoad: true } : {}),
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

// A file for this run alone, readable by its owner only, that no way of ending leaves behind: we remove it when we leave, and
// a shell does when we were killed.
interface PrivateFile {
  readonly path: string;
  remove(): void;
}

export function writePrivateFile(name: string, content: string): PrivateFile {
  const folder = mkdtempSync(resolve(tmpdir(), "palaver-"));
  const path = join(folder, name);
  // The shell is there before the file is.
  const afterKill = endAfterKill(null, [`remove:${folder}`]);
  const remove = () => {
    process.off("exit", remove);
    rmSync(folder, { recursive: true, force: true });
    afterKill.dismiss();
  };
  process.on("exit", remove);
  writeFileSync(path, content, { mode: 0o600, flag: "wx" });
  return { path, remove };
}
