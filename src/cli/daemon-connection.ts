// How a command reaches the daemons of the project, or one at a given address, and its messages when there is none. A daemon
// has proved that it has the token before a command uses it.

import { userInfo } from "node:os";
import { DaemonUnproven, proveDaemon } from "../agents/remote/daemon-request.js";
import {
  createDaemonClient,
  type DaemonAddress,
  type DaemonClient,
  DaemonRefusal,
} from "../server/client/daemon-client.js";
import { projectOf } from "../server/project/daemon-folder.js";
import { findDaemons, type RunningDaemon } from "../server/project/running-daemon.js";
import { safeLine } from "../text/safe.js";
import { UsageError } from "./exit-codes.js";
import { complain } from "./printed.js";

export interface DaemonChoice {
  readonly project?: string | undefined;
  readonly program?: string | undefined;
  readonly url?: string | undefined;
}

/** A daemon, and the program that it belongs to. */
export interface NamedDaemon extends DaemonAddress {
  readonly program: string;
}

/** For `parseArgs`. */
export const projectOptions = { project: { type: "string" }, program: { type: "string" } } as const;
export const daemonOptions = { ...projectOptions, url: { type: "string" } } as const;

export const projectOptionsHelp = `  --project FOLDER   another project (default: the project of this folder)
  --program NAME     the daemon of this program, if several run: palaver for
                     palaver serve, or the name that serveDaemon was given`;

export const daemonOptionsHelp = `${projectOptionsHelp}
  --url URL          a daemon at this address; its token is taken from the
                     environment variable PALAVER_TOKEN`;

export const NO_DAEMON = "no daemon runs for this project; palaver serve starts one";

/** The daemon of `palaver serve`, or the one that has run the longest. Null when none runs; throws when it does not answer. */
export async function addressOf(choice: DaemonChoice): Promise<NamedDaemon | null> {
  const [first = null] = await addressesOf(choice);
  return first;
}

/** Of every daemon that is meant. */
export async function addressesOf(choice: DaemonChoice): Promise<NamedDaemon[]> {
  if (choice.url !== undefined) return [await provenAddress(choice.url)];
  return (await daemonsOf(choice)).map(({ address, claims: { program } }) => ({ ...address, program }));
}

async function provenAddress(given: string): Promise<NamedDaemon> {
  const address = { url: checkedUrl(given), token: tokenFromEnvironment() };
  try {
    const { program } = await proveDaemon(address, AbortSignal.timeout(ANSWER_MS_MAX));
    return { ...address, program };
  } catch (error) {
    throw inWords(error, address.url);
  }
}

const ANSWER_MS_MAX = 10_000;

/** One that does not answer is an error where no other is meant, and else a warning. */
export async function daemonsOf({ project = ".", program }: DaemonChoice): Promise<RunningDaemon[]> {
  const found = await findDaemons(existingProject(project), process.env);
  const meant = found.filter(({ record }) => program === undefined || record.program === program);
  const running = meant.filter((presence) => presence.kind === "running");
  const silent = meant.flatMap((presence) => (presence.kind === "silent" ? [silentWords(presence.record)] : []));
  if (running.length === 0 && silent[0] !== undefined) throw new Error(silent[0]);
  for (const words of silent) complain(`▲ ${words}`);
  return running;
}

function silentWords({ url, pid }: { readonly url: string; readonly pid: number }): string {
  return `the daemon at ${url} does not answer; its process is ${pid}`;
}

/** Runs one request of a command; connection problems become messages, and a refusal of the daemon stays as it is. */
export async function withDaemon<Result>(
  choice: DaemonChoice,
  work: (client: DaemonClient) => Promise<Result>,
): Promise<Result> {
  return atDaemon(await reachedAddress(choice), work);
}

/** The same at every daemon that is meant; throws when none runs. */
export async function withDaemons<Result>(
  choice: DaemonChoice,
  work: (client: DaemonClient, daemon: NamedDaemon) => Promise<Result>,
): Promise<Result[]> {
  const daemons = await reachedAddresses(choice);
  return Promise.all(daemons.map((daemon) => atDaemon(daemon, (client) => work(client, daemon))));
}

export async function atDaemon<Result>(
  daemon: NamedDaemon,
  work: (client: DaemonClient) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(createDaemonClient(daemon));
  } catch (error) {
    throw inWords(error, daemon.url);
  }
}

/** Throws when no daemon runs. */
export async function reachedAddress(choice: DaemonChoice): Promise<NamedDaemon> {
  const [first] = await reachedAddresses(choice);
  return first;
}

/** One or more. */
export async function reachedAddresses(choice: DaemonChoice): Promise<[NamedDaemon, ...NamedDaemon[]]> {
  const [first, ...others] = await addressesOf(choice);
  if (first === undefined) throw new Error(`${noneRuns(choice)}\n  Start one:   palaver serve`);
  return [first, ...others];
}

export function noneRuns({ project = ".", program }: DaemonChoice): string {
  const whose = program === undefined ? "" : ` of ${safeLine(program)}`;
  return `no daemon${whose} runs for ${existingProject(project)}`;
}

/** What a command says that would do something to one of several daemons, and cannot tell which. */
export function severalRun(what: string, programs: readonly string[]): UsageError {
  return new UsageError(
    `${what}: ${programs.map(safeLine).join(", ")}\n  Name one: --program ${safeLine(programs[0] ?? "")}`,
  );
}

/** A wrong token and a dead connection as messages; other errors unchanged. */
function inWords(error: unknown, url: string): Error {
  const isUnknown = error instanceof DaemonRefusal && error.status === 401;
  if (isUnknown || error instanceof DaemonUnproven) {
    return new UsageError(
      `the server at ${url} does not accept this token, so it was not sent\n` +
        "  A daemon's token is in the file that palaver serve names, and changes each time it starts",
    );
  }
  if ((error as NodeJS.ErrnoException).code === "ECONNREFUSED") return new Error(`nothing listens at ${url}`);
  if (error instanceof Error && error.name === "TimeoutError") return new Error(`the daemon at ${url} does not answer`);
  return error instanceof Error ? error : new Error(String(error));
}

/** Throws a UsageError when there is no such folder. */
export function existingProject(folder: string): string {
  try {
    return projectOf(folder);
  } catch {
    throw new UsageError(`there is no folder ${folder}`);
  }
}

function checkedUrl(url: string): string {
  if (/^http:\/\/[^/?#\s]+\/?$/.test(url)) return url;
  throw new UsageError(`--url takes an address such as http://127.0.0.1:4100, not "${url}"`);
}

function tokenFromEnvironment(): string {
  const token = process.env["PALAVER_TOKEN"]?.trim() ?? "";
  if (token === "") throw new UsageError("--url needs the daemon's token in the environment variable PALAVER_TOKEN");
  return token;
}

/** Who acts here, as others see it. */
export function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    // A number without a name, as in some containers.
    return "unknown";
  }
}
