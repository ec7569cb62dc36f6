// pi as Palaver starts it: in its RPC mode, whatever else it is told, and with the session that is to go on.

import type { AgentCommand } from "./agent-process.js";
import { openDialectLink, type SessionLink, withoutEffects } from "./dialect-link.js";
import { createPiDialect } from "./dialects/pi/pi-dialect.js";
import type { SessionLinkOptions } from "./session-link.js";

export function openPiLink(command: AgentCommand, options: SessionLinkOptions): SessionLink {
  return openDialectLink(piCommand(command, options), createPiDialect, withoutEffects, options);
}

export function piCommand(command: AgentCommand, { resume }: Pick<SessionLinkOptions, "resume">): AgentCommand {
  const isRpc = command.args.some((arg) => arg === "--mode" || arg.startsWith("--mode="));
  const mode = isRpc ? [] : ["--mode", "rpc"];
  const session = resume === undefined ? [] : ["--session", resume];
  return { ...command, args: [...command.args, ...mode, ...session] };
}
