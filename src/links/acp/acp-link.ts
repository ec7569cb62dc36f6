// An agent that speaks the Agent Client Protocol, as a running process: its dialect, and the hands for what it may want.
import { resolve } from "node:path";
import { createAcpDialect } from "../../wire/acp/acp-dialect.js";
import type { AcpLimits } from "../../wire/acp/context.js";
import type { AgentCommand } from "../agent-process.js";
import { openDialectLink, type SessionLink } from "../dialect-link.js";
import type { SessionLinkOptions } from "../session-link.js";
import { createAcpPerformer } from "./acp-performer.js";

export function openAcpLink(
  command: AgentCommand,
  options: SessionLinkOptions,
  limits: Partial<AcpLimits> = {},
): SessionLink {
  const { resume, mcpServers } = options;
  const environment = { ...process.env, ...command.env };
  const create = () =>
    createAcpDialect({
      workspace: resolve(command.cwd ?? process.cwd()),
      clientVersion: PALAVER_VERSION,
      command,
      hasVariable: (name) => (environment[name] ?? "") !== "",
      limits,
      ...(resume === undefined ? {} : { resume }),
      ...(mcpServers === undefined ? {} : { mcpServers }),
    });
  return openDialectLink(command, create, createAcpPerformer(), options);
}
