// What Claude Code is told on its command line for one prompt, always in the same order. What its stream needs besides is
// added by the link.

export interface ClaudeWishes {
  readonly turnsMax: number | null;
  readonly permissions: "asked" | "skipped";
  readonly session: { readonly resume: string } | "continue" | "new";
  readonly allowedTools: readonly string[];
  /** A file that names the server of this run; null without one. */
  readonly mcpConfigPath: string | null;
}

/** The name under which the agent knows the server of this run. */
export const RUN_SERVER_NAME = "palaver";

export function claudeFlags({ turnsMax, permissions, session, allowedTools, mcpConfigPath }: ClaudeWishes): string[] {
  // Asking the person needs no permission of the person.
  const tools = mcpConfigPath === null ? allowedTools : [...allowedTools, `mcp__${RUN_SERVER_NAME}`];
  return [
    ...(turnsMax === null ? [] : ["--max-turns", String(turnsMax)]),
    ...(permissions === "skipped" ? ["--dangerously-skip-permissions"] : []),
    ...(session === "new" ? [] : session === "continue" ? ["--continue"] : ["--resume", session.resume]),
    ...(tools.length === 0 ? [] : ["--allowedTools", tools.join(",")]),
    ...(mcpConfigPath === null ? [] : ["--mcp-config", mcpConfigPath]),
  ];
}
