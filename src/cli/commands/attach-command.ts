// `palaver attach`: the full-screen view of a daemon, with its tabs, logs and sessions. It finds the daemon of the project,
// or goes to the address it is given, and says in a sentence when nothing is there.

import { readlinkSync } from "node:fs";
import { userInfo } from "node:os";
import { type DaemonAddress, DaemonRefusal } from "../../server/client/daemon-client.js";
import { isDumbTerminal } from "../../views/reader/dumb-terminal.js";
import { readArguments } from "../arguments.js";
import { createAttachClient } from "../attach/attach-client.js";
import type { Command } from "../command-table.js";
import { loadConfig } from "../config/load-config.js";
import { settingFlags } from "../config/typed-layers.js";
import { addressOf, type DaemonChoice, reachedAddress } from "../daemon-connection.js";
import { exitCodes, UsageError } from "../exit-codes.js";
import { processClock } from "../process-clock.js";

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

export const command: Command = {
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
    const [config, first] = await Promise.all([reading, reachedAddress(choice)]);
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

function refused(error: unknown, { url }: DaemonAddress): never {
  throw error instanceof DaemonRefusal ? new Error(`${url} answered ${error.status}: ${error.message}`) : error;
}

/** Such as "ada at pts/3". */
function seatName(): string {
  return `${userName()} at ${terminalName()}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A number without a name, as in some containers.
    return "unknown";
  }
}

// Without a terminal name, the process id distinguishes windows.
function terminalName(): string {
  try {
    return readlinkSync("/proc/self/fd/0").replace(/^\/dev\//, "");
  } catch {
    return `process ${process.pid}`;
  }
}
