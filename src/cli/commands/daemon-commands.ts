// What the project's daemons show, do and log, from a shell: `palaver state`, `action`, `logs` and `stop`.

import { once } from "node:events";
import { ACTION_WAIT_MS, ACTION_WAIT_MS_MAX, hasKey, type LogEntry, type StateEntry } from "../../contract/daemon.js";
import { handlerTypes } from "../../contract/handler-types.js";
import { nearestName } from "../../contract/nearest-name.js";
import { createDaemonClient, type DaemonClient, DaemonRefusal } from "../../server/client/daemon-client.js";
import { followLogs, type LogNews } from "../../server/client/log-follower.js";
import { stopDaemon } from "../../server/project/running-daemon.js";
import { humanDuration } from "../../text/humanize.js";
import { safeLine } from "../../text/safe.js";
import { jsonLine, jsonPage } from "../../views/mini/json-line.js";
import { readArguments, readFlags, secondsOf, wholeNumber } from "../arguments.js";
import type { Command } from "../command-table.js";
import {
  addressOf,
  atDaemon,
  type DaemonChoice,
  daemonOptions,
  daemonOptionsHelp,
  daemonsOf,
  type NamedDaemon,
  noneRuns,
  projectOptions,
  projectOptionsHelp,
  reachedAddresses,
  severalRun,
  withDaemons,
} from "../daemon-connection.js";
import { exitCodes, UsageError } from "../exit-codes.js";
import { logWords, say, tableLines } from "../printed.js";

const stateHelp = `palaver state [options]

Shows the state of this project's daemons: every handler with its key, label
and value, read at this moment.

  --json             the entries as JSON, each with the program of its daemon
${daemonOptionsHelp}

Examples
  palaver state
  palaver state --json | jq -r '.[] | select(.handler_name == "Mode").value'
`;

export const stateCommand: Command = {
  help: stateHelp,
  async run(args) {
    const values = readFlags("state", args, { ...daemonOptions, json: { type: "boolean", default: false } });
    const states = await withDaemons(values, async (client, { program }) => ({
      program,
      entries: await client.state(),
    }));
    process.stdout.write(values.json ? jsonPage(statesJson(states)) : statesWords(states));
    return exitCodes.done;
  },
};

interface DaemonState {
  readonly program: string;
  readonly entries: readonly StateEntry[] | null;
}

function statesJson(states: readonly DaemonState[]): object[] | null {
  if (states.every(({ entries }) => entries === null)) return null;
  return states.flatMap(({ program, entries }) => (entries ?? []).map((entry) => ({ program, ...entry })));
}

//   dev.mjs
//   BUILD
//     Mode      How to build   development
//
//   palaver
//   …
function statesWords(states: readonly DaemonState[]): string {
  if (states.length === 1) return stateWords(states[0]?.entries ?? []);
  return states.map(({ program, entries }) => `${safeLine(program)}\n${stateWords(entries ?? [])}`).join("\n");
}

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

Changes a field of this project's daemon to VALUE, or runs an action, and waits
until it has finished. KEY is its name as palaver state shows it, or one of its
shortcuts. A field needs a VALUE; a shortcut without one is the value itself.
"quit" stops the daemon.

  --wait SECONDS     how long to wait (default 5). After that the handler
                     continues; palaver logs -f follows it
${daemonOptionsHelp}

Exit codes: 0 finished · 1 the handler failed · 2 bad usage, or no daemon or
several have this key · 124 it still runs

Examples
  palaver action Mode production
  palaver action Deploy --wait 600 && ./announce
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
    const [key, value, ...rest] = positionals;
    if (key === undefined || key === "") throw new UsageError("action needs a key: palaver action Mode production");
    if (rest.length > 0) throw new UsageError('action takes one value; put it in quotes: palaver action Mode "a b"');
    const waitMs = Math.min(Math.ceil(secondsOf("--wait", values.wait)), ACTION_WAIT_MS_MAX);
    const act = async (client: DaemonClient) => {
      const problem = value === undefined ? missingValue((await client.state()) ?? [], key) : null;
      if (problem !== null) throw new UsageError(problem);
      return client.act(key, value ?? "", { waitMs });
    };
    const phase = await performedBy(await takersOf(key, await reachedAddresses(values)), key, act);
    if (phase === "finished") return exitCodes.done;
    process.stderr.write(`${safeLine(key)} is still running: palaver logs -f\n`);
    return exitCodes.timedOut;
  },
};

/** Why this key cannot be used alone: a forgotten value would empty the field. */
export function missingValue(entries: readonly StateEntry[], key: string): string | null {
  const field =
    entries.find(({ shortcut }) => shortcut === key) ??
    entries.find(({ tab_title: tab, handler_name: name }) => name === key || `${tab}/${name}` === key);
  if (field?.handler_type !== handlerTypes.edit) return null;
  const shown = safeLine(key);
  return `${shown} is a field and needs a value: palaver action ${shown} VALUE ("" empties it); it is now "${safeLine(field.value)}"`;
}

const LIFECYCLE = ["quit", "start", "restart", "stop"];

// A program may take keys that its state does not show. Every daemon could take the ones that start and stop it.
async function takersOf(key: string, daemons: readonly NamedDaemon[]): Promise<readonly NamedDaemon[]> {
  if (daemons.length < 2) return daemons;
  const states = await Promise.all(daemons.map((daemon) => atDaemon(daemon, (client) => client.state())));
  const owners = daemons.filter((_, index) => (states[index] ?? []).some((entry) => hasKey(entry, key)));
  const programs = (owners.length > 0 ? owners : daemons).map(({ program }) => program);
  if (owners.length > 1 || (owners.length === 0 && LIFECYCLE.includes(key))) {
    throw severalRun(`several daemons have "${safeLine(key)}"`, programs);
  }
  return owners.length === 1 ? owners : daemons;
}

async function performedBy<Result>(
  daemons: readonly NamedDaemon[],
  key: string,
  act: (client: DaemonClient) => Promise<Result>,
): Promise<Result> {
  for (const daemon of daemons) {
    try {
      return await atDaemon(daemon, act);
    } catch (error) {
      if (!(error instanceof DaemonRefusal) || error.status !== NOT_FOUND) throw error;
    }
  }
  const states = await Promise.all(daemons.map((daemon) => atDaemon(daemon, (client) => client.state())));
  throw new UsageError(unknownAction(states, key));
}

export function unknownAction(states: readonly (readonly StateEntry[] | null)[], key: string): string {
  const whose = states.length === 1 ? "the daemon has no" : "no daemon has an";
  const near = nearestName(
    key,
    states.flatMap((entries) => (entries ?? []).map(({ shortcut }) => shortcut)),
  );
  const meant = near === null || near === key ? "" : `; did you mean "${safeLine(near)}"?`;
  const lists = `; palaver state lists ${states.length === 1 ? "its" : "all"} actions`;
  return `${whose} action "${safeLine(key)}"${meant === "" ? lists : meant}`;
}

const logsHelp = `palaver logs [options]

Shows the newest log lines of this project's daemons.

  -f, --follow       follow the log, even across restarts of the daemons that
                     run now
  -n, --lines N      how many lines to start with (default 50)
  --handler NAME     only lines of this handler
  --json             one JSON object a line, with the program of its daemon
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
    const daemons = await reachedAddresses(values);
    const wordsOf = (daemon: NamedDaemon) =>
      lineWords(daemon, values.json ? "json" : daemons.length > 1 ? "named" : "plain");
    if (values.follow) await follow(values, { daemons, filter, wordsOf });
    else for (const text of await newestLines(daemons, filter, wordsOf)) await print(text);
    return exitCodes.done;
  },
};

type LineWords = (entry: LogEntry) => string;

//   12:04:31 dev.mjs/build 3 files
function lineWords({ program }: NamedDaemon, form: "json" | "named" | "plain"): LineWords {
  if (form === "json") return (entry) => jsonLine({ program, ...entry });
  if (form === "plain") return logWords;
  return (entry) => logWords({ ...entry, handler_name: `${program}/${entry.handler_name}` });
}

interface LogFilter {
  readonly linesMax: number;
  readonly handler?: string;
}

async function newestLines(
  daemons: readonly NamedDaemon[],
  filter: LogFilter,
  wordsOf: (daemon: NamedDaemon) => LineWords,
): Promise<string[]> {
  const logs = await Promise.all(daemons.map((daemon) => atDaemon(daemon, (client) => client.logs(filter))));
  const lines = daemons.flatMap((daemon, index) =>
    (logs[index] ?? []).map((entry) => ({ atMs: entry.at_ms ?? 0, text: () => wordsOf(daemon)(entry) })),
  );
  if (daemons.length > 1) lines.sort((one, other) => one.atMs - other.atMs);
  return lines.slice(Math.max(0, lines.length - filter.linesMax)).map(({ text }) => text());
}

interface Following {
  /** Found already, so that a mistyped project fails at once. */
  readonly daemons: readonly NamedDaemon[];
  readonly filter: LogFilter;
  wordsOf(daemon: NamedDaemon): LineWords;
}

// Ends with ctrl+c.
async function follow(choice: DaemonChoice, { daemons, filter, wordsOf }: Following): Promise<void> {
  const signal = new AbortController().signal;
  const whose = (program: string) => (daemons.length > 1 ? ` of ${safeLine(program)}` : "");
  const followed = daemons.map((daemon) =>
    followLogs({
      ...{ filter, signal },
      connect: async () => {
        const address = await addressOf({ ...choice, program: daemon.program });
        return address === null ? null : createDaemonClient(address);
      },
      onNews: (news) => show(news, wordsOf(daemon), whose(daemon.program)),
    }),
  );
  await Promise.all(followed);
}

function show(news: LogNews, words: LineWords, whose: string): Promise<void> | undefined {
  if (news.type === "line" || news.type === "lost") return print(words(news.entry));
  if (news.type === "disconnected") {
    process.stderr.write(`lost the daemon${whose}; reconnecting in ${humanDuration(news.retryInMs)}\n`);
  }
  return undefined;
}

// Waits for a slow reader of our output, so that nothing piles up.
async function print(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, "drain");
}

const stopHelp = `palaver stop [options]

Stops this project's daemon and waits until it has ended. The exit code is 1 if
none is running, and 2 if several are and none is named.

  --all              stop the daemons of all programs in this project
${projectOptionsHelp}

Examples
  palaver stop
  palaver stop --program dev.mjs
  palaver stop --project ~/src/parser
`;

export const stopCommand: Command = {
  help: stopHelp,
  async run(args) {
    const values = readFlags("stop", args, { ...projectOptions, all: { type: "boolean", default: false } });
    const running = await daemonsOf(values);
    if (running.length === 0) throw new Error(noneRuns(values));
    const programs = running.map(({ claims }) => claims.program);
    if (running.length > 1 && !values.all) {
      const { message } = severalRun("several daemons run for this project", programs);
      throw new UsageError(`${message} · all of them: --all`);
    }
    for (const presence of running) {
      const { pid, project } = presence.record;
      if (!(await stopDaemon(presence))) throw new Error(`the daemon did not stop; its process is ${pid}`);
      const whose = running.length > 1 ? ` (${safeLine(presence.claims.program)})` : "";
      say(`The daemon of ${project}${whose} has ended`);
    }
    return exitCodes.done;
  },
};
