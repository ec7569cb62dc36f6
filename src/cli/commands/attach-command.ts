// `palaver attach`: the full-screen view of a daemon, with its tabs, logs and sessions. It finds the daemon of the project,
// or goes to the address it is given, and says in a sentence when nothing is there.
import { type DaemonAddress, DaemonRefusal } from "../../server/client/daemon-client.js";
import { isDumbTerminal } from "../../views/reader/dumb-terminal.js";
import { readArguments } from "../arguments.js";
import { createAttachClient } from "../attach/attach-client.js";
import { seatName } from "../attach/seat-name.js";
import type { Command } from "../command.js";
import { loadConfig } from "../config/load-config.js";
import { settingFlags } from "../config/typed-layers.js";
import { addressOf, type DaemonChoice, noDaemon } from "../daemon-connection.js";
import { exitCodes } from "../exit-codes.js";
import { processClock } from "../process-clock.js";
import { UsageError } from "../usage-error.js";

const help = `palaver attach [URL] [options]

A full-screen view of the daemon of this project: its tabs with what can be
seen, changed and run there, its log as it comes, and the agents it hosts.
Leaving does not stop anything; come back whenever you like.

  URL                a daemon at this address, such as http://127.0.0.1:4100
  --token TOKEN      its token; better in the environment variable
                     PALAVER_TOKEN, where others cannot see it
  --project FOLDER   the daemon of another project (default: the project of this
                     folder)
  --theme T          harbour, ember, moss, paper, dawn, terminal or auto

  tab next tab · ↑↓ log · ←→ fields · enter change or run · / search
  ? all keys and shortcuts · ctrl+c leave; the daemon keeps running

Examples
  palaver attach
  PALAVER_TOKEN=… palaver attach http://127.0.0.1:4100
`;

export const attachCommand: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArguments("attach", args, {
      ...settingFlags,
      project: { type: "string" },
      token: { type: "string" },
    });
    if (positionals.length > 1) throw new UsageError("attach takes one address\n  palaver attach --help");
    const [url] = positionals;
    // From here on it is as if the token had been in the environment.
    if (typeof values["token"] === "string") process.env["PALAVER_TOKEN"] = values["token"];
    const choice: DaemonChoice = {
      url,
      project: typeof values["project"] === "string" ? values["project"] : undefined,
    };
    needTerminal();
    const reading = loadConfig({ flags: values, environment: process.env, folder: process.cwd() });
    const [config, first] = await Promise.all([reading, reached(choice)]);
    const daemon = createAttachClient({
      first,
      clock: processClock,
      name: seatName(),
      tailChars: windowCells(),
      find: () => addressOf(choice).catch(() => null),
    });
    // The daemon is asked already; its answers come while the view is loaded.
    const { openAttach } = await import("../attach/open-attach.js");
    await openAttach(daemon, config).catch((error) => refused(error, first));
    process.stdout.write("You have left; the daemon keeps running. palaver attach comes back, palaver stop ends it.\n");
    return exitCodes.done;
  },
};

function needTerminal(): void {
  if (!process.stdin.isTTY || !process.stdout.isTTY || isDumbTerminal(process.env)) {
    throw new UsageError(
      "attach needs a terminal that it can draw on\n  Without one: palaver state, palaver action, palaver logs -f",
    );
  }
}

const WINDOW_CELLS_MIN = 1_024;

function windowCells(): number {
  const { columns, rows } = process.stdout;
  return Math.max(WINDOW_CELLS_MIN, columns * rows);
}

// The first attempt has to succeed: an address that was mistyped is told at once.
async function reached(choice: DaemonChoice): Promise<DaemonAddress> {
  const address = await addressOf(choice);
  if (address === null) throw new Error(noDaemon(choice));
  return address;
}

function refusal({ status, message }: DaemonRefusal, { url }: DaemonAddress): Error {
  return new Error(`${url} answered ${status}: ${message}`);
}

function refused(error: unknown, address: DaemonAddress): never {
  throw error instanceof DaemonRefusal ? refusal(error, address) : error;
}
