// The arguments of Claude Code: those that it needs to speak stream-json, whatever else it is given, the session it resumes,
// and what it is told for one prompt. `--mcp-config` names a file, which is written before Claude is started.
import { OWN_SERVER_NAME } from "../../../contract/wire-names.js";

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
  /** A file that names servers of tools; null without one. */
  readonly mcpConfigPath: string | null;
  /** Whether the server of this run is among them. */
  readonly own: "on" | "off";
}

/** What Claude Code is told for one prompt, always in the same order. */
export function claudePromptArguments(wishes: ClaudePromptOptions): string[] {
  const { turnsMax, permissions, session, allowedTools, mcpConfigPath, own } = wishes;
  // Asking the person needs no permission of the person.
  const tools = own === "off" ? allowedTools : [...allowedTools, `mcp__${OWN_SERVER_NAME}`];
  return [
    ...(turnsMax === null ? [] : ["--max-turns", String(turnsMax)]),
    ...(permissions === "skipped" ? ["--dangerously-skip-permissions"] : []),
    ...(session === "new" ? [] : session === "continue" ? ["--continue"] : ["--resume", session.resume]),
    ...(tools.length === 0 ? [] : ["--allowedTools", tools.join(",")]),
    ...(mcpConfigPath === null ? [] : ["--mcp-config", mcpConfigPath]),
  ];
}
