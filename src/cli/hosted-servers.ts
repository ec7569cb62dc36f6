// Agents of a daemon are given the same servers of tools as those in a terminal: those of the settings, and one of our own.
// What it asks comes up in the session of its agent, wherever somebody looks at that.

import { awaitedLink } from "../agents/link-relay.js";
import { type OpenAgentLink, openAgentLink } from "../host/hosted-agent.js";
import type { McpServerSetting } from "../session/settings/presets.js";
import { AgentServers } from "./agent-servers.js";

export function hostedAgentOpener(chosen: Readonly<Record<string, McpServerSetting>>): OpenAgentLink {
  return (agent, handlers, resume) => {
    const servers = new AgentServers({ protocol: agent.protocol, chosen, own: "offered" });
    const link = awaitedLink(
      servers.open(handlers, ({ equip, mcpServers }, between) =>
        openAgentLink({ ...agent, command: equip(agent.command) }, { ...between, mcpServers }, resume),
      ),
    );
    void link.exited.then(() => servers.close());
    return link;
  };
}
