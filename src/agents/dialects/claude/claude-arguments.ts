// The arguments of Claude Code: those that stream-json needs, the session to resume, and the options of one prompt.
import { OWN_SERVER_NAME } from "../../../contract/wire-names.js";

/** Each with its value. Without `--verbose`, stream-json is refused. */
const needed: readonly (readonly string[])[] = [
  ["--print"],
  ["--input-format", "stream-json"],
  ["--output-format", "stream-json"],
  ["--verbose"],
  ["--include-partial-messages"],
  ["--permission-prompt-tool", "stdio"],
];

const otherSpellings: ReadonlyMap<string, string> = new Map([["-p", "--print"]]);

export function claudeArguments(given: readonly string[], { resume }: { readonly resume?: string }): string[] {
  const names = new Set(given.map((arg) => otherSpellings.get(arg) ?? arg.split("=")[0]));
  const missing = needed.filter(([flag = ""]) => !names.has(flag)).flat();
  return [...given, ...missing, ...(resume === undefined ? [] : ["--resume", resume])];
}

export interface ClaudePromptOptions {
  readonly turnsMax: number | null;
  readonly permissions: "asked" | "skipped";
  readonly session: { readonly resume: string } | "continue" | "new";
  readonly allowedTools: readonly string[];
  /** A file that lists MCP servers. */
  readonly mcpConfigPath: string | null;
  /** Whether Palaver's own MCP server is among them. */
  readonly own: "on" | "off";
}

export function claudePromptArguments(options: ClaudePromptOptions): string[] {
  const { turnsMax, permissions, session, allowedTools, mcpConfigPath, own } = options;
  // Asking the user needs no permission.
  const tools = own === "off" ? allowedTools : [...allowedTools, `mcp__${OWN_SERVER_NAME}`];
  return [
    ...(turnsMax === null ? [] : ["--max-turns", String(turnsMax)]),
    ...(permissions === "skipped" ? ["--dangerously-skip-permissions"] : []),
    ...(session === "new" ? [] : session === "continue" ? ["--continue"] : ["--resume", session.resume]),
    ...(tools.length === 0 ? [] : ["--allowedTools", tools.join(",")]),
    ...(mcpConfigPath === null ? [] : ["--mcp-config", mcpConfigPath]),
  ];
}
