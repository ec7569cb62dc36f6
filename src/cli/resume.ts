// The saved sessions of an agent, which of them the user means, and how the agent resumes it: the embedded one by a file,
// others over their wire or with their arguments. What cannot be resumed is refused before a process starts.
import { existsSync } from "node:fs";
import { basename } from "node:path";
import type { AgentCommand } from "../agents/agent-process.js";
import { findProgram } from "../agents/found-program.js";
import { agentsWithSessionFiles, listSessionFiles } from "../agents/session-files.js";
import { SessionStore } from "../builtin/session/session-store.js";
import { stateFolder } from "../builtin/state-folder.js";
import { namedSession, shortSessionId } from "../contract/named-session.js";
import { type WireName, wireFacts } from "../contract/wire-names.js";
import { newestFirst, type SavedSession } from "../session/saved-session.js";
import type { Environment } from "../session/user-folders.js";
import { lockHolder } from "../system/file-lock.js";
import { EMBEDDED } from "./commands/agents-command.js";
import { UsageError } from "./exit-codes.js";
import { shellQuoted } from "./printed.js";

export interface ResumedStart {
  readonly command: AgentCommand;
  /** The session for the link to resume; null when the command names it. */
  readonly resume: string | null;
}

export interface ResumableAgent {
  readonly kind: "embedded" | "other";
  readonly command: AgentCommand;
  readonly protocol: WireName | "detect";
}

/** Whether the embedded agent has saved such a session; with a misspelt name it would begin a new one. */
export function isSavedSession(named: string): boolean {
  return existsSync(new SessionStore(stateFolder(process.env)).placeOf(named));
}

// Agents name their sessions themselves, and some get the name as an argument, where an option in its place would count.
export function resumedStart(
  agent: ResumableAgent,
  session: string,
  isSaved: (named: string) => boolean,
): ResumedStart {
  const { kind, command, protocol } = agent;
  if (session.startsWith("-")) throw new UsageError(`there is no session ${session}: that is an option, not an id`);
  if (kind === "embedded") {
    if (!isSaved(session)) throw unknownSession(session);
    return { command: { ...command, args: [...command.args, "--session-file", session] }, resume: null };
  }
  refuseWithoutResume(protocol);
  return { command, resume: session };
}

function refuseWithoutResume(protocol: ResumableAgent["protocol"]): void {
  if (wireFacts(protocol).resume !== "none") return;
  throw new UsageError(`this agent cannot resume a session: the ${protocol} protocol does not support it`);
}

/** The newest first; null when only the agent itself can list them. */
export async function savedSessionsOf(
  { kind, command }: Pick<ResumableAgent, "kind" | "command">,
  environment: Environment,
): Promise<SavedSession[] | null> {
  if (kind === "other") return listSessionFiles(command.command, { ...environment, ...command.env });
  const saved = await new SessionStore(stateFolder(environment)).list();
  return saved.map(({ id, title, cwd, timestamp, path }) => {
    return { agent: EMBEDDED, id, title, cwd, atMs: timestamp, ref: path, path };
  });
}

/** The sessions of every agent that keeps them in files, the newest first. */
export async function savedByAll(environment: Environment): Promise<SavedSession[]> {
  const lists = await Promise.all(
    [EMBEDDED, ...agentsWithSessionFiles].map((program) => {
      const kind = program === EMBEDDED ? "embedded" : "other";
      return savedSessionsOf({ kind, command: { command: program, args: [] } }, environment);
    }),
  );
  return newestFirst(lists.flatMap((list) => list ?? []));
}

/** Why a session that another process has open cannot be resumed; null when none has. Other agents than ours keep no locks. */
export async function heldProblem({ agent, path }: SavedSession): Promise<string | null> {
  const holder = agent === EMBEDDED && path !== undefined ? await lockHolder(`${path}.lock`) : null;
  return holder === null ? null : `this session is open in another process (pid ${holder.pid}); quit it there first`;
}

/** Those of all but this agent, as far as their agents are installed. */
export async function savedByOthers(
  { kind, command }: Pick<ResumableAgent, "kind" | "command">,
  environment: Environment,
): Promise<SavedSession[]> {
  const own = kind === "embedded" ? EMBEDDED : basename(command.command);
  const sessions = (await savedByAll(environment)).filter(({ agent }) => agent !== own);
  const agents = new Set(sessions.map(({ agent }) => agent));
  for (const agent of agents) {
    if (agent !== EMBEDDED && findProgram(agent, environment) === null) agents.delete(agent);
  }
  return sessions.filter(({ agent }) => agents.has(agent));
}

/** What the user named: the session, or the name as it is when only the agent knows its sessions. */
export interface FoundSession {
  readonly ref: string;
  readonly session: SavedSession | null;
}

/** `name` is an id or the beginning of one; empty for the newest in this folder. Throws a UsageError. */
export async function foundSession(
  agent: ResumableAgent,
  name: string,
  { environment, folder }: { readonly environment: Environment; readonly folder: string },
): Promise<FoundSession> {
  const sessions = await savedSessionsOf(agent, environment);
  if (sessions === null) return unlisted(agent, name);
  const chosen = namedSession(name === "" ? sessions.filter(({ cwd }) => cwd === folder) : sessions, name);
  if ("session" in chosen) {
    if (agent.kind === "other") refuseOtherFolder(chosen.session, sessions, folder);
    return { ref: chosen.session.ref, session: chosen.session };
  }
  if (chosen.problem !== null) throw new UsageError(chosen.problem);
  // It may be a file, or one that is too old for the list.
  if (agent.kind === "embedded" ? !isSavedSession(name) : name.length < WHOLE_ID_CHARS_MIN) throw unknownSession(name);
  return { ref: name, session: null };
}

const WHOLE_ID_CHARS_MIN = 20;

function unlisted({ protocol }: ResumableAgent, name: string): FoundSession {
  refuseWithoutResume(protocol);
  if (name === "" && wireFacts(protocol).resume !== "offered") {
    throw new UsageError("Palaver cannot list the sessions of this agent; name one: --resume ID");
  }
  return { ref: name, session: null };
}

function unknownSession(name: string): UsageError {
  return new UsageError(`there is no session ${name}; palaver sessions lists them`);
}

// Agents look for a session in the folder that they are started in.
function refuseOtherFolder({ agent, id, cwd }: SavedSession, all: readonly SavedSession[], folder: string): void {
  if (cwd === null || cwd === folder) return;
  const ids = all.map((session) => session.id);
  throw new UsageError(
    `this session belongs to another folder; resume it there:\n  cd ${shellWord(cwd)} && palaver run ${agent} --resume ${shortSessionId(id, ids)}`,
  );
}

/** Quoted only where it has to be. */
export function shellWord(text: string): string {
  return /^[\w./:@%+,~-]+$/.test(text) ? text : shellQuoted(text);
}
