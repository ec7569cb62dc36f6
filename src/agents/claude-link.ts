// Claude Code as Palaver starts it: whatever arguments it is given, those that its stream-json needs are there. Which
// session goes on is an argument too; servers of tools come in a file that whoever starts it has written.

import type { AgentCommand } from "./agent-process.js";
import { openDialectLink, type SessionLink, withoutEffects } from "./dialect-link.js";
import { createClaudeDialect } from "./dialects/claude/claude-dialect.js";
import type { SessionLinkOptions } from "./session-link.js";

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

export function claudeCommand(command: AgentCommand, { resume }: Pick<SessionLinkOptions, "resume">): AgentCommand {
  const given = new Set(command.args.map((arg) => otherSpellings.get(arg) ?? arg.split("=")[0]));
  const missing = needed.filter(([flag = ""]) => !given.has(flag)).flat();
  const session = resume === undefined ? [] : ["--resume", resume];
  return { ...command, args: [...command.args, ...missing, ...session] };
}
