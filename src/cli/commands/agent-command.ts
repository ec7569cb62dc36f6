// `palaver agent`: the built-in agent as a process that speaks the lines wire, for front ends of every kind.
import { offlineAgent } from "../../agent/offline-agent.js";
import { serveLines } from "../../ui/lines-agent.js";
import type { Command } from "../command.js";
import { exitCodes } from "../exit-codes.js";

const help = `palaver agent

The built-in agent: it reads commands from stdin and writes frames to stdout, one JSON object a line, as
docs/protocol.md describes. A line that is not JSON is a prompt. It has no model yet and says so.

Examples
  echo "what is in this folder?" | palaver agent
  palaver conform -- palaver agent
`;

export const agentCommand: Command = {
  help,
  async run() {
    await serveLines({ ...offlineAgent, version: PALAVER_VERSION });
    return exitCodes.done;
  },
};
