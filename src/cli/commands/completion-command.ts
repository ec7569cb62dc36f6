// `palaver completion`: prints a script that teaches a shell the commands, flags, agents, settings and themes of Palaver.
import { findProgram } from "../../agents/found-program.js";
import { readArguments } from "../arguments.js";
import { type Command, commandTable } from "../command-table.js";
import { completionTable } from "../completion/completion-table.js";
import { completionScript, shells } from "../completion/shell-scripts.js";
import { readConfig } from "../config/load-config.js";
import { exitCodes, UsageError } from "../exit-codes.js";
import { listAgents, type OwnAgents } from "./agents-command.js";

const help = `palaver completion bash|zsh|fish

Prints a script that completes commands, flags, agents, settings and their
values. Agents of your own are in it as they are now; make it anew after you
named another.

Examples
  palaver completion bash >> ~/.bashrc
  palaver completion zsh >> ~/.zshrc
  mkdir -p ~/.config/fish/completions
  palaver completion fish > ~/.config/fish/completions/palaver.fish
`;

export const command: Command = {
  help,
  async run(args) {
    const { positionals } = readArguments("completion", args, {});
    const shell = shells.find((each) => each === positionals[0]);
    if (shell === undefined || positionals.length > 1) {
      throw new UsageError(`completion needs one shell: ${shells.join(", ")}\n  palaver completion bash >> ~/.bashrc`);
    }
    const commands = await Promise.all(
      commandTable.map(async ({ name, summary, load }) => ({ name, summary, help: (await load()).help })),
    );
    const agents = listAgents(ownAgents(), (name) => findProgram(name, process.env));
    process.stdout.write(completionScript(shell, completionTable({ commands, agents })));
    return exitCodes.done;
  },
};

// Broken settings are ignored here: a starting shell should not print them.
function ownAgents(): OwnAgents {
  try {
    return readConfig({ environment: process.env, folder: process.cwd() }).settings.agents;
  } catch {
    return {};
  }
}
