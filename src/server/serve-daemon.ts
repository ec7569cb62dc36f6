// Starts and ends the daemon of a program in a project: lock, token, socket, log file, and the routes over the handlers of a program.

import { randomBytes } from "node:crypto";
import { basename } from "node:path";
import type { DaemonClaims } from "../agents/remote/daemon-proof.js";
import type { DaemonHealth, DaemonRecord, StateEntry } from "../contract/daemon.js";
import type { MessageKind } from "../contract/handler-types.js";
import { errorMessage } from "../contract/plain-word.js";
import { askHistoryFolder, askHistoryWriter } from "../host/ask-history.js";
import type { AskPort } from "../host/asks/ask-port.js";
import { AskRegistry } from "../host/asks/ask-registry.js";
import { LogFile } from "../host/log-file.js";
import { createAsksUi } from "../sdk/asks-ui.js";
import type { UI } from "../sdk/ui.js";
import type { Environment } from "../session/user-folders.js";
import { steadyNowMs } from "../system/timers.js";
import { createRedactor, secretsIn } from "../text/redact.js";
import type { HeadlessTui } from "./handlers/headless-tui.js";
import { aboutRoutes, proveRoute } from "./http/about-routes.js";
import { askRoutes, postedAskRoutes } from "./http/ask-routes.js";
import { createDaemonApp } from "./http/daemon-app.js";
import { type HttpAccess, type HttpServer, startHttpServer } from "./http/http-server.js";
import { type BindAddress, type BindOptions, bindAddress, type HttpLimits, type TlsFiles } from "./http/listening.js";
import { logRoutes } from "./http/log-routes.js";
import type { RouteGroup } from "./http/route.js";
import {
  type ActionChain,
  type ActionOptions,
  offer,
  performAction,
  readStates,
  type StatePorts,
  stateRoutes,
} from "./http/state-routes.js";
import { LogHub } from "./logs/log-hub.js";
import { daemonMcp } from "./mcp/mcp-routes.js";
import { openPage, type Page, type PageOptions } from "./page/page.js";
import {
  type DaemonFolder,
  daemonFolderOf,
  makeDaemonFolder,
  projectOf,
  removeRecord,
  renewToken,
  writeRecord,
} from "./project/daemon-folder.js";
import type { ProjectSlot } from "./project/project-slot.js";
import { type ClaimOptions, claimProject } from "./project/running-daemon.js";
import { sessionRoutes } from "./sessions/session-routes.js";
import type { Span } from "./telemetry/ask-telemetry.js";
import type { Metric } from "./telemetry/metric.js";
import { metricsRoute } from "./telemetry/metric.js";
import { OtlpExporter } from "./telemetry/otlp-exporter.js";

type Redact = (text: string) => string;

export interface DaemonOptions extends BindOptions, PageOptions {
  /** The served handlers; null without any. */
  readonly tui: HeadlessTui | null;
  /** The name of the program; the file that Node runs if missing. Each program of a project has its own daemon. */
  readonly program?: string;
  /** The version of the program, such as 1.4.0: a running daemon of the same program and an older version is replaced. */
  readonly version: string;
  /** Any folder of the project; the current one when missing. */
  readonly folder?: string;
  /** 0, or missing, takes any free one. */
  readonly port?: number;
  /** A certificate for the address in `host`. Programs of this machine then use another port, on loopback. */
  readonly tls?: TlsFiles | undefined;
  /** The address under which browsers reach it, such as https://box.example, when that is another one. */
  readonly publicUrl?: string | undefined;
  /** "always" replaces a running daemon of the same program whatever its version; "older" if missing. */
  readonly replace?: ClaimOptions["replace"];
  /** Called for keys that no handler took; returns true when the program took the key. */
  readonly onAction?: (key: string, value: string) => boolean | Promise<boolean>;
  /** For daemons that switch between projects. */
  readonly slot?: ProjectSlot;
  /** Where open asks are kept; a new `AskRegistry` if missing, which MCP needs. */
  readonly asks?: AskPort;
  /** More routes, under the same guard and in the same description. */
  readonly groups?: readonly RouteGroup[];
  /** Called when the project is this daemon's. It listens after that, so that no client meets it without its sessions. */
  readonly onClaimed?: () => void | Promise<void>;
  /** Called before the socket is closed. */
  readonly onEnding?: () => Promise<void>;
  /** Removes secrets from what is sent or written to disk; by default known shapes and those of the environment. */
  readonly redact?: Redact;
  /** What the program measures besides, for GET /metrics. */
  readonly metrics?: () => readonly Metric[];
  /** Parts of traces that ended since the last call, for OpenTelemetry. */
  readonly takeSpans?: () => readonly Span[];
  readonly environment?: Environment;
  readonly limits?: Partial<HttpLimits>;
}

export interface Daemon {
  /** For programs of this machine. */
  readonly url: string;
  /** For browsers. */
  readonly pageUrl: string;
  readonly token: string;
  readonly project: string;
  readonly logPath: string;
  readonly tokenPath: string;
  /** Asks the users of the daemon, from a handler say: the question appears in every view. Without one it waits for the next. */
  readonly ui: UI;
  /** Settles when the daemon has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Ends streams, closes the socket, releases the project. May be called more than once. */
  stop(): Promise<void>;
}

export async function serveDaemon(options: DaemonOptions): Promise<Daemon> {
  // Without one, no client would find the daemon.
  if (typeof options.version !== "string") {
    throw new TypeError('serveDaemon needs the version of your program: serveDaemon({ tui, version: "1.0.0" })');
  }
  // Only an encrypted connection, or an owner who says so, may leave this machine.
  const outside = bindAddress(options.tls === undefined ? options : { ...options, remote: "allow" });
  const program = options.program ?? basename(process.argv[1] ?? process.execPath);
  const folder = daemonFolderOf(projectOf(options.folder ?? "."), options.environment ?? process.env, program);
  await makeDaemonFolder(folder);
  const claims = { program, version: options.version, pid: process.pid };
  const lock = await claimProject(folder, { ...claims, replace: options.replace ?? "older" });
  try {
    return await serveProject(options, { outside, folder, claims, release: () => lock.release() });
  } catch (error) {
    await lock.release();
    throw error;
  }
}

interface Claimed {
  /** Where others reach it. */
  readonly outside: BindAddress;
  readonly folder: DaemonFolder;
  readonly claims: DaemonClaims;
  release(): Promise<void>;
}

// The record comes last: a client that finds it finds a daemon that answers.
async function serveProject(options: DaemonOptions, { outside, folder, claims, release }: Claimed): Promise<Daemon> {
  await options.onClaimed?.();
  const token = await renewToken(folder.tokenPath);
  const page = await openPage({ ...options, folder, say: (words, kind) => parts.say(words, kind) });
  const bind = options.tls === undefined ? outside : bindAddress({});
  const parts = assemble({ asks: ownAsks(options, folder, claims), ...options, claims, token, bind, page }, folder);
  const server = await listen({ ...options, outside, bind, token, parts });
  const { url } = server;
  page.reachedAt(server.pageUrl);
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
    await Promise.all([parts.logFile.flush(), parts.accessFile.flush(), page.flush()]);
    await release();
  });
  return {
    url,
    pageUrl: server.pageUrl,
    token,
    project: folder.project,
    logPath: folder.logPath,
    tokenPath: folder.tokenPath,
    ui: parts.ui,
    ended: parts.ended,
    stop: parts.stop,
  };
}

// A program that asks through a registry of its own keeps its own history.
function ownAsks(options: DaemonOptions, { project }: DaemonFolder, { program }: DaemonClaims): AskRegistry {
  const environment = options.environment ?? process.env;
  const { value } = createRedactor(secretsIn(environment));
  const keep = askHistoryWriter({
    ...{ folder: askHistoryFolder(environment), agent: program, workFolder: project, nowMs: steadyNowMs },
    redacted: value,
  });
  return new AskRegistry({ onAudit: (record, keeper) => void (keeper === "here" && keep(record)) });
}

/** The options, with everything a daemon cannot do without. */
type WholeOptions = DaemonOptions &
  Pick<Claimed, "claims"> & {
    readonly bind: BindAddress;
    readonly asks: AskPort;
    readonly token: string;
    readonly page: Page;
  };

function assemble(options: WholeOptions, { project, logPath, accessPath }: DaemonFolder) {
  const { asks, tui, slot = null, onAction = null, version, claims, token, bind } = options;
  const hub = tui?.logs ?? new LogHub();
  hub.redactWith(redactionOf(options));
  const logFile = new LogFile({ path: logPath });
  const accessFile = new LogFile({ path: accessPath });
  const stopTap = hub.tap("from-start", (entry) => logFile.write(JSON.stringify(entry)));
  const stopAsks = asks.subscribe(() => hub.announce("asks"));
  const say = (content: string, kind: MessageKind) => {
    hub.publish({ content, kind, tabTitle: "DAEMON", handlerName: "daemon" });
  };
  const onError = (error: unknown) => say(`error: ${errorMessage(error)}`, "error");
  const readMetrics = () => [...metricsOf(health(), asks), ...(options.metrics?.() ?? [])];
  const exporter = new OtlpExporter({
    ...{ environment: options.environment ?? process.env, version, project, readMetrics },
    takeSpans: () => options.takeSpans?.() ?? [],
    onProblem: (words) => say(words, "warning"),
  });
  exporter.start();
  const ending = createEnding(async (end) => {
    say("the daemon is ending", "info");
    await mcp?.close();
    hub.close();
    page.close();
    await options.onEnding?.();
    await exporter.close();
    if (asks instanceof AskRegistry) asks.shutDown();
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
  const { page } = options;
  const groups: RouteGroup[] = [
    stateRoutes(state),
    logs.routes,
    aboutRoutes(version, health),
    [metricsRoute(readMetrics)],
    [proveRoute({ claims, token, host: bind.hosts === "any-address" ? null : bind.urlHost })],
    askRoutes(asks, { elsewhere: options.elsewhere }),
    ...(registry === null ? [] : [postedAskRoutes({ registry })]),
    ...(options.sessions === undefined ? [] : [sessionRoutes(options.sessions, heartbeatOf(options))]),
    ...page.routes(registry),
    ...(options.groups ?? []),
    ...(mcp === null ? [] : [mcp.routes]),
  ];
  const ui = createAsksUi({
    nowMs: steadyNowMs,
    ask: async (ask) => registry?.ask(ask) ?? null,
    withdraw: (askId) =>
      registry?.withdraw({ type: "withdraw", askId, reason: "agent_cancelled", atMs: steadyNowMs() }),
    notify: (message, level) => say(message, level === "warn" ? "warning" : level),
    origin: { kind: "tool", name: claims.program },
    newId: () => `d${randomBytes(8).toString("hex")}`,
  });
  const { ended, stop, onStop } = ending;
  const { deviceOf } = page;
  const onAccess = (access: HttpAccess) =>
    accessFile.write(JSON.stringify({ at: new Date().toISOString(), ...access }));
  return { ui, groups, logFile, accessFile, deviceOf, onAccess, say, onError, ended, stop, onStop };
}

function heartbeatOf({ heartbeatMs }: DaemonOptions): { heartbeatMs?: number } {
  return heartbeatMs === undefined ? {} : { heartbeatMs };
}

function metricsOf(health: DaemonHealth, asks: AskPort): Metric[] {
  return [
    { name: "open_asks", help: "Questions that wait for an answer", value: asks.openAsks().length },
    { name: "log_clients", help: "Clients that follow the log", value: health.log_clients },
    { name: "uptime_seconds", help: "Since the daemon started", value: Math.round(health.uptime_ms / 1_000) },
    { name: "resident_memory_bytes", help: "Memory of the daemon itself", value: process.memoryUsage.rss() },
  ];
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
      return health().status === "ok"
        ? async (key: string, value: string, how?: ActionOptions) => {
            const outcome = await performAction(chain, key, value, how);
            return "reason" in outcome ? { ...outcome, reason: redact(outcome.reason) } : outcome;
          }
        : null;
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

interface Listening {
  readonly url: string;
  readonly pageUrl: string;
  close(): Promise<void>;
}

type ListenOptions = DaemonOptions & {
  readonly outside: BindAddress;
  readonly bind: BindAddress;
  readonly token: string;
  readonly parts: ReturnType<typeof assemble>;
};

// With a certificate there are two sockets: one for browsers anywhere, and one on loopback for the programs of this machine.
async function listen(options: ListenOptions): Promise<Listening> {
  const { outside, bind, token, parts, version, tls, port = 0, limits, publicUrl } = options;
  const app = createDaemonApp({ groups: parts.groups, version, onError: parts.onError });
  const { deviceOf, onAccess } = parts;
  const shared = { app, token, deviceOf, onAccess, publicOrigin: publicUrl, ...(limits && { limits }) };
  const outer = await startHttpServer({ ...shared, port, host: outside.host, hosts: outside.hosts, tls });
  const url = (server: HttpServer, { urlHost }: BindAddress) => `http://${urlHost}:${server.port}`;
  const pageUrl = publicUrl ?? url(outer, outside).replace("http:", tls === undefined ? "http:" : "https:");
  if (tls === undefined) return { url: url(outer, bind), pageUrl, close: () => outer.close() };
  const inner = await startHttpServer({ ...shared, port: 0, host: bind.host, hosts: bind.hosts });
  const close = async () => void (await Promise.all([outer.close(), inner.close()]));
  return { url: url(inner, bind), pageUrl, close };
}

function redactionOf({ redact, environment = process.env }: DaemonOptions): Redact {
  if (redact !== undefined) return redact;
  const redactor = createRedactor(secretsIn(environment));
  return (text) => redactor.text(text);
}
