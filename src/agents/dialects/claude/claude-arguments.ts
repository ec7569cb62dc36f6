// The arguments that Claude Code needs to speak stream-json, whatever else it is given, and the session it resumes. MCP
// servers are not among them: `--mcp-config` names a file, which is written before Claude is started.

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
