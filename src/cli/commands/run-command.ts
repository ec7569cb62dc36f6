// `palaver run`: the terminal UI on any agent that speaks the lines wire.
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
  const { openTerminal } = await import("../terminal-ui.js");
  await openTerminal({
    name: agentName([command, ...args]),
    openLink: async (handlers) => {
      const { openSessionLink } = await import("../../links/session-link.js");
      return openSessionLink({ command, args }, handlers);
    },
  });
}

/** What the person would call it: the program, not the interpreter it runs in. */
function agentName(commandLine: readonly string[]): string {
  const words = commandLine.map((word) => word.split("/").at(-1) ?? word);
  if (words[1] === "cli.js" && words[2] === "agent") return "palaver";
  const isInterpreter = /^(?:node|python3?|ruby|bash|sh|deno|bun)$/.test(words[0] ?? "");
  return (isInterpreter ? words[1] : words[0]) ?? "agent";
}
