// `palaver taste`: something to see without a terminal, a model or a network. A prompt on stdin is answered; without
// one the built-in agent shows itself. It never hangs and never fails.
import { streamFromBuiltInAgent } from "../built-in-agent.js";
import type { Command } from "../command-table.js";
import { exitCodes } from "../exit-codes.js";
import { promptFromStdin } from "../stdin-prompt.js";

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
