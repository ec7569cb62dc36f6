// Which agents a daemon can start: presets, those in the settings, the embedded one, and plain commands; and how it starts them.

import { awaitedLink } from "../agents/link-relay.js";
import { memoryOf, type OpenAgentLink, openAgentLink } from "../host/hosted-agent.js";
import type { AgentRequestOptions, FoundAgent } from "../host/session-host.js";
import type { McpServerSetting } from "../session/settings/presets.js";
import { AgentServers, equipped } from "./agent-servers.js";
import { EMBEDDED, namedAgent, type OwnAgents } from "./commands/agents-command.js";

export function hostedAgentFinder(own: OwnAgents): (request: AgentRequestOptions) => FoundAgent {
  return ({ agent, command: line = [], protocol }) => {
    if (agent !== undefined) return hosted(agent, own, protocol);
    const [command, ...args] = line;
    if (command === undefined) return { problem: "there is no command" };
    const spoken = protocol ?? "detect";
    return { name: null, command: { command, args }, protocol: spoken, memory: memoryOf(spoken) };
  };
}

function hosted(name: string, own: OwnAgents, asked: AgentRequestOptions["protocol"]): FoundAgent {
  const agent = namedAgent(name, own);
  if ("problem" in agent) return agent;
  const isEmbedded = name === EMBEDDED && !Object.hasOwn(own, name);
  const protocol = isEmbedded ? agent.protocol : (asked ?? agent.protocol);
  return { ...agent, protocol, memory: isEmbedded ? "session-file" : memoryOf(protocol) };
}

/** Hosted agents get the same tool servers as those in a terminal; their asks appear in the session of the agent. */
export function hostedAgentOpener(chosen: Readonly<Record<string, McpServerSetting>>): OpenAgentLink {
  return (agent, handlers, resume) => {
    const servers = new AgentServers({ protocol: agent.protocol, chosen, own: "on" });
    const link = awaitedLink(
      servers.open(handlers, (equipment, between) => {
        const { mcpServers } = equipment;
        return openAgentLink(
          { ...agent, command: equipped(agent.command, equipment) },
          { ...between, mcpServers },
          resume,
        );
      }),
    );
    void link.exited.then(() => servers.close());
    return link;
  };
}
