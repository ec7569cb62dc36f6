// `palaver serve`: the daemon of a project, in the foreground, with the agents that live in it. It says where it is, prints its
// log, and ends on ctrl+c, on a signal or on `palaver stop`, giving back what it holds each time.

import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { findProgram } from "../../agents/found-program.js";
import { awaitedLink } from "../../agents/link-relay.js";
import type { AuditRecord } from "../../contract/asks.js";
import { hostedProtocols } from "../../contract/hosted-sessions.js";
import type { StartableAgent } from "../../contract/page.js";
import { errorMessage } from "../../contract/plain-word.js";
import { historyEntryOf } from "../../host/ask-history.js";
import { AskJournal } from "../../host/asks/ask-journal.js";
import { AskRegistry } from "../../host/asks/ask-registry.js";
import { type HostedAgent, memoryOf, type OpenAgentLink, openAgentLink } from "../../host/hosted-agent.js";
import {
  type AgentRequestOptions,
  type FoundAgent,
  SessionHost,
  type SessionHostOptions,
} from "../../host/session-host.js";
import { HeadlessTui } from "../../server/handlers/headless-tui.js";
import type { TlsFiles } from "../../server/http/listening.js";
import { startRoutes } from "../../server/page/overview-routes.js";
import type { NotifyOptions } from "../../server/page/page.js";
import { DaemonError } from "../../server/project/daemon-error.js";
import { daemonFolderOf, PALAVER } from "../../server/project/daemon-folder.js";
import { type Daemon, serveDaemon } from "../../server/serve-daemon.js";
import { AskTelemetry } from "../../server/telemetry/ask-telemetry.js";
import type { McpServerSetting } from "../../session/settings/presets.js";
import { steadyNowMs } from "../../system/timers.js";
import type { FileFinder } from "../../terminal/painter/dialogs/file-finder.js";
import { createRedactor, type Redactor, secretsIn } from "../../text/redact.js";
import { finderAt } from "../../views/inline/file-list.js";
import { jsonLine } from "../../views/mini/json-line.js";
import { AgentServers, equipped } from "../agent-servers.js";
import { oneOf, publicOrigin, readCommandLine, wholeNumber } from "../arguments.js";
import type { Command } from "../command-table.js";
import { loadConfig } from "../config/load-config.js";
import { builtInFlags, flagVariables, refuseBuiltInFlags } from "../config/typed-layers.js";
import { existingProject } from "../daemon-connection.js";
import { type ExitCode, exitCodes, UsageError } from "../exit-codes.js";
import { hubOptions } from "../hub-connection.js";
import { HubMember } from "../hub-member.js";
import { keepAsks } from "../keep-asks.js";
import { logWords, say as print } from "../printed.js";
import { refuseWrongModel } from "../requested-model.js";
import { EMBEDDED, listAgents, namedAgent, type OwnAgents } from "./agents-command.js";

const help = `palaver serve [options] [NAME | -- COMMAND…]

Runs the daemon of this project. Use it from elsewhere with palaver attach,
state, action, logs, asks and answer, in a browser paired with palaver pair, or
over HTTP (/openapi.json describes it). It listens on loopback, and every
request needs the cookie of a paired browser or the token, which is in a file
that only you can read and changes each time the daemon starts. A project has
one palaver serve, which a newer version replaces; programs with a daemon of
their own (palaver/daemon) run beside it, and those commands show all of them.

An agent that you name, or give as a command, runs in the daemon: it keeps
running when terminals close, several users can watch it at once, and a
restarted daemon resumes its sessions. palaver sessions lists them.

  --port N           the port (default: any free one)
  --project FOLDER   another project (default: the project of this folder)
  --replace          replace a running palaver serve, whatever its version
  --host ADDRESS     another address to listen on; needs --tls-cert, because
                     others can then reach it
  --tls-cert FILE, --tls-key FILE
                     serve HTTPS with this certificate and key (PEM)
  --public-url URL   the https:// address of a proxy on this machine, such as
                     tailscale serve or caddy; palaver pair shows it
  --allow-remote     listen on --host without encryption: anyone on the network
                     path can read the token, every question and every answer
  --protocol P       the agent's protocol (default: that of the preset, or
                     detected)
  --allow-start      clients with the token may start any command, anywhere;
                     otherwise only presets and agents of your settings, in this
                     project
  --model PROVIDER:NAME, --base-url URL, --read-only
                     for palaver serve palaver: the built-in agent's settings
  --hub [URL]        join the hub of a team: its questions are seen and answered
                     on all machines (settings hub.url, hub.user, hub.key)
  --json             print its address as one line of JSON, and no log

ctrl+c or palaver stop ends it.

Examples
  palaver serve
  palaver serve claude
  palaver serve -- python3 my-agent.py
  palaver serve --port 4100 --public-url https://box.tail1234.ts.net
  palaver serve --port 4100 --json
`;

const options = {
  port: { type: "string", default: "0" },
  project: { type: "string", default: "." },
  host: { type: "string" },
  "allow-remote": { type: "boolean", default: false },
  "tls-cert": { type: "string" },
  "tls-key": { type: "string" },
  "public-url": { type: "string" },
  replace: { type: "boolean", default: false },
  protocol: { type: "string" },
  "allow-start": { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  ...hubOptions,
  continue: { type: "boolean", short: "c" },
  resume: { type: "string", short: "r", bare: { means: "", unless: /^[^-]/ } },
  ...builtInFlags,
} as const;

export const command: Command = {
  help,
  async run(args) {
    const { values, positionals, line } = readCommandLine("serve", args, options);
    if (values.continue === true || values.resume !== undefined) {
      throw new UsageError("a daemon resumes its own sessions when it starts; palaver run resumes any other");
    }
    const served = await openHost(values);
    const agent = agentIn(positionals, line ?? [], values, served.findAgent);
    if (agent?.memory === "session-file") useSettings(values);
    else refuseBuiltInFlags(agent?.name ?? "this command", values);
    const tui = createTui();
    const daemon = await startDaemon(values, tui, served);
    const ended = endOf(daemon);
    if (!values.json) tui.logs.tap("from-now", (entry) => process.stdout.write(logWords(entry)));
    await served.hub?.join((words) =>
      tui.logs.publish({ content: words, kind: "info", tabTitle: "DAEMON", handlerName: "daemon" }),
    );
    if (agent !== null && !served.host.runs(agent)) await served.host.startNew(agent, { cwd: daemon.project });
    say(daemon, values.json ? "json" : "words");
    return ended;
  },
};

// Every built-in agent of this daemon is started with its environment.
function useSettings(values: Values): void {
  const { settings, environment } = loadConfig({ flags: values, environment: process.env, folder: process.cwd() });
  refuseWrongModel(settings, environment);
  Object.assign(process.env, flagVariables(values));
}

type Values = ReturnType<typeof readCommandLine<typeof options>>["values"];

function createTui(): HeadlessTui {
  const tui = new HeadlessTui();
  // An absolute time, because the view is not redrawn; this locale writes 2026-01-31 09:30:00.
  const since = new Date().toLocaleString("sv-SE");
  const content = () => `version ${PALAVER_VERSION}, since ${since}`;
  const section = tui.newTabSection("DAEMON", "The daemon itself");
  tui.addHandler({ name: () => "daemon", label: () => "Daemon", content }, "", section);
  return tui;
}

interface Served {
  readonly host: SessionHost;
  readonly registry: AskRegistry;
  readonly redactor: Redactor;
  readonly findAgent: SessionHostOptions["findAgent"];
  /** Opens the asks of an earlier daemon again. */
  restore(): void;
  /** Null without a hub. */
  readonly hub: HubMember | null;
  readonly notify: NotifyOptions;
  readonly telemetry: AskTelemetry;
  agents(): StartableAgent[];
}

async function openHost(values: Values): Promise<Served> {
  const project = existingProject(values.project);
  const { settings } = loadConfig({ environment: process.env, folder: project });
  const redactor = createRedactor(secretsIn(process.env));
  const findAgent = hostedAgentFinder(settings.agents);
  const kept = (record: AuditRecord, agent: string) => keepAsks(agent, () => [], steadyNowMs)(record);
  const onProblem = (words: string | null) => words !== null && process.stderr.write(`${words}\n`);
  const folder = daemonFolderOf(project, process.env).path;
  const journal = new AskJournal({ path: join(folder, "asks.jsonl"), nowMs: steadyNowMs, onProblem });
  const telemetry = new AskTelemetry({ nowMs: steadyNowMs });
  const ended = (record: AuditRecord, agent: string) => {
    telemetry.finished(record, agent);
    hub?.finished(historyEntryOf(record, { agent, workFolder: project, nowMs: steadyNowMs }));
  };
  const registry = new AskRegistry({
    journal,
    onAudit(record, keeper) {
      ended(record, "daemon");
      if (keeper === "here") onProblem(kept(record, "daemon"));
    },
  });
  const host = new SessionHost({
    onAudit(record, agent) {
      journal.ended(record.askId, record.outcome);
      ended(record, agent);
      return kept(record, agent);
    },
    onAsk(change, agent) {
      if (change.type === "ask.raised") journal.raised(change.ask, "ends", agent);
      else journal.settled(change.ask, change.outcome);
    },
    folder: join(folder, "sessions"),
    project,
    redaction: redactor,
    findAgent,
    openLink: hostedAgentOpener(settings.mcp_servers),
    starts: values["allow-start"] ? "anything" : "named-agents",
  });
  registry.include(host.asks);
  const url = values.hub ?? (settings["hub.join"] === "always" ? "" : null);
  const hub = url === null ? null : new HubMember({ url, settings, project, registry, host, redactor });
  const restore = () => {
    const { open, lost } = journal.open();
    registry.restore(open);
    for (const { record, agent } of lost) {
      ended(record, agent);
      onProblem(kept(record, agent));
    }
  };
  const agents = () => startableAgents(settings.agents);
  const notify = {
    command: settings["notify.command"],
    content: settings["notify.content"],
    pushHosts: settings["notify.push_hosts"],
  };
  return { host, registry, redactor, findAgent, agents, notify, restore, hub, telemetry };
}

/** The agent to start with; null when none is named. */
function agentIn(
  names: readonly string[],
  line: readonly string[],
  values: Values,
  findAgent: Served["findAgent"],
): HostedAgent | null {
  const [name, ...more] = names;
  if (name === undefined && line.length === 0) return null;
  if (more.length > 0 || (name !== undefined && line.length > 0)) {
    throw new UsageError("serve takes one agent: palaver serve claude, or palaver serve -- python3 my-agent.py");
  }
  const { protocol } = values;
  const found = findAgent({
    ...(name === undefined ? { command: [...line] } : { agent: name }),
    ...(protocol === undefined ? {} : { protocol: oneOf("--protocol", protocol, hostedProtocols) }),
  });
  if ("problem" in found) throw new UsageError(found.problem);
  return found;
}

async function startDaemon(values: Values, tui: HeadlessTui, served: Served): Promise<Daemon> {
  const { host, registry, redactor, restore, hub, telemetry } = served;
  const { tls, publicUrl } = pageAddress(values);
  // Clients reload when a session starts or ends.
  host.subscribe(() => tui.refreshUI());
  try {
    return await serveDaemon({
      tui,
      asks: registry,
      sessions: host,
      onClaimed: async () => {
        restore();
        await host.resume();
      },
      metrics: () => {
        const sessions = host.list();
        const running = sessions.filter(({ state }) => state !== "ended").length;
        return [
          { name: "sessions", help: "Sessions that are listed", value: sessions.length },
          { name: "sessions_running", help: "Sessions whose agent runs", value: running },
          { name: "hub_joined", help: "1 when the daemon is at its hub", value: hub?.isJoined === true ? 1 : 0 },
          ...telemetry.metrics(),
        ];
      },
      takeSpans: () => telemetry.takeSpans(),
      onEnding: async () => {
        await host.stop();
        await hub?.leave();
      },
      program: PALAVER,
      version: PALAVER_VERSION,
      folder: values.project,
      port: wholeNumber("--port", values.port, 65_535),
      host: values.host,
      remote: values["allow-remote"] ? "allow" : "refuse",
      ...{ tls, publicUrl, notify: served.notify, elsewhere: hub?.team },
      groups: [startRoutes({ sessions: host, agents: served.agents, findFiles: fileSearch() })],
      replace: values.replace ? "always" : "older",
      redact: redactor.text,
    });
  } catch (error) {
    await host.stop();
    if (!(error instanceof DaemonError)) throw error;
    if (error.code === "address_refused")
      throw new UsageError(
        `${error.message}\n  With TLS: --tls-cert FILE --tls-key FILE · behind a proxy: --public-url URL · unencrypted: --allow-remote`,
      );
    const hint = hints[error.code];
    throw hint === undefined ? error : new Error(`${error.message}\n  ${hint}`);
  }
}

const hints: Partial<Record<DaemonError["code"], string>> = {
  other_program: "Stop it first: palaver stop",
  already_running: "Open it: palaver attach · stop it: palaver stop · replace it: --replace",
  port_taken: "Choose another with --port; without it, any free port is used",
};

function say({ url, pageUrl, project, tokenPath, logPath }: Daemon, form: "json" | "words"): void {
  if (form === "json") {
    const where = { url, page_url: pageUrl, project, pid: process.pid, token_file: tokenPath, log_file: logPath };
    process.stdout.write(jsonLine(where));
    return;
  }
  print(
    `The daemon of ${project} is at ${url}\n` +
      `  token  ${tokenPath}\n` +
      `  log    ${logPath}\n` +
      `  page   ${pageUrl} (palaver pair)\n` +
      "  ctrl+c ends it · palaver state · palaver logs -f\n",
  );
}

// Signals end the daemon first; a second SIGINT exits at once.
async function endOf(daemon: Daemon): Promise<ExitCode> {
  let code: ExitCode = exitCodes.done;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.removeAllListeners(signal);
    process.on(signal, () => {
      if (code === exitCodes.interrupted) process.exit(code);
      if (signal === "SIGINT") code = exitCodes.interrupted;
      void daemon.stop();
    });
  }
  await daemon.ended;
  return code;
}

// Which agents a daemon can start: presets, those in the settings, the embedded one, and plain commands; and how it starts them.
function hostedAgentFinder(own: OwnAgents): (request: AgentRequestOptions) => FoundAgent {
  return ({ agent, command: line = [], protocol }) => {
    if (agent !== undefined) return hosted(agent, own, protocol);
    const [command, ...args] = line;
    if (command === undefined) return { problem: "there is no command" };
    const spoken = protocol ?? "detect";
    return { name: null, command: { command, args }, protocol: spoken, memory: memoryOf(spoken) };
  };
}

function hosted(name: string, own: OwnAgents, asked: AgentRequestOptions["protocol"]): FoundAgent {
  const agent = namedAgent(name, own);
  if ("problem" in agent) return agent;
  const isEmbedded = name === EMBEDDED && !Object.hasOwn(own, name);
  const protocol = isEmbedded ? agent.protocol : (asked ?? agent.protocol);
  return { ...agent, protocol, memory: isEmbedded ? "session-file" : memoryOf(protocol) };
}

/** Hosted agents get the same tool servers as those in a terminal; their asks appear in the session of the agent. */
export function hostedAgentOpener(chosen: Readonly<Record<string, McpServerSetting>>): OpenAgentLink {
  return (agent, handlers, resume) => {
    const servers = new AgentServers({ protocol: agent.protocol, chosen, own: "on" });
    const link = awaitedLink(
      servers.open(handlers, (equipment, between) => {
        const { mcpServers } = equipment;
        const command = equipped(agent.command, equipment);
        return openAgentLink({ ...agent, command }, { ...between, mcpServers }, resume);
      }),
    );
    void link.exited.then(() => servers.close());
    return link;
  };
}

// What `palaver serve` adds for the page: the address under which browsers reach the daemon, the agents they can start, and the files
// they can name.

interface PageFlags {
  readonly "tls-cert"?: string | undefined;
  readonly "tls-key"?: string | undefined;
  readonly "public-url"?: string | undefined;
}

/** How browsers elsewhere reach the daemon, from the flags. */
function pageAddress(values: PageFlags): { tls: TlsFiles | undefined; publicUrl: string | undefined } {
  const { "tls-cert": cert, "tls-key": key, "public-url": url } = values;
  if ((cert === undefined) !== (key === undefined)) throw new UsageError("--tls-cert and --tls-key go together");
  const tls = cert === undefined || key === undefined ? undefined : { cert: fileText(cert), key: fileText(key) };
  return { tls, publicUrl: url === undefined ? undefined : publicOrigin("--public-url", url) };
}

function fileText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${errorMessage(error)}`);
  }
}

/** As the terminal completes an @. */
function fileSearch(): (folder: string, query: string, countMax: number) => Promise<readonly string[]> {
  const finders = new Map<string, FileFinder>();
  return (folder, query, countMax) => {
    const finder = finders.get(folder) ?? finderAt({ folder, host: hostname() }, steadyNowMs);
    finders.set(folder, finder);
    return finder.find(query, countMax);
  };
}

/** The built-in agent and every agent known by name. */
function startableAgents(own: OwnAgents): StartableAgent[] {
  const listed = listAgents(own, (name) => findProgram(name, process.env));
  const named = listed.map(({ name, title, path }) => ({ name, title, installed: path !== null }));
  return [{ name: EMBEDDED, title: "Palaver's own agent", installed: true }, ...named];
}
