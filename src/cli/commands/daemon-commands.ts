// What the project's daemon shows, does and logs, from a shell: `palaver state`, `action`, `logs` and `stop`.

import { once } from "node:events";
import { ACTION_WAIT_MS, ACTION_WAIT_MS_MAX, type LogEntry, type StateEntry } from "../../contract/daemon.js";
import { createDaemonClient, DaemonRefusal } from "../../server/client/daemon-client.js";
import { followLogs, type LogNews } from "../../server/client/log-follower.js";
import { stopDaemon } from "../../server/project/running-daemon.js";
import { humanDuration } from "../../text/humanize.js";
import { safeLine } from "../../text/safe.js";
import { jsonLine, jsonPage } from "../../views/mini/json-line.js";
import { readArguments, readFlags, secondsOf, wholeNumber } from "../arguments.js";
import type { Command } from "../command-table.js";
import {
  addressOf,
  type DaemonChoice,
  daemonOptions,
  daemonOptionsHelp,
  noneRuns,
  presenceOf,
  reachedAddress,
  withDaemon,
} from "../daemon-connection.js";
import { exitCodes, UsageError } from "../exit-codes.js";
import { logWords, say, tableLines } from "../printed.js";

const stateHelp = `palaver state [options]

Shows the state of this project's daemon: every handler with its key, label
and value, read at this moment.

  --json             the entries as JSON
${daemonOptionsHelp}

Examples
  palaver state
  palaver state --json | jq -r '.[] | select(.handler_name == "Mode").value'
`;

export const stateCommand: Command = {
  help: stateHelp,
  async run(args) {
    const values = readFlags("state", args, { ...daemonOptions, json: { type: "boolean", default: false } });
    const entries = await withDaemon(values, (client) => client.state());
    process.stdout.write(values.json ? jsonPage(entries) : stateWords(entries ?? []));
    return exitCodes.done;
  },
};

//   BUILD
//     Mode      How to build   development
//     Rebuild   Build again
export function stateWords(entries: readonly StateEntry[]): string {
  const rows = tableLines(
    entries.map(({ shortcut, label, value }) => [shortcut, label, value]),
    "   ",
  );
  let tab: string | null = null;
  let text = "";
  entries.forEach(({ tab_title: title }, index) => {
    if (title !== tab) text += `${safeLine(title)}\n`;
    tab = title;
    text += `  ${rows[index]}\n`;
  });
  return text === "" ? "nothing to show\n" : text;
}

const actionHelp = `palaver action [options] KEY [VALUE]

Changes a handler of this project's daemon to VALUE, or runs it, and waits until
it has finished. KEY is its name as palaver state shows it, or one of its
shortcuts. "quit" stops the daemon. The exit code is 1 if the handler failed,
and 2 if the daemon has no such key.

  --wait SECONDS     how long to wait (default 5). A handler that still runs
                     then continues, and the exit code is 0; palaver logs -f
                     follows it
${daemonOptionsHelp}

Examples
  palaver action Mode production
  palaver action Rebuild
`;

const NOT_FOUND = 404;

export const actionCommand: Command = {
  help: actionHelp,
  async run(args) {
    const { values, positionals } = readArguments("action", args, {
      ...daemonOptions,
      wait: { type: "string", default: String(ACTION_WAIT_MS / 1_000) },
    });
    const [key, value = "", ...rest] = positionals;
    if (key === undefined || key === "") throw new UsageError("action needs a key: palaver action Mode production");
    if (rest.length > 0) throw new UsageError('action takes one value; put it in quotes: palaver action Mode "a b"');
    const waitMs = Math.min(Math.ceil(secondsOf("--wait", values.wait)), ACTION_WAIT_MS_MAX);
    try {
      const phase = await withDaemon(values, (client) => client.act(key, value, { waitMs }));
      if (phase === "running") process.stderr.write(`${safeLine(key)} is still running: palaver logs -f\n`);
    } catch (error) {
      if (!(error instanceof DaemonRefusal) || error.status !== NOT_FOUND) throw error;
      throw new UsageError(`the daemon has no action "${safeLine(key)}"; palaver state lists its actions`);
    }
    return exitCodes.done;
  },
};

const logsHelp = `palaver logs [options]

Shows the newest log lines of this project's daemon.

  -f, --follow       follow the log, even across restarts of the daemon
  -n, --lines N      how many lines to start with (default 50)
  --handler NAME     only lines of this handler
  --json             one JSON object a line
${daemonOptionsHelp}

Examples
  palaver logs -n 200
  palaver logs -f --handler tests
`;

const logsOptions = {
  ...daemonOptions,
  follow: { type: "boolean", short: "f", default: false },
  lines: { type: "string", short: "n", default: "50" },
  handler: { type: "string" },
  json: { type: "boolean", default: false },
} as const;

const LINES_MAX = 100_000;

export const logsCommand: Command = {
  help: logsHelp,
  async run(args) {
    const values = readFlags("logs", args, logsOptions);
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
    process.stderr.write(`lost the daemon; reconnecting in ${humanDuration(news.retryInMs)}\n`);
  }
  return undefined;
}

// Waits for a slow reader of our output, so that nothing piles up.
async function print(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, "drain");
}

const stopHelp = `palaver stop [options]

Stops this project's daemon and waits until it has ended. The exit code is 1 if
none is running.

  --project FOLDER   the daemon of another project (default: the project of this
                     folder)

Examples
  palaver stop
  palaver stop --project ~/src/parser
`;

export const stopCommand: Command = {
  help: stopHelp,
  async run(args) {
    const values = readFlags("stop", args, { project: { type: "string" } });
    const presence = await presenceOf(values);
    if (presence.kind !== "running") throw new Error(noneRuns(values));
    const { pid, project } = presence.record;
    if (!(await stopDaemon(presence))) throw new Error(`the daemon did not stop; its process is ${pid}`);
    say(`The daemon of ${project} has ended`);
    return exitCodes.done;
  },
};
