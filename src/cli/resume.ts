// How each agent resumes a session: the embedded one by a file, others over their wire. What cannot be resumed is refused before
// a process starts.
import { existsSync } from "node:fs";
import type { AgentCommand } from "../agents/agent-process.js";
import { SessionStore } from "../builtin/session/session-store.js";
import { stateFolder } from "../builtin/state-folder.js";
import { type WireName, wireFacts } from "../contract/wire-names.js";
import { UsageError } from "./exit-codes.js";

export interface GoingOn {
  readonly command: AgentCommand;
  /** The session for the link to resume; null when the command names it. */
  readonly resume: string | null;
}

export interface GoingOnAgent {
  readonly kind: "embedded" | "other";
  readonly command: AgentCommand;
  readonly protocol: WireName | "detect";
}

/** Whether the embedded agent has saved such a session; with a misspelt name it would begin a new one. */
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
