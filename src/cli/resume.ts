// An agent that goes on with one of its sessions: how each is told which one. The embedded agent reads the session's file,
// others hear of it over their wire; what cannot go on is refused before a terminal is taken or a process is started.
import { existsSync } from "node:fs";
import type { AgentCommand } from "../agents/agent-process.js";
import type { Protocol } from "../agents/session-link.js";
import { SessionStore } from "../builtin/session/session-store.js";
import { stateFolder } from "../builtin/state-folder.js";
import { wireFacts } from "../contract/wire-names.js";
import { UsageError } from "./exit-codes.js";

export interface GoingOn {
  readonly command: AgentCommand;
  /** A session for the link to go on with; null when the command says it already. */
  readonly resume: string | null;
}

export interface GoingOnAgent {
  readonly kind: "embedded" | "other";
  readonly command: AgentCommand;
  readonly protocol: Protocol | "detect";
}

/** Whether the embedded agent has saved such a session; it would begin a new one under a name that is only misspelt. */
export function isSavedSession(named: string): boolean {
  return existsSync(new SessionStore(stateFolder(process.env)).placeOf(named));
}

export function goingOn(agent: GoingOnAgent, session: string, isSaved: (named: string) => boolean): GoingOn {
  const { kind, command, protocol } = agent;
  if (kind === "embedded") {
    if (!isSaved(session)) throw new UsageError(`there is no session ${session}; palaver sessions lists them`);
    return { command: { ...command, args: [...command.args, "--session-file", session] }, resume: null };
  }
  if (wireFacts(protocol).canResume) return { command, resume: session };
  const words = protocol === "detect" ? "say with --protocol how it speaks" : `one that speaks ${protocol} cannot`;
  throw new UsageError(`this agent cannot go on with a session here: ${words}`);
}
