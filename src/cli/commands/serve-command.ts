// `palaver serve`: the daemon of a project, in the foreground, with the agents that live in it. It says where it is, prints its
// log, and ends on ctrl+c, on a signal or on `palaver stop`, giving back what it holds each time.
import { join } from "node:path";
import { awaitedLink } from "../../agents/link-relay.js";
import type { AuditRecord } from "../../contract/asks.js";
import { hostedProtocols } from "../../contract/hosted-sessions.js";
import { AskRegistry } from "../../host/asks/ask-registry.js";
import { type HostedAgent, memoryOf, type OpenAgentLink, openAgentLink } from "../../host/hosted-agent.js";
import {
  type AgentRequestOptions,
  type FoundAgent,
  SessionHost,
  type SessionHostOptions,
} from "../../host/session-host.js";
import { HeadlessTui } from "../../server/handlers/headless-tui.js";
import { daemonFolderOf } from "../../server/project/daemon-folder.js";
import { DaemonError } from "../../server/project/project-claim.js";
import { type Daemon, serveDaemon } from "../../server/serve-daemon.js";
import { sessionRoutes } from "../../server/sessions/session-routes.js";
import type { McpServerSetting } from "../../session/settings/presets.js";
import { steadyNowMs } from "../../system/timers.js";
import { createRedactor, type Redactor, secretsIn } from "../../text/redact.js";
import { jsonLine } from "../../views/mini/json-line.js";
import { AgentServers, equipped } from "../agent-servers.js";
import { oneOf, readCommandLine, wholeNumber } from "../arguments.js";
import type { Command } from "../command-table.js";
import { loadConfig } from "../config/load-config.js";
import { existingProject } from "../daemon-connection.js";
import { type ExitCode, exitCodes, UsageError } from "../exit-codes.js";
import { keepAsks } from "../keep-asks.js";
import { logWords, say as print } from "../printed.js";
import { EMBEDDED, namedAgent, type OwnAgents } from "./agents-command.js";

const help = `palaver serve [options] [NAME | -- COMMAND…]

The daemon of this project: clients see it and act on it from elsewhere, with
palaver attach, state, action, logs, asks and answer, or over HTTP
(/openapi.json describes it). It listens on loopback and every request needs the
token, which lies in a file that only you can read and is a new one each time.
One daemon runs per project; another version of palaver serve is replaced, the
daemon of another program is not.

An agent that is named, or given as a command, lives in it: it works on when
terminals close, several people can look at it at once, and a daemon that is
started again takes its sessions up where they were. palaver sessions lists
them.

  --port N           the port (default: any free one)
  --project FOLDER   another project (default: the project of this folder)
  --replace          end a palaver serve that runs already, also one of the
                     same version
  --host ADDRESS     another address to listen on; together with --allow-remote,
                     because others can reach it then
  --allow-remote     let other machines reach it; the token is all that keeps
                     them out, and it travels unencrypted
  --protocol P       how the agent speaks (default: that of the preset, or
                     detected)
  --allow-start      clients with the token may start any command, anywhere;
                     otherwise only presets and agents of your settings, in this
                     project
  --json             print its address as one line of JSON, and no log

ctrl+c ends it, and so does palaver stop.

Examples
  palaver serve
  palaver serve claude
  palaver serve -- python3 my-agent.py
  palaver serve --port 4100 --json
`;

const options = {
  port: { type: "string", default: "0" },
  project: { type: "string", default: "." },
  host: { type: "string" },
  "allow-remote": { type: "boolean", default: false },
  replace: { type: "boolean", default: false },
  protocol: { type: "string" },
  "allow-start": { type: "boolean", default: false },
  json: { type: "boolean", default: false },
} as const;

export const command: Command = {
  help,
  async run(args) {
    const { values, positionals, line } = readCommandLine("serve", args, options);
    const served = await openHost(values);
    const agent = agentIn(positionals, line ?? [], values, served.findAgent);
    const tui = createTui();
    const daemon = await startDaemon(values, tui, served);
    const ended = endOf(daemon);
    await served.host.resume();
    if (agent !== null && !served.host.runs(agent)) await served.host.startNew(agent, { cwd: daemon.project });
    say(daemon, values.json ? "json" : "words");
    if (!values.json) tui.logs.tap("from-now", (entry) => process.stdout.write(logWords(entry)));
    return ended;
  },
};

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
}

async function openHost(values: Values): Promise<Served> {
  const project = existingProject(values.project);
  const { settings } = loadConfig({ environment: process.env, folder: project });
  const redactor = createRedactor(secretsIn(process.env));
  const findAgent = hostedAgentFinder(settings.agents);
  const kept = (record: AuditRecord, agent: string) => keepAsks(agent, () => [], steadyNowMs)(record);
  const registry = new AskRegistry({
    onAudit(record) {
      const problem = kept(record, "daemon");
      if (problem !== null) process.stderr.write(`${problem}\n`);
    },
  });
  const host: SessionHost = new SessionHost({
    onAudit: (record) => kept(record, host.find(record.sessionId ?? "")?.entry().agent ?? "daemon"),
    folder: join(daemonFolderOf(project, process.env).path, "sessions"),
    project,
    redaction: redactor,
    findAgent,
    openLink: hostedAgentOpener(settings.mcp_servers),
    starts: values["allow-start"] ? "anything" : "named-agents",
  });
  registry.include(host.asks);
  return { host, registry, redactor, findAgent };
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

async function startDaemon(values: Values, tui: HeadlessTui, { host, registry, redactor }: Served): Promise<Daemon> {
  // Clients reload when a session starts or ends.
  host.subscribe(() => tui.refreshUI());
  try {
    return await serveDaemon({
      tui,
      asks: registry,
      groups: [sessionRoutes(host)],
      onEnding: () => host.stop(),
      program: "palaver",
      version: PALAVER_VERSION,
      folder: values.project,
      port: wholeNumber("--port", values.port, 65_535),
      host: values.host,
      remote: values["allow-remote"] ? "allow" : "refuse",
      replace: values.replace ? "always" : "other-version",
      redact: redactor.text,
    });
  } catch (error) {
    if (!(error instanceof DaemonError)) throw error;
    if (error.code === "address_refused") throw new UsageError(`${error.message}: --allow-remote`);
    const hint = hints[error.code];
    throw hint === undefined ? error : new Error(`${error.message}\n  ${hint}`);
  }
}

const hints: Partial<Record<DaemonError["code"], string>> = {
  other_program: "End it first: palaver stop",
  already_running: "Look at it: palaver attach · end it: palaver stop · put one in its place: --replace",
  port_taken: "Name another with --port; without the flag any free one is taken",
};

function say({ url, project, tokenPath, logPath }: Daemon, form: "json" | "words"): void {
  if (form === "json") {
    const where = { url, project, pid: process.pid, token_file: tokenPath, log_file: logPath };
    process.stdout.write(jsonLine(where));
    return;
  }
  print(
    `The daemon of ${project} is at ${url}\n` +
      `  token  ${tokenPath}\n` +
      `  log    ${logPath}\n` +
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
