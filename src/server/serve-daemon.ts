// Starts a daemon for a project and ends it: the claim on the project, the token, the socket, the log file, and what connects
// the handlers of a program with the routes. `palaver serve` and every program with handlers of its own begin here.

import { basename } from "node:path";
import { type DaemonClaims, PROVE_PATH } from "../agents/remote/daemon-proof.js";
import type { DaemonHealth, DaemonRecord, MessageKind, StateEntry } from "../contract/daemon.js";
import { errorMessage } from "../contract/plain-word.js";
import type { AskPort } from "../host/asks/ask-port.js";
import { AskRegistry } from "../host/asks/ask-registry.js";
import { LogFile } from "../host/log-file.js";
import type { Environment } from "../session/user-folders.js";
import { createRedactor, secretsIn } from "../text/redact.js";
import { type ActionChain, performAction, readStates, toldTo } from "./action-chain.js";
import { type BindAddress, type BindOptions, bindAddress } from "./bind-address.js";
import { createEnding } from "./ending.js";
import type { HeadlessTui } from "./handlers/headless-tui.js";
import { aboutRoutes } from "./http/about-routes.js";
import { askRoutes } from "./http/ask-routes.js";
import { createDaemonApp } from "./http/daemon-app.js";
import { type HttpLimits, type HttpServer, startHttpServer } from "./http/http-server.js";
import { type LogRoutes, logRoutes } from "./http/log-routes.js";
import { postedAskRoutes } from "./http/posted-ask-routes.js";
import { proveRoute } from "./http/prove-route.js";
import type { RouteGroup } from "./http/route.js";
import { type StatePorts, stateRoutes } from "./http/state-routes.js";
import { LogHub } from "./logs/log-hub.js";
import { daemonMcp } from "./mcp/daemon-mcp.js";
import { type DaemonFolder, daemonFolderOf, makeDaemonFolder, projectOf } from "./project/daemon-folder.js";
import { removeRecord, writeRecord } from "./project/daemon-record.js";
import { type ClaimOptions, claimProject, DaemonError } from "./project/project-claim.js";
import type { ProjectSlot } from "./project/project-slot.js";
import { renewToken } from "./project/token-file.js";

type Redact = (text: string) => string;

export interface DaemonOptions extends BindOptions {
  /** The handlers that are served; null for a daemon that has none. */
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
  /** The program's own keys, after the handlers had theirs; true when it took one. */
  readonly onAction?: (key: string, value: string) => boolean | Promise<boolean>;
  /** For daemons that switch between projects. */
  readonly slot?: ProjectSlot;
  /** Where questions wait for an answer; a board of its own if missing. MCP needs an `AskRegistry`. */
  readonly asks?: AskPort;
  /** More routes, under the same guard and in the same description. */
  readonly groups?: readonly RouteGroup[];
  /** What the groups hold ends before the socket is closed. */
  readonly onEnding?: () => Promise<void>;
  /** Takes secrets out of what is sent and of what is written to disk; known shapes and those of the environment if missing. */
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
  /** Settles when the daemon has ended, whoever ended it. */
  readonly ended: Promise<void>;
  /** Ends streams, closes the socket, gives the project back. Called twice it is one end. */
  stop(): Promise<void>;
}

export async function serveDaemon(options: DaemonOptions): Promise<Daemon> {
  const bind = bindAddress(options);
  const folder = daemonFolderOf(projectOf(options.folder ?? "."), options.environment ?? process.env);
  await makeDaemonFolder(folder);
  const claims = { program: options.program ?? programHere(), version: options.version, pid: process.pid };
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
  const record = recordOf(claims, folder, `http://${bind.urlHost}:${server.port}`);
  try {
    await writeRecord(folder.recordPath, record);
  } catch (error) {
    await server.close();
    throw error;
  }
  parts.say(`the daemon listens at ${record.url}`, "info");
  parts.onStop(async () => {
    await server.close();
    await removeRecord(folder.recordPath, record);
    await parts.logFile.flush();
    await release();
  });
  return {
    url: record.url,
    token,
    project: folder.project,
    logPath: folder.logPath,
    tokenPath: folder.tokenPath,
    ended: parts.ended,
    stop: parts.stop,
  };
}

function programHere(): string {
  return basename(process.argv[1] ?? process.execPath);
}

/** The options with everything in them that a daemon cannot do without. */
type WholeOptions = DaemonOptions & { readonly asks: AskPort; readonly token: string } & Pick<
    Claimed,
    "claims" | "bind"
  >;

interface DaemonParts {
  readonly groups: readonly RouteGroup[];
  readonly logFile: LogFile;
  readonly ended: Promise<void>;
  stop(): Promise<void>;
  onStop(end: () => Promise<void>): void;
  say(content: string, kind: MessageKind): void;
  onError(error: unknown): void;
}

function assemble(options: WholeOptions, folder: DaemonFolder): DaemonParts {
  const hub = options.tui?.logs ?? new LogHub();
  hub.redactWith(redactionOf(options));
  const logFile = new LogFile({ path: folder.logPath });
  const stopTap = hub.tap("from-start", (entry) => logFile.write(JSON.stringify(entry)));
  const stopAsks = options.asks.subscribe(() => hub.announce("asks"));
  const say = (content: string, kind: MessageKind) => {
    hub.publish({ content, kind, tabTitle: "DAEMON", handlerName: "daemon" });
  };
  const onError = (error: unknown) => say(`error: ${errorMessage(error)}`, "error");
  let closeMcp = async (): Promise<void> => undefined;
  const ending = createEnding(async (end) => {
    say("the daemon is ending", "info");
    await closeMcp();
    hub.close();
    await options.onEnding?.();
    if (options.asks instanceof AskRegistry) takeRestBack(options.asks);
    await options.slot?.stop();
    await options.tui?.shutdown();
    stopAsks();
    stopTap();
    await end();
  });
  const { tui, slot = null, onAction = null } = options;
  const chain: ActionChain = { tui, slot, onAction, quit: () => void ending.stop(), onError };
  const logs = logRoutes({ hub, ...(options.heartbeatMs === undefined ? {} : { heartbeatMs: options.heartbeatMs }) });
  const state = stateOf(options, chain, healthOf(options, folder, logs, ending));
  const groups = groupsOf(options, state, logs, healthOf(options, folder, logs, ending));
  const { asks, version } = options;
  const mcp = asks instanceof AskRegistry ? daemonMcp({ version, board: asks, state, hub }) : null;
  closeMcp = async () => mcp?.close();
  return {
    groups: mcp === null ? groups : [...groups, mcp.routes],
    logFile,
    say,
    onError,
    ended: ending.ended,
    stop: ending.stop,
    onStop: ending.onStop,
  };
}

// Whoever left a question here waits on a stream; the answer that there will be none ends it.
function takeRestBack(board: AskRegistry): void {
  board.withdraw({ type: "withdraw-all", of: "everyone", reason: "shutdown", atMs: board.nowMs() });
}

function stateOf(options: DaemonOptions, chain: ActionChain, health: () => DaemonHealth): StatePorts {
  const redact = redactionOf(options);
  return {
    readState: () => withoutSecrets(readStates(chain), redact),
    get act() {
      return health().status === "ok" ? (key: string, value: string) => performAction(chain, key, value) : null;
    },
    cancel: (key) => toldTo(chain, (tui) => tui.cancelAction(key)),
    showTab: (title) => toldTo(chain, (tui) => tui.activateTab(title)),
  };
}

// Looked through as one text first: there is hardly ever a secret, and a thousand small searches cost far more than one.
function withoutSecrets(entries: readonly StateEntry[] | null, redact: Redact): readonly StateEntry[] | null {
  const all = (entries ?? []).map(({ label, value }) => `${label}\n${value}`).join("\n");
  if (entries === null || redact(all) === all) return entries;
  return entries.map((entry) => ({ ...entry, label: redact(entry.label), value: redact(entry.value) }));
}

function groupsOf(
  options: WholeOptions,
  state: StatePorts,
  logs: LogRoutes,
  health: () => DaemonHealth,
): readonly RouteGroup[] {
  const { claims, token, bind } = options;
  return [
    stateRoutes(state),
    logs.routes,
    aboutRoutes({ version: options.version, health }),
    [proveRoute({ claims, token, host: bind.hosts === "any-address" ? null : bind.urlHost })],
    askRoutes(options.asks),
    ...(options.asks instanceof AskRegistry ? [postedAskRoutes({ board: options.asks })] : []),
    ...(options.groups ?? []),
  ];
}

function healthOf(
  { version }: DaemonOptions,
  { project }: DaemonFolder,
  logs: LogRoutes,
  ending: { isStopping(): boolean },
): () => DaemonHealth {
  const startedAtMs = performance.now();
  return () => ({
    status: ending.isStopping() ? "stopping" : "ok",
    pid: process.pid,
    version,
    project,
    uptime_ms: Math.round(performance.now() - startedAtMs),
    log_clients: logs.clientCount(),
  });
}

async function listen(
  options: DaemonOptions & { bind: BindAddress; token: string; parts: DaemonParts },
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

function recordOf({ program, version, pid }: DaemonClaims, { project }: DaemonFolder, url: string): DaemonRecord {
  return { pid, url, program, version, project, started_at_ms: Date.now() };
}

// Whoever says nothing about secrets still has them left out: those of known shape, and those in the environment.
function redactionOf({ redact, environment = process.env }: DaemonOptions): Redact {
  if (redact !== undefined) return redact;
  const redactor = createRedactor(secretsIn(environment));
  return (text) => redactor.text(text);
}
