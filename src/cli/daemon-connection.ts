// How a command reaches the daemon of the project, or one at a given address, and its messages when there is none. The daemon
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
import { type DaemonPresence, findDaemon } from "../server/project/running-daemon.js";
import { UsageError } from "./exit-codes.js";

export interface DaemonChoice {
  readonly project?: string | undefined;
  readonly url?: string | undefined;
}

/** For `parseArgs`. */
export const daemonOptions = { project: { type: "string" }, url: { type: "string" } } as const;

export const daemonOptionsHelp = `  --project FOLDER   the daemon of another project (default: the project of
                     this folder)
  --url URL          a daemon at this address; its token is taken from the
                     environment variable PALAVER_TOKEN`;

export const NO_DAEMON = "no daemon runs for this project; palaver serve starts one";

/** Null when none runs; throws when one runs that does not answer. */
export async function addressOf(choice: DaemonChoice): Promise<DaemonAddress | null> {
  if (choice.url !== undefined) return provenAddress({ url: checkedUrl(choice.url), token: tokenFromEnvironment() });
  const presence = await presenceOf(choice);
  return presence.kind === "running" ? presence.address : null;
}

async function provenAddress(address: DaemonAddress): Promise<DaemonAddress> {
  try {
    await proveDaemon(address, AbortSignal.timeout(ANSWER_MS_MAX));
    return address;
  } catch (error) {
    throw inWords(error, address.url);
  }
}

const ANSWER_MS_MAX = 10_000;

export async function presenceOf({ project = "." }: Pick<DaemonChoice, "project">): Promise<DaemonPresence> {
  const presence = await findDaemon(existingProject(project), process.env);
  if (presence.kind !== "silent") return presence;
  const { url, pid } = presence.record;
  throw new Error(`the daemon at ${url} does not answer; its process is ${pid}`);
}

/** Runs one request of a command; connection problems become messages, and a refusal of the daemon stays as it is. */
export async function withDaemon<Result>(
  choice: DaemonChoice,
  work: (client: DaemonClient) => Promise<Result>,
): Promise<Result> {
  const address = await reachedAddress(choice);
  try {
    return await work(createDaemonClient(address));
  } catch (error) {
    throw inWords(error, address.url);
  }
}

/** Throws when no daemon runs. */
export async function reachedAddress(choice: DaemonChoice): Promise<DaemonAddress> {
  const address = await addressOf(choice);
  if (address === null) throw new Error(`${noneRuns(choice)}\n  Start one:   palaver serve`);
  return address;
}

export function noneRuns({ project = "." }: Pick<DaemonChoice, "project">): string {
  return `no daemon runs for ${existingProject(project)}`;
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
