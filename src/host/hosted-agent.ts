// An agent as a daemon can start it, and start it again: its command, its wire, and how it is told to go on with a session that
// it had before. An agent that cannot be told begins anew, and the person is told that instead.

import type { AgentCommand } from "../agents/agent-process.js";
import type { SessionLink } from "../agents/dialect-link.js";
import { openSessionLink, type SessionLinkOptions } from "../agents/session-link.js";
import { type WireName, wireFacts } from "../contract/wire-names.js";

export interface HostedAgent {
  /** The name it is known by; null for a command of one's own. */
  readonly name: string | null;
  readonly command: AgentCommand;
  readonly protocol: WireName | "detect";
  /** How it goes on with a session: its wire has a word for it, the embedded agent has a file, others cannot. */
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
  return wireFacts(protocol).canResume ? "wire" : "none";
}
