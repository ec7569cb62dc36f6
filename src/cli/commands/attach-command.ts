// `palaver attach`: the full-screen view of a daemon, with its tabs, logs and sessions. It finds the daemon of the project,
// or goes to the address it is given, and says in a sentence when nothing is there.
import { readlinkSync } from "node:fs";
import { askDaemonForJson, type JsonAnswer, refusalWords } from "../../agents/remote/daemon-request.js";
import { type Ask, type AskOutcome, askSchema } from "../../contract/asks.js";
import { type StateEntry, stateSchema } from "../../contract/daemon.js";
import { hostedSessionSchema } from "../../contract/hosted-sessions.js";
import { objectOf } from "../../contract/json-value.js";
import { RemoteSession } from "../../host/remote-session.js";
import { createDaemonClient, type DaemonAddress, DaemonRefusal } from "../../server/client/daemon-client.js";
import { followLogs } from "../../server/client/log-follower.js";
import type { HostedSession } from "../../session/attach/attach-state.js";
import { THEME_NAMES } from "../../text/look.js";
import type { AttachDaemon } from "../../views/attach/attach-daemon.js";
import { isDumbTerminal } from "../../views/reader/dumb-terminal.js";
import { readArguments } from "../arguments.js";
import type { Command } from "../command-table.js";
import { type LoadedConfig, loadConfig } from "../config/load-config.js";
import { settingFlags } from "../config/typed-layers.js";
import {
  accountName,
  addressOf,
  type DaemonChoice,
  type NamedDaemon,
  projectOptions,
  projectOptionsHelp,
  reachedAddresses,
} from "../daemon-connection.js";
import { type ExitCode, exitCodes, UsageError } from "../exit-codes.js";
import { hubOptions, withHub } from "../hub-connection.js";
import { processClock } from "../process-clock.js";

const help = `palaver attach [URL] [options]

Opens a full-screen view of this project's daemons: their tabs with everything
you can see, change and run there, the live log, and the agents they host.
Quitting stops nothing; attach again at any time.

  URL                a daemon at this address, such as http://127.0.0.1:4100
  --token TOKEN      its token; better in the environment variable
                     PALAVER_TOKEN, where others cannot see it
${projectOptionsHelp}
  --hub [URL]        instead of a daemon: questions and sessions of all machines
                     at the hub of a team; you answer in your own name
  --theme T          ${THEME_NAMES.join(", ")}, terminal or auto

  tab next tab · ↑↓ log · ←→ fields · enter change or run · / search
  ? all keys and shortcuts · ctrl+c quit; the daemon keeps running
  In a session ctrl+c stops the agent first; ctrl+d quits.

Examples
  palaver attach
  PALAVER_TOKEN=… palaver attach http://127.0.0.1:4100
  palaver attach --hub
`;

export const command: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArguments("attach", args, {
      ...settingFlags,
      ...hubOptions,
      ...projectOptions,
      token: { type: "string" },
    });
    if (positionals.length > 1) throw new UsageError("attach takes one address\n  palaver attach --help");
    const [url] = positionals;
    const { hub } = values;
    if (typeof hub === "string") {
      if (url !== undefined) throw new UsageError("attach takes the address of a daemon, or --hub");
      return attachToHub(hub, loadConfig({ flags: values, environment: process.env, folder: process.cwd() }));
    }
    // From here on it is as if the token had been in the environment.
    if (typeof values["token"] === "string") process.env["PALAVER_TOKEN"] = values["token"];
    const choice: DaemonChoice = {
      url,
      project: textOf(values["project"]),
      program: textOf(values["program"]),
    };
    needTerminal();
    const reading = loadConfig({ flags: values, environment: process.env, folder: process.cwd() });
    const [config, found] = await Promise.all([reading, reachedAddresses(choice)]);
    const daemon = await daemonOf(found, choice);
    // The daemon is asked already; its answers come while the view is loaded.
    const { openAttach } = await import("../attach/open-attach.js");
    await openAttach(daemon, config).catch((error) => refused(error, found[0]));
    const what = found.length > 1 ? "the daemons keep running" : "the daemon keeps running";
    process.stdout.write(
      `Detached; ${what}. palaver attach returns, palaver stop ends ${found.length > 1 ? "one" : "it"}.\n`,
    );
    return exitCodes.done;
  },
};

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

async function daemonOf(found: readonly [NamedDaemon, ...NamedDaemon[]], choice: DaemonChoice): Promise<AttachDaemon> {
  const [one, ...others] = found.map((first) => {
    const { program } = first;
    const find = () => addressOf({ ...choice, program }).catch(() => null);
    const seat = { clock: processClock, name: seatName(), tailChars: windowCells() };
    return { program, daemon: createAttachClient({ first, find, ...seat }) };
  });
  if (one === undefined) throw new Error("there is no daemon");
  if (others.length === 0) return one.daemon;
  const { daemonsAsOne } = await import("../attach/several-daemons.js");
  return daemonsAsOne([one, ...others]);
}

async function attachToHub(hub: string, config: LoadedConfig): Promise<ExitCode> {
  needTerminal();
  await withHub(hub, async (at) => {
    const { createHubClient } = await import("../attach/hub-client.js");
    const { openAttach } = await import("../attach/open-attach.js");
    await openAttach(createHubClient({ ...at, clock: processClock }), config);
  });
  process.stdout.write("Detached; every open question stays at the hub. palaver attach --hub returns to it.\n");
  return exitCodes.done;
}

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
  return `${accountName()} at ${terminalName()}`;
}

// Without a terminal name, the process id distinguishes windows.
function terminalName(): string {
  try {
    return readlinkSync("/proc/self/fd/0").replace(/^\/dev\//, "");
  } catch {
    return `process ${process.pid}`;
  }
}

// The daemon behind the attached view, over HTTP. An invalid entry is skipped, not an error. After a loss the daemon is looked
// up again, because it may have another address.
export interface AttachClientOptions {
  /** Where the daemon is now; null when it is not there. */
  find(): Promise<DaemonAddress | null>;
  /** Where it was first. */
  readonly first: DaemonAddress;
  /** The clock of the view, on which questions have their deadlines. */
  readonly clock: { nowMs(): number };
  /** What this front end is called where others see it. */
  readonly name: string;
  /** How much of the end of a session is wanted at once; the rest comes while one looks at it. */
  readonly tailChars: number;
}

/** A tab keeps 500 lines; the newest of a few tabs are enough to begin with. */
const BACKLOG_LINES = 2_000;
const ANSWER_MS_MAX = 10_000;
const HANDLER_TYPE_MAX = 4;
const NOT_FOUND = 404;
const CONFLICT = 409;

export function createAttachClient({ find, first, clock, name, tailChars }: AttachClientOptions): AttachDaemon {
  let now = first;
  let state: "found" | "searching" = "found";
  const ahead = askedAhead(first);
  const get = (path: string) => ahead(path) ?? exchange(now, path);
  const post = async (path: string, body: object, settled: readonly number[] = []) => {
    await exchange(now, path, body, settled);
  };
  const sessions = async () => sessionsIn(await get("/sessions"));
  return {
    state: async () => stateIn(await get("/state"), now),
    act: (key, value) => post("/action", { key, value }),
    cancel: (key) => post("/action", { key, cancel: true }, [NOT_FOUND]),
    showTab: (title) => post("/tabs/active", { title }, [NOT_FOUND]),
    async asks() {
      const [asks, hosted] = await Promise.all([get("/asks"), sessions().catch(() => [])]);
      return asksIn(asks, hosted, clock.nowMs() - Date.now());
    },
    // A late answer needs no message: the question is gone from the list.
    answer: (askId, outcome) =>
      post(`/asks/${encodeURIComponent(askId)}/answer`, answerBody(outcome, name), [CONFLICT]),
    shown: (askId) => post(`/asks/${encodeURIComponent(askId)}/shown`, {}, [NOT_FOUND]),
    sessions,
    openSession: (sessionId) =>
      new RemoteSession({ ...now, sessionId, name, find, tailChars, nowMs: () => clock.nowMs() }),
    follow: (onNews, signal) =>
      followLogs({
        filter: { linesMax: BACKLOG_LINES },
        signal,
        onNews,
        async connect() {
          // The first address has just been found.
          const found = state === "found" ? first : await find();
          state = "searching";
          now = found ?? now;
          return found === null ? null : createDaemonClient(found);
        },
      }),
  };
}

// Requests that every view starts with, sent early; each answer is used once.
function askedAhead(address: DaemonAddress): (path: string) => Promise<unknown> | undefined {
  const answers = new Map(["/state", "/sessions"].map((path) => [path, exchange(address, path)]));
  // A rejection reaches the caller of `get`; without one it is ignored.
  for (const answer of answers.values()) answer.catch(() => undefined);
  return (path) => {
    const answer = answers.get(path);
    answers.delete(path);
    return answer;
  };
}

// Kinds of handlers that a newer daemon may have can at least be looked at.
function stateIn(body: unknown, { url }: DaemonAddress): readonly StateEntry[] | null {
  if (body === null) return null;
  if (!Array.isArray(body)) {
    throw new Error(`${url} is not a daemon of this version; run palaver stop, then start it again`);
  }
  return body.flatMap((item: unknown) => {
    const entry = objectOf(item);
    const type = entry["handler_type"];
    const isNewKind = typeof type === "number" && type > HANDLER_TYPE_MAX;
    const { data } = stateSchema.element.safeParse(isNewKind ? { ...entry, handler_type: 0 } : entry);
    return data === undefined ? [] : [data];
  });
}

function sessionsIn(body: unknown): HostedSession[] {
  return listIn(body).flatMap((item) => {
    const { data } = hostedSessionSchema.safeParse(item);
    if (data === undefined) return [];
    return [{ id: data.id, name: data.name, state: data.state === "ended" ? "ended" : "running" }];
  });
}

// Questions of a hosted session are asked in its own tab.
function asksIn(body: unknown, hosted: readonly HostedSession[], shiftMs: number): Ask[] {
  const ids = new Set(hosted.map(({ id }) => id));
  return listIn(body).flatMap((item) => {
    const { data } = askSchema.safeParse(item);
    if (data === undefined || (data.sessionId !== null && ids.has(data.sessionId))) return [];
    return [{ ...data, deadlineMs: data.deadlineMs === null ? null : data.deadlineMs + shiftMs }];
  });
}

function listIn(body: unknown): readonly unknown[] {
  return Array.isArray(body) ? body : [];
}

function answerBody(outcome: AskOutcome, by: string): object {
  return outcome.kind === "answered" ? { value: outcome.value, by } : { cancel: true, by };
}

async function exchange(
  address: DaemonAddress,
  path: string,
  body?: object,
  settled: readonly number[] = [],
): Promise<unknown> {
  const signal = AbortSignal.timeout(ANSWER_MS_MAX);
  const options = body === undefined ? { signal } : { signal, method: "POST" as const, body };
  let answer: JsonAnswer;
  try {
    answer = await askDaemonForJson(address, path, options);
  } catch {
    throw new Error(signal.aborted ? "the daemon does not answer" : "the daemon is not reachable");
  }
  const { status } = answer;
  if ((status >= 200 && status < 300) || settled.includes(status)) return answer.body;
  throw new Error(refusalWords(answer));
}
