// `palaver run`: the terminal UI on any agent that speaks the lines wire.
import { runInTerminal } from "../../tui/app/run-in-terminal.js";
import type { Command } from "../command.js";
import { exitCodes } from "../exit-codes.js";
import { UsageError } from "../usage-error.js";

const help = `palaver run -- <command…>

Opens the terminal UI on an agent that speaks the lines wire (docs/protocol.md). What is settled goes to the
terminal's own scrollback; the live lines below it are yours to type in.

  enter send · shift+enter new line · esc stop · ctrl+c clear, twice leave · /help commands

Examples
  palaver run -- python3 my-agent.py
  palaver run -- palaver agent
`;

export const runCommand: Command = {
  help,
  async run(args) {
    const dashes = args.indexOf("--");
    const [command, ...agentArgs] = dashes < 0 ? args : args.slice(dashes + 1);
    if (command === undefined) throw new UsageError("run needs an agent: palaver run -- python3 my-agent.py");
    await openUi(command, agentArgs);
    return exitCodes.done;
  },
};

/** Palaver with no arguments: the UI on the agent that is always there. */
export function openUiOnBuiltInAgent(): Promise<void> {
  const [, script = ""] = process.argv;
  return openUi(process.execPath, [script, "agent"]);
}

async function openUi(command: string, args: readonly string[]): Promise<void> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new UsageError('the terminal UI needs a terminal on stdin and stdout; without one: echo "…" | palaver');
  }
  const printWarnings = keepWarnings();
  await runInTerminal(
    { command, args },
    {
      input: process.stdin,
      output: process.stdout,
      events: process,
      environment: process.env,
      folder: process.cwd(),
      clock: {
        nowMs: () => performance.now(),
        after(delayMs, run) {
          const timer = setTimeout(run, Math.min(delayMs, DELAY_MS_MAX));
          return () => clearTimeout(timer);
        },
      },
    },
  );
  printWarnings();
}

/** A longer delay overflows the platform's timer and would end at once. */
const DELAY_MS_MAX = 2 ** 31 - 1;

// Node writes its warnings straight to stderr, into the middle of the screen. They wait until the screen is gone.
function keepWarnings(): () => void {
  const kept: string[] = [];
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) => kept.push(`${name}: ${message}`));
  return () => {
    for (const warning of kept) process.stderr.write(`${warning}\n`);
  };
}
