// `palaver run`: the terminal UI on any agent, by the name of a preset or by its command.

import type { DialectLinkHandlers } from "../../agents/dialect-link.js";
import type { SessionEvent } from "../../contract/session-events.js";
import { wireNames } from "../../contract/wire-names.js";
import { THEME_NAMES } from "../../text/look.js";
import { safeLine } from "../../text/safe.js";
import type { AgentBox } from "../agent-box.js";
import type { AgentServers } from "../agent-servers.js";
import { AgentSessions, type ResumableAgent } from "../agent-sessions.js";
import { oneOf, readArguments } from "../arguments.js";
import { type Command, type CommandEntry, commandTable } from "../command-table.js";
import { type LoadedConfig, loadConfig } from "../config/load-config.js";
import { builtInFlags, flagVariables, refuseBuiltInFlags, settingFlags } from "../config/typed-layers.js";
import { exitCodes, UsageError } from "../exit-codes.js";

const help = `palaver run [<agent> ["<message>"] | -- <command…>]

Opens the terminal UI on an agent that Palaver knows by name ("palaver agents"
lists them), or on any program that uses one of its protocols. Finished
output goes into the terminal's own scrollback; you type in the live lines below
it. The message, two words or more in quotes, is sent first.

  -c, --continue     resume the last session in this folder
  -r, --resume ID    resume this session; the beginning of its ID is enough.
                     Without an ID you choose from a list
  --protocol P       ${wireNames.join(", ").replace(/, (?=\w+$)/, " or ")};
                     detected if missing. plain is a program to type into, such
                     as bc; docs/protocol.md describes lines
  --record FILE      write the session to a file, without secrets; "palaver
                     replay" plays it
  --no-mcp           don't give the agent Palaver's MCP server
  --sandbox          run the agent in a sandbox: it can write only to this
                     folder and its own state folders and sees nothing else of
                     your home; it keeps the network, which it needs for its
                     model. If the sandbox does not work, nothing is started
  --screen S         inline, full or reader (for screen readers)
  --theme T          ${THEME_NAMES.join(", ")}, terminal or auto

For the built-in agent:
  --model PROVIDER:NAME  its model
  --base-url URL         another endpoint for it
  --read-only            it may read, but change nothing
  --no-sandbox           run its commands without the sandbox

  Every other setting is a flag, too: "palaver config" lists them.

  enter send · shift+enter new line · esc stop · ctrl+c clear, twice quit
  /help commands · /keys keys

Examples
  palaver run gemini
  palaver run claude --continue
  palaver run claude "fix the failing test"
  palaver run -- claude --model sonnet
  palaver run -- python3 my-agent.py
  palaver run -- bc
  palaver run --protocol acp --record talk.jsonl -- my-acp-agent --stdio
`;

export const command: Command = {
  help,
  async run(args) {
    const dashes = args.indexOf("--");
    const own = dashes < 0 ? args : args.slice(0, dashes);
    const { values, positionals } = readOwn(own);
    const asked = values["protocol"];
    const protocol = typeof asked === "string" ? oneOf("--protocol", asked, wireNames) : null;
    const config = loadConfig({ flags: values, environment: process.env, folder: process.cwd() });
    await refuseCommandBehindFlags(args, positionals[0], config);
    const { names, firstPrompt } = withMessage(positionals);
    const found = await chosenAgent(names, dashes < 0 ? [] : args.slice(dashes + 1), config);
    const chosen = withSettings(found, values);
    if (chosen.kind === "embedded" && (values.model ?? values["base-url"]) !== undefined) {
      const { refuseWrongModel } = await import("../requested-model.js");
      refuseWrongModel(config.settings, config.environment);
    }
    const agent = { ...chosen, protocol: protocol ?? chosen.protocol };
    const ownServer = values["no-mcp"] === true ? "off" : "on";
    const { boxed, box } = await inSandbox(agent, values, config);
    const sessions = new AgentSessions({ ...boxed, flags: keptFlags(values) });
    try {
      const choice = sessionChoice(values);
      if (choice !== null && choice !== "choose") await sessions.startOn(choice.name);
      const first = choice === "choose" ? ("resume" as const) : undefined;
      const opened = { config, ownServer, box, sessions, first, record: values["record"] } as const;
      await openUi(boxed, { ...opened, ...(firstPrompt === undefined ? {} : { firstPrompt }) });
    } finally {
      box?.close();
    }
    const { reopening } = sessions;
    if (reopening === null) return exitCodes.done;
    if (reopening.folder !== null) process.chdir(reopening.folder);
    return command.run([...reopening.args]);
  },
};

function readOwn(args: string[]) {
  try {
    return readArguments("run", args, {
      ...settingFlags,
      ...builtInFlags,
      protocol: { type: "string" },
      record: { type: "string" },
      ...sessionFlags,
      "no-mcp": { type: "boolean" },
      sandbox: { type: "boolean" },
      "no-sandbox": { type: "boolean" },
    });
  } catch (error) {
    const agent = args.find((word) => !word.startsWith("-"));
    const flag = error instanceof UsageError ? /there is no flag (\S+?);?(?:\s|$)/.exec(error.message)?.[1] : undefined;
    if (flag === undefined || agent === undefined) throw error;
    throw new UsageError(
      `${(error as UsageError).message}\n  A flag of ${agent} itself: palaver run -- ${agent} ${flag}`,
    );
  }
}

// `palaver --screen full run claude`: words that begin with a flag come here, whatever command follows.
async function refuseCommandBehindFlags(args: string[], name = "", { settings }: LoadedConfig): Promise<void> {
  const entry = commandTable.find((command) => command.name === name);
  if (entry === undefined || name in settings.agents || args[0] === name) return;
  const at = args.indexOf(name);
  const line = [name, ...args.slice(0, at), ...args.slice(at + 1)];
  const quoted = line.map((word) => (/\s/.test(word) ? `"${word}"` : word));
  const hint = (await lists(entry, args.slice(0, at))) ? `: palaver ${quoted.join(" ")}` : `\n  palaver ${name} --help`;
  throw new UsageError(`flags come after the command${hint}`);
}

/** Whether the command's help has all these flags. */
async function lists({ load }: CommandEntry, words: readonly string[]): Promise<boolean> {
  const { flagNames, flagsIn } = await import("./completion-command.js");
  const { help: its } = await load();
  const listed = new Set([...flagNames(its), ...flagsIn(its).map(({ short }) => short)]);
  return words.every((word) => !word.startsWith("-") || listed.has(word.split("=")[0] ?? ""));
}

/** Behind the agent, words with a space in them are a message. */
function withMessage(words: readonly string[]): { readonly names: string[]; readonly firstPrompt?: string } {
  const [name = "", message = ""] = words;
  const isMessage = words.length === 2 && /\s/.test(message);
  return isMessage ? { names: [name], firstPrompt: message } : { names: [...words] };
}

/** The flags that the next start has, too, when the user resumes a session of another agent or folder. */
function keptFlags(values: Readonly<Record<string, unknown>>): string[] | null {
  if (/^(?:true|yes|on|1)$/i.test(String(values["read-only"] ?? ""))) return null;
  const settings = Object.keys(settingFlags).filter((name) => name !== "agent" && !(name in builtInFlags));
  return [
    ...settings.flatMap((name) => (typeof values[name] === "string" ? [`--${name}=${values[name]}`] : [])),
    ...["no-mcp", "sandbox"].filter((name) => values[name] === true).map((name) => `--${name}`),
  ];
}

/** The terminal UI on the built-in agent, whichever agent is set up, with a first prompt. */
export async function openBuiltIn(firstPrompt: string): Promise<void> {
  const config = loadConfig({ environment: process.env, folder: process.cwd() });
  const agent = builtInAgent();
  const sessions = new AgentSessions(agent);
  await openUi(agent, { config, ownServer: "off", box: null, record: undefined, sessions, firstPrompt });
}

function builtInAgent(): ChosenAgent {
  const [, script = ""] = process.argv;
  const command = { command: process.execPath, args: [script, "agent"] };
  const startedBy = { before: ["palaver"], after: [] };
  return { kind: "embedded", name: EMBEDDED_NAME, command, protocol: "lines", startedBy };
}

// Flags apply to the built-in agent as well.
function withSettings(agent: ChosenAgent, flags: Readonly<Record<string, unknown>>): ChosenAgent {
  if (agent.kind === "embedded") {
    return { ...agent, command: { ...agent.command, env: { ...agent.command.env, ...flagVariables(flags) } } };
  }
  refuseBuiltInFlags(agent.name, flags);
  return agent;
}

const EMBEDDED_NAME = "palaver";

interface ChosenAgent extends ResumableAgent {
  readonly name: string;
}

const sessionFlags = {
  continue: { type: "boolean", short: "c" },
  resume: { type: "string", short: "r", bare: { means: "", unless: /^[^-]/ } },
} as const;

function sessionChoice({
  continue: last,
  resume,
}: Readonly<Record<string, unknown>>): { name: string } | "choose" | null {
  if (last === true && resume !== undefined) throw new UsageError("use --continue or --resume, not both");
  if (last === true) return { name: "" };
  if (typeof resume !== "string") return null;
  return resume === "" ? "choose" : { name: resume };
}

interface UiOptions {
  readonly config: LoadedConfig;
  /** Whether the agent gets a server of ours to ask through. */
  readonly ownServer: "on" | "off";
  readonly record: unknown;
  readonly box: AgentBox | null;
  readonly sessions: AgentSessions;
  readonly first?: "resume" | undefined;
  /** Sent as soon as the agent is ready. */
  readonly firstPrompt?: string;
}

// Before the terminal is taken over: with --sandbox, nothing runs unless the sandbox works.
async function inSandbox(
  agent: ChosenAgent,
  flags: Readonly<Record<string, unknown>>,
  { settings }: LoadedConfig,
): Promise<{ boxed: ChosenAgent; box: AgentBox | null }> {
  const isAsked = flags["sandbox"] === true;
  const isRefused = flags["no-sandbox"] === true;
  if (!isAsked && !isRefused) return { boxed: agent, box: null };
  const { AgentBox, embeddedEnvironment, sandboxChoice } = await import("../agent-box.js");
  const choice = sandboxChoice({ sandbox: isAsked, "no-sandbox": isRefused });
  if (agent.kind === "embedded") {
    const env = { ...agent.command.env, ...(await embeddedEnvironment(choice, process.cwd())) };
    return { boxed: { ...agent, command: { ...agent.command, env } }, box: null };
  }
  if (choice === "off") return { boxed: agent, box: null };
  const box = await AgentBox.open(process.cwd(), agent.command, settings);
  const { before, after } = agent.startedBy;
  const startedBy = { before: [...before, "--sandbox"], after };
  return { boxed: { ...agent, name: `${agent.name} in the sandbox`, startedBy }, box };
}

async function chosenAgent(names: string[], line: string[], { settings }: LoadedConfig): Promise<ChosenAgent> {
  const [command, ...args] = line;
  if (command !== undefined && names.length === 0) {
    const { programName, wireOfCommand } = await import("../../agents/presets.js");
    const protocol = wireOfCommand(command, args) ?? "detect";
    const startedBy = { before: ["palaver", "run"], after: ["--", ...line] };
    return { kind: "other", name: programName(line), command: { command, args }, protocol, startedBy };
  }
  const [name = settings.agent, ...more] = names;
  if (name === "" && command === undefined) return builtInAgent();
  if (more.length > 0 || command !== undefined) {
    throw new UsageError(
      'run needs one agent: palaver run gemini, or palaver run -- python3 my-agent.py\n  A message is two words or more, in quotes: palaver run gemini "fix the test"',
    );
  }
  const { notHere, presetNamed } = await import("./agents-command.js");
  const preset = presetNamed(name, settings.agents);
  if ("found" in preset) {
    const { command: program, args: presetArgs, protocol, env } = preset.found;
    const { findProgram } = await import("../../agents/found-program.js");
    // Fail before taking over the terminal.
    if (findProgram(program, { ...process.env, ...env }) === null) throw notHere(name, program);
    const found = { command: program, args: presetArgs, env };
    const startedBy = { before: ["palaver", "run", name], after: [] };
    return { kind: "other", name, command: found, protocol: protocol ?? "detect", startedBy };
  }
  if (name === EMBEDDED_NAME) return builtInAgent();
  const hint = preset.nearest === null ? "palaver agents lists them" : `did you mean "palaver run ${preset.nearest}"?`;
  throw new UsageError(`there is no agent "${name}"; ${hint}\n  A program of your own: palaver run -- ${name}`);
}

async function openUi({ kind, name, protocol }: ChosenAgent, options: UiOptions): Promise<void> {
  const { config, ownServer, record, box, sessions, first, firstPrompt } = options;
  const welcome = async () => (await import("../welcome.js")).welcomeFor(config);
  const start = {
    ...{ saved: sessions, first },
    ...(kind === "embedded" ? { welcome } : {}),
    ...(firstPrompt === undefined ? {} : { firstPrompt }),
  };
  const [{ openTerminal }, { recordSession }] = await Promise.all([
    import("../terminal-ui.js"),
    typeof record !== "string" ? { recordSession: null } : import("../record-session.js"),
  ]);
  // Loaded when the agent starts, after the first frame.
  let servers: AgentServers | null = null;
  const openLink = async (handlers: DialectLinkHandlers) => {
    const [{ openSessionLink }, parts, { retelling, withoutMemory }] = await Promise.all([
      import("../../agents/session-link.js"),
      import("../agent-servers.js"),
      import("../../host/hosted-link.js"),
    ]);
    servers ??= new parts.AgentServers({ protocol, chosen: config.settings.mcp_servers, own: ownServer });
    const { command, link, session } = await sessions.start();
    const performedBy = kind === "embedded" ? "palaver" : "agent";
    if (session === "forgotten") handlers.onEvent(withoutMemory);
    const isRepeated = retelling(session === "resumed" ? session : "new");
    const onEvent = (event: SessionEvent) => {
      sessions.heard(event);
      if (!isRepeated(event)) handlers.onEvent(event);
    };
    return servers.open({ ...handlers, onEvent }, async (equipment, between) => {
      const equipped = parts.equipped(command, equipment);
      const started = box === null ? equipped : await box.boxed(equipped);
      const { mcpServers } = equipment;
      return openSessionLink(started, { ...between, protocol, mcpServers, performedBy, ...link });
    });
  };
  try {
    const recording =
      recordSession === null || typeof record !== "string" ? null : recordSession(record, name, openLink);
    const last = await openTerminal({ name, openLink: recording?.openLink ?? openLink }, config, start);
    const trouble = recording?.close() ?? null;
    if (trouble !== null) throw new UsageError(trouble);
    const line = last === null || sessions.reopening !== null ? null : await sessions.resumeLine(last);
    if (line !== null) process.stderr.write(`\nresume: ${safeLine(line)}\n`);
  } finally {
    await (servers as AgentServers | null)?.close();
  }
}
