// `palaver demo`: a tour of everything in the terminal UI, on the built-in agent, without a model or a network. In a pipe it
// answers the prompt on stdin, or says in a few lines what there is to see. It never hangs and never fails.

import { openSessionLink } from "../../agents/session-link.js";
import { demoText } from "../../builtin/offline/demo-script.js";
import { PromptRun } from "../../views/mini/prompt-run.js";
import type { Command } from "../command-table.js";
import { type ExitCode, exitCodes } from "../exit-codes.js";
import { keepAsks } from "../keep-asks.js";
import { processClock } from "../process-clock.js";
import { promptRuns, type RunRecord } from "../prompt/paused-runs.js";
import { promptConnector } from "../prompt/prompt-connection.js";
import { promptFromStdin } from "../stdin-prompt.js";
import { EMBEDDED } from "./agents-command.js";

const help = `palaver demo

A two-minute tour of the terminal UI: streaming, a diff to approve, a
dangerous command, questions, a plan, a long output, the queue. It needs no
model and no network, and changes only files in a temporary folder. Esc stops it
while it writes, ctrl+c twice quits. In a session of the built-in agent, /demo
does the same.

Without a terminal it answers a prompt from stdin, or prints a short text.

Examples
  palaver demo
  echo "what is in this folder?" | palaver demo
`;

export const command: Command = {
  help,
  async run() {
    if (process.stdin.isTTY && process.stdout.isTTY) {
      const { openBuiltIn } = await import("./run-command.js");
      await openBuiltIn("/demo");
      return exitCodes.done;
    }
    const prompt = await promptFromStdin();
    if (prompt === null) process.stdout.write(demoText);
    else await streamFromBuiltInAgent(prompt);
    process.stderr.write("\nThat was non-interactive mode. In a terminal: palaver. Commands: palaver --help\n");
    return exitCodes.done;
  },
};

// Streams one prompt through the built-in agent, which runs as a process of its own. It never asks.
export async function streamFromBuiltInAgent(text: string): Promise<ExitCode> {
  const [, script = ""] = process.argv;
  const command = { command: process.execPath, args: [script, "agent", "--stream", "--unattended"] };
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
  const { end, sessionId } = await run.start();
  if (sessionId !== null) promptRuns().save(promptRecord(sessionId));
  return end === "done" ? exitCodes.done : exitCodes.agentFailed;
}

// As after palaver prompt: it can be resumed, and is not listed among the sessions with a screen.
function promptRecord(session: string): RunRecord {
  const agent = { agent: EMBEDDED, command: process.execPath, args: ["agent"], protocol: "lines" };
  return { version: 1, session, ...agent, folder: process.cwd(), ask: null, savedAtMs: Date.now() };
}
