// `palaver taste`: something to see without a terminal, a model or a network. A prompt on stdin is answered; without
// one the built-in agent shows itself. It never hangs and never fails.

import { openSessionLink } from "../../agents/session-link.js";
import { PromptRun } from "../../views/mini/prompt-run.js";
import type { Command } from "../command-table.js";
import { type ExitCode, exitCodes } from "../exit-codes.js";
import { keepAsks } from "../keep-asks.js";
import { processClock } from "../process-clock.js";
import { promptConnector } from "../prompt/prompt-connection.js";
import { promptFromStdin } from "../stdin-prompt.js";
import { EMBEDDED } from "./agents-command.js";

const help = `palaver taste

Streams one prompt from stdin through the built-in agent; with no input, a short
taste of what Palaver does. Needs no terminal and no network, and exits with
code 0.

Examples
  palaver taste < /dev/null
  echo "what is in this folder?" | palaver taste
`;

export const command: Command = {
  help,
  async run() {
    await streamFromBuiltInAgent((await promptFromStdin()) ?? "show me a taste");
    process.stderr.write("\nThis was stream mode. For the commands: palaver --help. In a terminal: npm start\n");
    return exitCodes.done;
  },
};

// Streams one prompt through the built-in agent, which runs as a process of its own. It never asks.
export async function streamFromBuiltInAgent(text: string): Promise<ExitCode> {
  const [, script = ""] = process.argv;
  const command = { command: process.execPath, args: [script, "agent", "--unattended"] };
  const run = new PromptRun(
    {
      text,
      output: "text",
      notes: "all",
      records: "json",
      outputs: process.stderr.isTTY && process.stdout.isTTY ? "one-terminal" : "apart",
      schema: null,
      idleTimeoutMs: null,
      timeoutMs: null,
      turnsMax: null,
      beforehand: { everything: "asked", tools: [], rules: [] },
      earlier: [],
      onAsk: "deny",
      openView: null,
      waitingRoom: null,
    },
    {
      clock: processClock,
      connect: promptConnector(
        { name: EMBEDDED, openLink: (handlers) => openSessionLink(command, { ...handlers, performedBy: "palaver" }) },
        { clock: processClock, audit: keepAsks(EMBEDDED, () => []), bridge: null },
      ),
      write: ({ stream, text: words }) => void (stream === "out" ? process.stdout : process.stderr).write(words),
      savePaused: () => null,
    },
  );
  const { end } = await run.start();
  return end === "done" ? exitCodes.done : exitCodes.agentFailed;
}
