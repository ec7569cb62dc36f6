// What Claude Code is told on its command line for one prompt, always in the same order. What its stream needs besides is
// added by the link.

export interface ClaudeOptions {
  readonly turnsMax: number | null;
  readonly permissions: "asked" | "skipped";
  readonly session: { readonly resume: string } | "continue" | "new";
  readonly allowedTools: readonly string[];
  /** A file that names servers of tools; null without one. */
  readonly mcpConfigPath: string | null;
  /** Whether the server of this run is among them. */
  readonly own: "on" | "off";
}

/** The name under which the agent knows the server of this run. */
export const RUN_SERVER_NAME = "palaver";

export function claudeFlags(wishes: ClaudeOptions): string[] {
  const { turnsMax, permissions, session, allowedTools, mcpConfigPath, own } = wishes;
  // Asking the person needs no permission of the person.
  const tools = own === "off" ? allowedTools : [...allowedTools, `mcp__${RUN_SERVER_NAME}`];
  return [
    ...(turnsMax === null ? [] : ["--max-turns", String(turnsMax)]),
    ...(permissions === "skipped" ? ["--dangerously-skip-permissions"] : []),
    ...(session === "new" ? [] : session === "continue" ? ["--continue"] : ["--resume", session.resume]),
    ...(tools.length === 0 ? [] : ["--allowedTools", tools.join(",")]),
    ...(mcpConfigPath === null ? [] : ["--mcp-config", mcpConfigPath]),
  ];
}
