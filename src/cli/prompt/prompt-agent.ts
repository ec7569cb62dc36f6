// Which agent a prompt goes to and how it is started: by its name, by a command, or the embedded one; new, or going on with
// one of its sessions. Agents differ in how they are told; what an agent cannot do is refused before it runs.
import { basename } from "node:path";
import type { AgentCommand } from "../../agents/agent-process.js";
import { claudePromptArguments } from "../../agents/dialects/claude/claude-arguments.js";
import { findInstalledProgram } from "../../agents/found-program.js";
import { claudeEnvironment } from "../../agents/mcp-servers.js";
import { presets } from "../../agents/presets.js";
import type { Protocol } from "../../agents/session-link.js";
import { wireFacts } from "../../contract/wire-names.js";
import { notHere, type OwnAgents, presetNamed } from "../commands/agents-command.js";
import type { LoadedConfig } from "../config/load-config.js";
import { goingOn } from "../resume.js";
import { UsageError } from "../usage-error.js";
import type { RunRecord } from "./paused-runs.js";
import type { PromptArguments } from "./prompt-arguments.js";

export interface PromptAgent {
  /** The name of a preset; "palaver" for the embedded one; null for a command of one's own. */
  readonly name: string | null;
  readonly command: AgentCommand;
  /** "detect" finds it out when the agent starts. */
  readonly protocol: Protocol | "detect";
}

export const EMBEDDED = "palaver";

type Wishes = Pick<PromptArguments, "agent" | "commandLine" | "protocol">;

/** `before` is the run that goes on; its agent is used when none is named. */
export function choosePromptAgent(
  wishes: Wishes,
  { own, preferred, before }: { own: OwnAgents; preferred: string; before: RunRecord | null },
): PromptAgent {
  const [program, ...args] = wishes.commandLine;
  if (program !== undefined) {
    return { name: null, command: { command: program, args }, protocol: wishes.protocol ?? spoken(program, args) };
  }
  const name = wishes.agent ?? before?.agent ?? null;
  if (name === null && before !== null) {
    const { command, args: its, protocol } = before;
    return { name: null, command: { command, args: its }, protocol: protocol as PromptAgent["protocol"] };
  }
  const chosen = named(name ?? (preferred === "" ? EMBEDDED : preferred), own);
  return wishes.protocol === null ? chosen : { ...chosen, protocol: wishes.protocol };
}

function named(name: string, own: OwnAgents): PromptAgent {
  const preset = presetNamed(name, own);
  if ("found" in preset) {
    const { command, args, protocol, env } = preset.found;
    return { name, command: { command, args, env }, protocol: protocol ?? "detect" };
  }
  if (name === EMBEDDED) {
    const [, script = ""] = process.argv;
    return { name, command: { command: process.execPath, args: [script, "agent"] }, protocol: "lines" };
  }
  const hint = preset.nearest === null ? "palaver agents lists them" : `did you mean "${preset.nearest}"?`;
  throw new UsageError(`there is no agent "${name}"; ${hint}`);
}

/** The same with the place of its program; throws, with words that help, when a named agent is not on this machine. */
export function foundAgent(agent: PromptAgent, environment: LoadedConfig["environment"]): PromptAgent {
  const { name, command } = agent;
  if (name === null || name === EMBEDDED) return agent;
  const path = findInstalledProgram(command.command, { ...environment, ...command.env });
  if (path !== null) return { ...agent, command: { ...command, command: path } };
  throw notHere(name, command.command);
}

// A program that is called like one of the presets, the same way, speaks as it does.
function spoken(program: string, args: readonly string[]): PromptAgent["protocol"] {
  const known = presets.find(
    (preset) => preset.command === basename(program) && preset.args.every((arg) => args.includes(arg)),
  );
  return known?.protocol ?? "detect";
}

export interface StartOptions extends Pick<PromptArguments, "turnsMax" | "permissions" | "allowedTools"> {
  readonly session: PromptArguments["session"];
  readonly mcpConfigPath: string | null;
  /** Whether the user can be asked here. */
  readonly presence: "person" | "away";
  /** Whether the agent has our own server to ask through. */
  readonly own: "on" | "off";
  /** Of the embedded agent: it would begin a new one under a name that is only misspelt. */
  isSession(named: string): boolean;
}

export interface StartedAgent {
  readonly command: AgentCommand;
  /** A session for the link to go on with; null when the command says it already, or there is none. */
  readonly resume: string | null;
  /** Turns that we have to count because the agent was not told. */
  readonly turnsMax: number | null;
}

export function startedAgent({ name, command: named, protocol }: PromptAgent, wishes: StartOptions): StartedAgent {
  const { session, turnsMax, presence } = wishes;
  const told = name === EMBEDDED && presence === "away" ? ["--unattended"] : [];
  const command = { ...named, args: [...named.args, ...told] };
  if (wireFacts(protocol).promptOptions === "arguments") {
    const env = { ...claudeEnvironment, ...command.env };
    const args = [...command.args, ...claudePromptArguments(wishes)];
    return { command: { ...command, args, env }, resume: null, turnsMax: null };
  }
  const resume = session === "new" || session === "continue" ? null : session.resume;
  if (resume === null) return { command, resume, turnsMax };
  const kind = name === EMBEDDED ? "embedded" : "other";
  return { ...goingOn({ kind, command, protocol }, resume, wishes.isSession), turnsMax };
}

/** Whether a session of this agent can be gone on with later. */
export function isResumable({ name, protocol }: PromptAgent): boolean {
  return name === EMBEDDED || wireFacts(protocol).canResume;
}
