// Which agent a prompt goes to and how it is started: by name, by command, or the embedded one; new or resumed. What an agent
// cannot do is refused before it runs.
import type { AgentCommand } from "../../agents/agent-process.js";
import { claudePromptArguments } from "../../agents/dialects/claude/claude-arguments.js";
import { findInstalledProgram } from "../../agents/found-program.js";
import { claudeEnvironment } from "../../agents/mcp-servers.js";
import { wireOfCommand } from "../../agents/presets.js";
import { type WireName, wireFacts } from "../../contract/wire-names.js";
import { EMBEDDED, namedAgent, notHere, type OwnAgents } from "../commands/agents-command.js";
import type { LoadedConfig } from "../config/load-config.js";
import { UsageError } from "../exit-codes.js";
import { type ResumedStart, resumedStart } from "../resume.js";
import type { RunRecord } from "./paused-runs.js";
import type { PromptArguments } from "./prompt-arguments.js";

export interface PromptAgent {
  /** The name of a preset; "palaver" for the embedded one; null for a command of one's own. */
  readonly name: string | null;
  readonly command: AgentCommand;
  readonly protocol: WireName | "detect";
}

type Choice = Pick<PromptArguments, "agent" | "commandLine" | "protocol">;

/** `before` is the run that goes on; its agent is used when none is named. */
export function choosePromptAgent(
  given: Choice,
  { own, preferred, before }: { own: OwnAgents; preferred: string; before: RunRecord | null },
): PromptAgent {
  const [program, ...args] = given.commandLine;
  if (program !== undefined) {
    return {
      name: null,
      command: { command: program, args },
      protocol: given.protocol ?? wireOfCommand(program, args) ?? "detect",
    };
  }
  const name = given.agent ?? before?.agent ?? null;
  if (name === null && before !== null) {
    const { command, args: its, protocol } = before;
    return { name: null, command: { command, args: its }, protocol: protocol as PromptAgent["protocol"] };
  }
  const chosen = namedAgent(name ?? (preferred === "" ? EMBEDDED : preferred), own);
  if ("problem" in chosen) throw new UsageError(chosen.problem);
  return given.protocol === null ? chosen : { ...chosen, protocol: given.protocol };
}

/** With the path of its program; throws when a named agent is not installed, or answers no prompts. */
export function foundAgent(agent: PromptAgent, environment: LoadedConfig["environment"]): PromptAgent {
  const { name, command, protocol } = agent;
  if (wireFacts(protocol).prompts === "typed") {
    throw new UsageError(
      `${name ?? command.command} is a program to type into, not an agent; open it with palaver run`,
    );
  }
  if (name === null || name === EMBEDDED) return agent;
  const path = findInstalledProgram(command.command, { ...environment, ...command.env });
  if (path !== null) return { ...agent, command: { ...command, command: path } };
  throw notHere(name, command.command);
}

export interface StartOptions extends Pick<PromptArguments, "turnsMax" | "permissions" | "allowedTools"> {
  readonly session: PromptArguments["session"];
  readonly mcpConfigPath: string | null;
  /** Whether the user can be asked here. */
  readonly presence: "person" | "away";
  /** Whether the agent has our own server to ask through. */
  readonly own: "on" | "off";
  readonly user: "root" | "other";
  isSession(named: string): boolean;
}

/** `resume` is the session for the link to resume; null without one, or when the command names it. */
export function startedAgent({ name, command: named, protocol }: PromptAgent, given: StartOptions): ResumedStart {
  const { session, presence } = given;
  const told = name === EMBEDDED ? ["--stream", ...(presence === "away" ? ["--unattended"] : [])] : [];
  const command = { ...named, args: [...named.args, ...told] };
  const resume = session === "new" || session === "continue" ? null : session.resume;
  const kind = name === EMBEDDED ? "embedded" : "other";
  const start =
    resume === null ? { command, resume } : resumedStart({ kind, command, protocol }, resume, given.isSession);
  if (wireFacts(protocol).promptOptions !== "arguments") return start;
  const env = { ...claudeEnvironment, ...command.env };
  // As root, Claude refuses to start with this flag. Then it asks, and the answer is given here, as for other agents.
  const permissions = given.user === "root" ? "asked" : given.permissions;
  const args = [...command.args, ...claudePromptArguments({ ...given, permissions })];
  return { command: { ...command, args, env }, resume: null };
}
