// `palaver run`: the terminal UI on any agent, by the name of a preset or by its command.

import type { AgentCommand } from "../../agents/agent-process.js";
import type { DialectLinkHandlers } from "../../agents/dialect-link.js";
import { type WireName, wireNames } from "../../contract/wire-names.js";
import type { AgentBox } from "../agent-box.js";
import type { AgentServers } from "../agent-servers.js";
import { oneOf, readArguments } from "../arguments.js";
import type { Command } from "../command-table.js";
import { type LoadedConfig, loadConfig } from "../config/load-config.js";
import { flagVariables, settingFlags } from "../config/typed-layers.js";
import { exitCodes, UsageError } from "../exit-codes.js";

const help = `palaver run [<agent> | -- <command…>]

Opens the terminal UI on an agent: one that Palaver knows by name ("palaver
agents" lists them), or any program that speaks one of its wires. What is
settled goes to the terminal's own scrollback; the live lines below it are yours
to type in.

  --protocol P   how it speaks: ${wireNames.join(", ")}.
                 docs/protocol.md describes lines. For a command it is detected
                 if missing
  --record FILE  write the session to a file, without secrets; "palaver replay"
                 plays it
  --resume ID    resume a session, if the agent can
  --no-mcp       the agent gets no server to ask through
  --sandbox      the agent runs in a sandbox: it writes only in this folder and
                 where it keeps its own state, and sees nothing else of your
                 home; it keeps the network, which it needs for its model.
                 Where the sandbox does not work, nothing is started
  --no-sandbox   of the built-in agent: its commands run as they are
  --screen S     inline, full or reader (for screen readers)
  --theme T      harbour, ember, moss, paper, dawn, terminal or auto
  Every other setting is a flag, too: "palaver config" lists them.

  enter send · shift+enter new line · esc stop · ctrl+c clear, twice leave
  /help commands · /keys keys

Examples
  palaver run gemini
  palaver run -- python3 my-agent.py
  palaver run --protocol acp --record talk.jsonl -- my-acp-agent --stdio
`;

export const command: Command = {
  help,
  async run(args) {
    const dashes = args.indexOf("--");
    const own = dashes < 0 ? args : args.slice(0, dashes);
    const { values, positionals } = readArguments("run", own, {
      ...settingFlags,
      protocol: { type: "string" },
      record: { type: "string" },
      resume: { type: "string" },
      "no-mcp": { type: "boolean" },
      sandbox: { type: "boolean" },
      "no-sandbox": { type: "boolean" },
    });
    const asked = values["protocol"];
    const protocol = typeof asked === "string" ? oneOf("--protocol", asked, wireNames) : null;
    const config = loadConfig({ flags: values, environment: process.env, folder: process.cwd() });
    const found = await chosenAgent(positionals, dashes < 0 ? [] : args.slice(dashes + 1), config);
    const chosen = found.kind === "embedded" ? withSettings(found, flagVariables(values)) : found;
    const agent = await onSession({ ...chosen, protocol: protocol ?? chosen.protocol }, values["resume"]);
    const ownServer = values["no-mcp"] === true ? "off" : "on";
    const { boxed, box } = await inSandbox(agent, values, config);
    try {
      await openUi(boxed, { config, ownServer, box, record: values["record"] });
    } finally {
      box?.close();
    }
    return exitCodes.done;
  },
};

function builtInAgent(): ChosenAgent {
  const [, script = ""] = process.argv;
  const command = { command: process.execPath, args: [script, "agent"] };
  return { kind: "embedded", name: "palaver", command, protocol: "lines" };
}

// Flags apply to the built-in agent as well, above all --read-only.
function withSettings(agent: ChosenAgent, env: Readonly<Record<string, string>>): ChosenAgent {
  return { ...agent, command: { ...agent.command, env: { ...agent.command.env, ...env } } };
}

interface ChosenAgent {
  readonly kind: "embedded" | "other";
  readonly name: string;
  readonly command: AgentCommand;
  readonly protocol: WireName | "detect";
  /** The session that the link resumes. */
  readonly resume?: string;
}

interface UiOptions {
  readonly config: LoadedConfig;
  /** Whether the agent gets a server of ours to ask through. */
  readonly ownServer: "on" | "off";
  readonly record: unknown;
  readonly box: AgentBox | null;
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
  const { AgentBox, embeddedEnvironment, sandboxWish } = await import("../agent-box.js");
  const wish = sandboxWish({ sandbox: isAsked, "no-sandbox": isRefused });
  if (agent.kind === "embedded") {
    const env = { ...agent.command.env, ...(await embeddedEnvironment(wish, process.cwd())) };
    return { boxed: { ...agent, command: { ...agent.command, env } }, box: null };
  }
  if (wish === "off") return { boxed: agent, box: null };
  const box = await AgentBox.open(process.cwd(), agent.command, settings);
  return { boxed: { ...agent, name: `${agent.name} in the sandbox` }, box };
}

async function chosenAgent(names: string[], line: string[], { settings }: LoadedConfig): Promise<ChosenAgent> {
  const [command, ...args] = line;
  if (command !== undefined && names.length === 0) {
    const { wireOfCommand } = await import("../../agents/presets.js");
    const protocol = wireOfCommand(command, args) ?? "detect";
    return { kind: "other", name: agentName(line), command: { command, args }, protocol };
  }
  const [name = settings.agent, ...more] = names;
  if (name === "" && command === undefined) return builtInAgent();
  if (more.length > 0 || command !== undefined) {
    throw new UsageError("run needs one agent: palaver run gemini, or palaver run -- python3 my-agent.py");
  }
  const { notHere, presetNamed } = await import("./agents-command.js");
  const preset = presetNamed(name, settings.agents);
  if ("found" in preset) {
    const { command: program, args: presetArgs, protocol, env } = preset.found;
    const { findProgram } = await import("../../agents/found-program.js");
    // Fail before taking over the terminal.
    if (findProgram(program, { ...process.env, ...env }) === null) throw notHere(name, program);
    const found = { command: program, args: presetArgs, env };
    return { kind: "other", name, command: found, protocol: protocol ?? "detect" };
  }
  const hint = preset.nearest === null ? "palaver agents lists them" : `did you mean "palaver run ${preset.nearest}"?`;
  throw new UsageError(`there is no agent "${name}"; ${hint}\n  A program of your own: palaver run -- ${name}`);
}

// Fails before the terminal is taken over.
async function onSession(agent: ChosenAgent, session: unknown): Promise<ChosenAgent> {
  if (typeof session !== "string") return agent;
  const { goingOn, isSavedSession } = await import("../resume.js");
  const { command, resume } = goingOn(agent, session, isSavedSession);
  return { ...agent, command, ...(resume === null ? {} : { resume }) };
}

async function openUi({ kind, name, command, protocol, resume }: ChosenAgent, options: UiOptions): Promise<void> {
  const { config, ownServer, record, box } = options;
  const [{ openTerminal }, { recordSession }] = await Promise.all([
    import("../terminal-ui.js"),
    typeof record !== "string" ? { recordSession: null } : import("../record-session.js"),
  ]);
  // Loaded when the agent starts, after the first frame.
  let servers: AgentServers | null = null;
  const openLink = async (handlers: DialectLinkHandlers) => {
    const [{ openSessionLink }, parts] = await Promise.all([
      import("../../agents/session-link.js"),
      import("../agent-servers.js"),
    ]);
    servers ??= new parts.AgentServers({ protocol, chosen: config.settings.mcp_servers, own: ownServer });
    const session = resume === undefined ? {} : { resume };
    const performedBy = kind === "embedded" ? "palaver" : "agent";
    return servers.open(handlers, async (equipment, between) => {
      const equipped = parts.equipped(command, equipment);
      const started = box === null ? equipped : await box.boxed(equipped);
      const { mcpServers } = equipment;
      return openSessionLink(started, { ...between, protocol, mcpServers, performedBy, ...session });
    });
  };
  try {
    if (recordSession === null || typeof record !== "string") {
      await openTerminal({ name, openLink }, config);
      return;
    }
    const recording = recordSession(record, name, openLink);
    await openTerminal({ name, openLink: recording.openLink }, config);
    const trouble = recording.close();
    if (trouble !== null) throw new UsageError(trouble);
  } finally {
    await (servers as AgentServers | null)?.close();
  }
}

/** The program, not the interpreter it runs in. */
function agentName(commandLine: readonly string[]): string {
  const words = commandLine.map((word) => word.split("/").at(-1) ?? word);
  if (words[1] === "cli.js" && words[2] === "agent") return "palaver";
  const isInterpreter = /^(?:node|python3?|ruby|bash|sh|deno|bun)$/.test(words[0] ?? "");
  return (isInterpreter ? words[1] : words[0]) ?? "agent";
}
