// Which agents a daemon can start for its owner: those that Palaver knows by name, those the owner has named in the settings, the
// embedded one, and commands as they stand.

import { memoryOf } from "../host/hosted-agent.js";
import type { AgentRequestOptions, FoundAgent } from "../host/session-host.js";
import { type OwnAgents, presetNamed } from "./commands/agents-command.js";

/** The agent that is always there. */
const EMBEDDED = "palaver";

export function hostedAgentFinder(own: OwnAgents): (wish: AgentRequestOptions) => FoundAgent {
  return ({ agent, command: line = [], protocol }) => {
    if (agent !== undefined) return named(agent, own, protocol);
    const [command, ...args] = line;
    if (command === undefined) return { problem: "there is no command" };
    const spoken = protocol ?? "detect";
    return { name: null, command: { command, args }, protocol: spoken, memory: memoryOf(spoken) };
  };
}

function named(name: string, own: OwnAgents, wished: AgentRequestOptions["protocol"]): FoundAgent {
  const preset = presetNamed(name, own);
  if ("found" in preset) {
    const { command, args, env } = preset.found;
    const protocol = wished ?? preset.found.protocol ?? "detect";
    return { name, command: { command, args, env: { ...env } }, protocol, memory: memoryOf(protocol) };
  }
  if (name === EMBEDDED) {
    const [, script = ""] = process.argv;
    const command = { command: process.execPath, args: [script, "agent"] };
    return { name, command, protocol: "lines", memory: "session-file" };
  }
  const hint = preset.nearest === null ? "palaver agents lists them" : `did you mean "${preset.nearest}"?`;
  return { problem: `there is no agent "${name}"; ${hint}` };
}
