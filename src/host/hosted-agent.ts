// An agent as a daemon starts and restarts it: its command, its wire, and how it resumes an earlier session. An agent that cannot
// resume starts a new session, and the user is told so.

import type { AgentCommand } from "../agents/agent-process.js";
import type { SessionLink } from "../agents/dialect-link.js";
import { openSessionLink, type SessionLinkOptions } from "../agents/session-link.js";
import { type WireName, wireFacts } from "../contract/wire-names.js";

export interface HostedAgent {
  /** The agent's name; null for a command. */
  readonly name: string | null;
  readonly command: AgentCommand;
  readonly protocol: WireName | "detect";
  /** How it resumes a session: with a command of its wire, from a file (the embedded agent), or not at all. */
  readonly memory: "wire" | "session-file" | "none";
}

export type OpenAgentLink = (
  agent: HostedAgent,
  handlers: Pick<SessionLinkOptions, "onEvent" | "nowMs" | "mcpServers">,
  resume: string | null,
) => SessionLink;

export const openAgentLink: OpenAgentLink = ({ command, protocol, memory }, handlers, resume) => {
  const args = memory === "session-file" && resume !== null ? ["--session-file", resume] : [];
  return openSessionLink(
    { ...command, args: [...command.args, ...args] },
    {
      ...handlers,
      protocol,
      ...(memory === "session-file" ? { performedBy: "palaver" } : {}),
      ...(memory === "wire" && resume !== null ? { resume } : {}),
    },
  );
};

export function memoryOf(protocol: WireName | "detect"): HostedAgent["memory"] {
  return wireFacts(protocol).resume === "none" ? "none" : "wire";
}
