// Claude Code as Palaver starts it: whatever arguments it is given, those that its stream-json needs are there. Which
// session goes on, and which servers of tools it gets, are arguments too.
import { createClaudeDialect } from "../wire/claude/claude-dialect.js";
import type { AgentCommand } from "./agent-process.js";
import { openDialectLink, type SessionLink, withoutEffects } from "./dialect-link.js";
import type { SessionLinkOptions } from "./session-link.js";

type Wishes = Pick<SessionLinkOptions, "resume" | "mcpServers">;

/** Each with its value; `--verbose` is no matter of taste: stream-json is refused without it. */
const needed: readonly (readonly string[])[] = [
  ["--print"],
  ["--input-format", "stream-json"],
  ["--output-format", "stream-json"],
  ["--verbose"],
  ["--include-partial-messages"],
  ["--permission-prompt-tool", "stdio"],
];

const otherSpellings: ReadonlyMap<string, string> = new Map([["-p", "--print"]]);

export function openClaudeLink(command: AgentCommand, options: SessionLinkOptions): SessionLink {
  return openDialectLink(claudeCommand(command, options), createClaudeDialect, withoutEffects, options);
}

export function claudeCommand(command: AgentCommand, { resume, mcpServers = [] }: Wishes): AgentCommand {
  const given = new Set(command.args.map((arg) => otherSpellings.get(arg) ?? arg.split("=")[0]));
  const missing = needed.filter(([flag = ""]) => !given.has(flag)).flat();
  const session = resume === undefined ? [] : ["--resume", resume];
  const servers = mcpServers.length === 0 ? [] : ["--mcp-config", mcpConfig(mcpServers)];
  return { ...command, args: [...command.args, ...missing, ...session, ...servers] };
}

// The Agent Client Protocol writes variables and headers as lists of pairs, Claude as tables.
function mcpConfig(servers: readonly Readonly<Record<string, unknown>>[]): string {
  const entries = servers.map(({ name, env, headers, ...server }) => {
    const tables = {
      ...(env === undefined ? {} : { env: table(env) }),
      ...(headers === undefined ? {} : { headers: table(headers) }),
    };
    return [String(name), { ...server, ...tables }] as const;
  });
  return JSON.stringify({ mcpServers: Object.fromEntries(entries) });
}

function table(pairs: unknown): Record<string, string> {
  if (!Array.isArray(pairs)) return {};
  return Object.fromEntries(pairs.map(({ name, value }: { name: string; value: string }) => [name, value]));
}
