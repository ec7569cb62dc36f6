// Commands that every dialect answers alike, because the agent has no counterpart. Others are refused in a sentence.
import type { ServerCapabilities } from "../../contract/capabilities.js";
import { wireErrorCodes } from "../../contract/errors.js";
import type { LinesCommand } from "../../contract/lines-commands.js";
import { PROTOCOL_VERSION } from "../../contract/protocol-versions.js";
import type { SessionEvent } from "../../contract/session-events.js";
import type { StepBuilder } from "./step-builder.js";

export type Settings = Extract<SessionEvent, { type: "settings.changed" }>["settings"];

type Teller = Pick<StepBuilder, "tell" | "event" | "sessionId">;

export interface KnownAgent {
  /** Used in sentences. */
  readonly name: string;
  readonly capabilities: ServerCapabilities;
  readonly settings: Settings;
}

function answerOrRefuse(out: Teller, handlers: CommandHandlers, command: LinesCommand, agent: KnownAgent): void {
  switch (command.type) {
    case "initialize":
      tellAnswer(out, "initialized", {
        protocol_version: PROTOCOL_VERSION,
        server: { name: agent.name },
        server_capabilities: agent.capabilities,
        commands: Object.keys(handlers),
      });
      return;
    case "ping":
      tellAnswer(out, "pong", {});
      return;
    case "get_config":
      tellAnswer(out, "config_state", { config: configOf(agent.settings) });
      return;
    case "list_running_sessions":
      tellAnswer(out, "running_sessions", { sessions: [{ session_id: out.sessionId ?? "" }] });
      return;
    // An agent with one session at a time has left it when it opened the next.
    case "close_session":
      if (command.session_id === (out.sessionId ?? "")) refuse(out, `${agent.name} keeps its only session open`);
      else out.event({ type: "session.closed", sessionId: command.session_id, reason: "normal" });
      return;
    // The link closes the agent's input.
    case "quit":
    case "set_active_session":
      return;
    default:
      refuse(out, `${agent.name} doesn't support ${command.type.replaceAll("_", " ")}`);
  }
}

/** The commands that an agent supports. */
export type CommandHandlers = {
  readonly [Type in LinesCommand["type"]]?: (command: Extract<LinesCommand, { type: Type }>) => void;
};

export function handleCommand(out: Teller, handlers: CommandHandlers, command: LinesCommand, agent: KnownAgent): void {
  const handle = handlers[command.type] as ((command: LinesCommand) => void) | undefined;
  if (handle === undefined) answerOrRefuse(out, handlers, command, agent);
  else handle(command);
}

export function tellAnswer(out: Teller, command: string, answer: Record<string, unknown>): void {
  out.tell({ type: "command.answered", command, answer });
}

export function refuse(out: Teller, message: string): void {
  out.tell({ type: "command.failed", message, code: wireErrorCodes.notSupported });
}

function configOf(settings: Settings): Record<string, string> {
  return Object.fromEntries(settings.map(({ key, value }) => [key, value]));
}
