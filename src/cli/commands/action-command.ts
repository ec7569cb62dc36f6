// `palaver action`: changes or runs a handler of the project's daemon, by its key.
import { DaemonRefusal } from "../../server/client/daemon-client.js";
import { safeLine } from "../../text/safe.js";
import { readArguments } from "../arguments.js";
import type { Command } from "../command-table.js";
import { daemonOptions, daemonOptionsHelp, withDaemon } from "../daemon-connection.js";
import { exitCodes, UsageError } from "../exit-codes.js";

const help = `palaver action [options] KEY [VALUE]

Changes a handler of the daemon of this project to VALUE, or runs it. KEY is its
name as palaver state shows it, or one of its shortcuts. It does not wait for
what the handler does; palaver logs -f shows that. "quit" ends the daemon. Exit
code 2 when the daemon has no such key.

${daemonOptionsHelp}

Examples
  palaver action Mode production
  palaver action Rebuild
`;

const NOT_FOUND = 404;

export const command: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArguments("action", args, daemonOptions);
    const [key, value = "", ...rest] = positionals;
    if (key === undefined || key === "") throw new UsageError("action needs a key: palaver action Mode production");
    if (rest.length > 0) throw new UsageError('action takes one value; put it in quotes: palaver action Mode "a b"');
    try {
      await withDaemon(values, (client) => client.act(key, value));
    } catch (error) {
      if (!(error instanceof DaemonRefusal) || error.status !== NOT_FOUND) throw error;
      throw new UsageError(`the daemon has no action "${safeLine(key)}"; palaver state lists what it has`);
    }
    return exitCodes.done;
  },
};
