// Streams one prompt through the built-in agent, which runs as a process of its own. It never asks.
import { openSessionLink } from "../agents/session-link.js";
import { PromptRun } from "../views/mini/prompt-run.js";
import { EMBEDDED } from "./commands/agents-command.js";
import { type ExitCode, exitCodes } from "./exit-codes.js";
import { keepAsks } from "./keep-asks.js";
import { processClock } from "./process-clock.js";
import { promptConnector } from "./prompt/prompt-connection.js";

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
