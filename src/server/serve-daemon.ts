// Starts and ends the daemon of a project: lock, token, socket, log file, and the routes over the handlers of a program.

import { basename } from "node:path";
import { type DaemonClaims, PROVE_PATH } from "../agents/remote/daemon-proof.js";
import type { DaemonHealth, DaemonRecord, MessageKind, StateEntry } from "../contract/daemon.js";
import { errorMessage } from "../contract/plain-word.js";
import type { AskPort } from "../host/asks/ask-port.js";
import { AskRegistry } from "../host/asks/ask-registry.js";
import { LogFile } from "../host/log-file.js";
import type { Environment } from "../session/user-folders.js";
import { createRedactor, secretsIn } from "../text/redact.js";
import type { HeadlessTui } from "./handlers/headless-tui.js";
import { aboutRoutes, proveRoute } from "./http/about-routes.js";
import { askRoutes, postedAskRoutes } from "./http/ask-routes.js";
import { createDaemonApp } from "./http/daemon-app.js";
import {
  type BindAddress,
  type BindOptions,
  bindAddress,
  type HttpLimits,
  type HttpServer,
  startHttpServer,
} from "./http/http-server.js";
import { logRoutes } from "./http/log-routes.js";
import type { RouteGroup } from "./http/route.js";
import {
  type ActionChain,
  offer,
  performAction,
  readStates,
  type StatePorts,
  stateRoutes,
} from "./http/state-routes.js";
import { LogHub } from "./logs/log-hub.js";
import { daemonMcp } from "./mcp/daemon-mcp.js";
import {
  type DaemonFolder,
  daemonFolderOf,
  makeDaemonFolder,
  projectOf,
  removeRecord,
  renewToken,
  writeRecord,
} from "./project/daemon-folder.js";
import { type ClaimOptions, claimProject, DaemonError } from "./project/project-claim.js";
import type { ProjectSlot } from "./project/project-slot.js";

type Redact = (text: string) => string;

export interface DaemonOptions extends BindOptions {
  /** The served handlers; null without any. */
  readonly tui: HeadlessTui | null;
  /** The name of the program; the file that Node runs if missing. A daemon of another program is never replaced. */
  readonly program?: string;
  /** The version of the program: a running daemon of the same program and another version is replaced. */
  readonly version: string;
  /** Any folder of the project; the current one when missing. */
  readonly folder?: string;
  /** 0, or missing, takes any free one. */
  readonly port?: number;
  readonly replace?: ClaimOptions["replace"];
  /** Called for keys that no handler took; returns true when the program took the key. */
  readonly onAction?: (key: string, value: string) => boolean | Promise<boolean>;
  /** For daemons that switch between projects. */
  readonly slot?: ProjectSlot;
  /** Where open asks are kept; a new `AskRegistry` if missing, which MCP needs. */
  readonly asks?: AskPort;
  /** More routes, under the same guard and in the same description. */
  readonly groups?: readonly RouteGroup[];
  /** Called before the socket is closed. */
  readonly onEnding?: () => Promise<void>;
  /** Removes secrets from what is sent or written to disk; by default known shapes and those of the environment. */
  readonly redact?: Redact;
  readonly environment?: Environment;
  readonly limits?: Partial<HttpLimits>;
  readonly heartbeatMs?: number;
}

export interface Daemon {
  readonly url: string;
  readonly token: string;
  readonly project: string;
  readonly logPath: string;
  readonly tokenPath: string;
  /** Settles when the daemon has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Ends streams, closes the socket, releases the project. May be called more than once. */
  stop(): Promise<void>;
}

export async function serveDaemon(options: DaemonOptions): Promise<Daemon> {
  const bind = bindAddress(options);
  const folder = daemonFolderOf(projectOf(options.folder ?? "."), options.environment ?? process.env);
  await makeDaemonFolder(folder);
  const claims = {
    program: options.program ?? basename(process.argv[1] ?? process.execPath),
    version: options.version,
    pid: process.pid,
  };
  const lock = await claimProject(folder, { ...claims, replace: options.replace ?? "other-version" });
  try {
    return await serveProject(options, { bind, folder, claims, release: () => lock.release() });
  } catch (error) {
    await lock.release();
    throw error;
  }
}

interface Claimed {
  readonly bind: BindAddress;
  readonly folder: DaemonFolder;
  readonly claims: DaemonClaims;
  release(): Promise<void>;
}

// The record comes last: a client that finds it finds a daemon that answers.
async function serveProject(options: DaemonOptions, { bind, folder, claims, release }: Claimed): Promise<Daemon> {
  const token = await renewToken(folder.tokenPath);
  const parts = assemble({ asks: new AskRegistry(), ...options, claims, token, bind }, folder);
  const server = await listen({ ...options, bind, token, parts });
  const url = `http://${bind.urlHost}:${server.port}`;
  const record: DaemonRecord = { ...claims, url, project: folder.project, started_at_ms: Date.now() };
  try {
    await writeRecord(folder.recordPath, record);
  } catch (error) {
    await server.close();
    throw error;
  }
  parts.say(`the daemon listens at ${url}`, "info");
  parts.onStop(async () => {
    await server.close();
    await removeRecord(folder.recordPath, record);
    await parts.logFile.flush();
    await release();
  });
  return {
    url,
    token,
    project: folder.project,
    logPath: folder.logPath,
    tokenPath: folder.tokenPath,
    ended: parts.ended,
    stop: parts.stop,
  };
}

/** The options, with everything a daemon cannot do without. */
type WholeOptions = DaemonOptions &
  Pick<Claimed, "claims" | "bind"> & { readonly asks: AskPort; readonly token: string };

function assemble(options: WholeOptions, { project, logPath }: DaemonFolder) {
  const { asks, tui, slot = null, onAction = null, version, claims, token, bind } = options;
  const hub = tui?.logs ?? new LogHub();
  hub.redactWith(redactionOf(options));
  const logFile = new LogFile({ path: logPath });
  const stopTap = hub.tap("from-start", (entry) => logFile.write(JSON.stringify(entry)));
  const stopAsks = asks.subscribe(() => hub.announce("asks"));
  const say = (content: string, kind: MessageKind) => {
    hub.publish({ content, kind, tabTitle: "DAEMON", handlerName: "daemon" });
  };
  const onError = (error: unknown) => say(`error: ${errorMessage(error)}`, "error");
  const ending = createEnding(async (end) => {
    say("the daemon is ending", "info");
    await mcp?.close();
    hub.close();
    await options.onEnding?.();
    if (asks instanceof AskRegistry) {
      asks.withdraw({ type: "withdraw-all", of: "everyone", reason: "shutdown", atMs: asks.nowMs() });
    }
    await slot?.stop();
    await tui?.shutdown();
    stopAsks();
    stopTap();
    await end();
  });
  const chain: ActionChain = { tui, slot, onAction, quit: () => void ending.stop(), onError };
  const logs = logRoutes(hub, options.heartbeatMs);
  const startedAtMs = performance.now();
  const health = (): DaemonHealth => ({
    status: ending.isStopping() ? "stopping" : "ok",
    pid: process.pid,
    version,
    project,
    uptime_ms: Math.round(performance.now() - startedAtMs),
    log_clients: logs.clientCount(),
  });
  const state = stateOf(options, chain, health);
  const registry = asks instanceof AskRegistry ? asks : null;
  const mcp = registry && daemonMcp({ version, registry, state, hub });
  const groups: RouteGroup[] = [
    stateRoutes(state),
    logs.routes,
    aboutRoutes(version, health),
    [proveRoute({ claims, token, host: bind.hosts === "any-address" ? null : bind.urlHost })],
    askRoutes(asks),
    ...(registry === null ? [] : [postedAskRoutes({ registry })]),
    ...(options.groups ?? []),
    ...(mcp === null ? [] : [mcp.routes]),
  ];
  const { ended, stop, onStop } = ending;
  return { groups, logFile, say, onError, ended, stop, onStop };
}

/** `perform` runs once, however often and from wherever `stop` is called. */
function createEnding(perform: (end: () => Promise<void>) => Promise<void>) {
  let end: () => Promise<void> = async () => undefined;
  let running: Promise<void> | null = null;
  let settle: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return {
    ended,
    isStopping: () => running !== null,
    /** Sets the last step of `stop`. */
    onStop: (action: () => Promise<void>) => {
      end = action;
    },
    stop: (): Promise<void> => {
      running ??= perform(() => end()).finally(settle);
      return running;
    },
  };
}

function stateOf(options: DaemonOptions, chain: ActionChain, health: () => DaemonHealth): StatePorts {
  const redact = redactionOf(options);
  return {
    readState: () => withoutSecrets(readStates(chain), redact),
    get act() {
      return health().status === "ok" ? (key: string, value: string) => performAction(chain, key, value) : null;
    },
    cancel: (key) => offer(chain, (tui) => tui.cancelAction(key)),
    showTab: (title) => offer(chain, (tui) => tui.activateTab(title)),
  };
}

// One search over all the text first: secrets are rare, and a thousand small searches cost far more.
function withoutSecrets(entries: readonly StateEntry[] | null, redact: Redact): readonly StateEntry[] | null {
  const all = (entries ?? []).map(({ label, value }) => `${label}\n${value}`).join("\n");
  if (entries === null || redact(all) === all) return entries;
  return entries.map((entry) => ({ ...entry, label: redact(entry.label), value: redact(entry.value) }));
}

async function listen(
  options: DaemonOptions & { bind: BindAddress; token: string; parts: ReturnType<typeof assemble> },
): Promise<HttpServer> {
  const { bind, token, parts, version, port = 0, limits } = options;
  const app = createDaemonApp({ groups: parts.groups, version, onError: parts.onError });
  try {
    const { host, hosts } = bind;
    return await startHttpServer({ app, token, port, host, hosts, openPaths: [PROVE_PATH], ...(limits && { limits }) });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") throw new DaemonError("port_taken", `port ${port} is taken by another program`);
    throw error;
  }
}

function redactionOf({ redact, environment = process.env }: DaemonOptions): Redact {
  if (redact !== undefined) return redact;
  const redactor = createRedactor(secretsIn(environment));
  return (text) => redactor.text(text);
}
