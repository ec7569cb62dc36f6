// `palaver logs`: shows or follows the log of the project's daemon.

import { once } from "node:events";
import type { LogEntry } from "../../contract/daemon.js";
import { createDaemonClient } from "../../server/client/daemon-client.js";
import { followLogs, type LogNews } from "../../server/client/log-follower.js";
import { humanDuration } from "../../text/humanize.js";
import { jsonLine } from "../../views/mini/json-line.js";
import { readFlags, wholeNumber } from "../arguments.js";
import type { Command } from "../command-table.js";
import {
  addressOf,
  type DaemonChoice,
  daemonOptions,
  daemonOptionsHelp,
  reachedAddress,
  withDaemon,
} from "../daemon-connection.js";
import { exitCodes } from "../exit-codes.js";
import { logWords } from "../printed.js";

const help = `palaver logs [options]

The newest log lines of the daemon of this project.

  -f, --follow       follow the log, also over restarts of the daemon
  -n, --lines N      how many lines at first (default 50)
  --handler NAME     only lines of this handler
  --json             one JSON object a line
${daemonOptionsHelp}

Examples
  palaver logs -n 200
  palaver logs -f --handler tests
`;

const options = {
  ...daemonOptions,
  follow: { type: "boolean", short: "f", default: false },
  lines: { type: "string", short: "n", default: "50" },
  handler: { type: "string" },
  json: { type: "boolean", default: false },
} as const;

const LINES_MAX = 100_000;

export const command: Command = {
  help,
  async run(args) {
    const values = readFlags("logs", args, options);
    const linesMax = wholeNumber("--lines", values.lines, LINES_MAX);
    const filter = { linesMax, ...(values.handler === undefined ? {} : { handler: values.handler }) };
    const words = values.json ? jsonLine : logWords;
    if (values.follow) await follow(values, filter, words);
    else for (const entry of await withDaemon(values, (client) => client.logs(filter))) await print(words(entry));
    return exitCodes.done;
  },
};

// The first attempt must succeed, so that a mistyped project fails at once. Ends with ctrl+c.
async function follow(
  choice: DaemonChoice,
  filter: { linesMax: number; handler?: string },
  words: (entry: LogEntry) => string,
): Promise<void> {
  await reachedAddress(choice);
  await followLogs({
    filter,
    signal: new AbortController().signal,
    connect: async () => {
      const address = await addressOf(choice);
      return address === null ? null : createDaemonClient(address);
    },
    onNews: (news) => show(news, words),
  });
}

function show(news: LogNews, words: (entry: LogEntry) => string): Promise<void> | undefined {
  if (news.type === "line" || news.type === "lost") return print(words(news.entry));
  if (news.type === "disconnected") {
    process.stderr.write(`the daemon is gone; trying again in ${humanDuration(news.retryInMs)}\n`);
  }
  return undefined;
}

// Waits for a slow reader of our output, so that nothing piles up.
async function print(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, "drain");
}
