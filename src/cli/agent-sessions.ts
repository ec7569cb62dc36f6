// The sessions that the terminal UI can resume, of its agent and of others: which there are, which one the next start is on, and
// how the user resumes the last one later.
import { statSync } from "node:fs";
import type { AgentCommand } from "../agents/agent-process.js";
import type { SessionHistory } from "../agents/dialects/dialect.js";
import { objectOf } from "../contract/json-value.js";
import type { SessionEvent } from "../contract/session-events.js";
import { type WireName, wireFacts } from "../contract/wire-names.js";
import type { SavedSession, SavedSessions } from "../session/saved-session.js";
import { safeLine } from "../text/safe.js";

// Loaded on demand, after the first frame.
const resumes = () => import("./resume.js");

export interface ResumableAgent {
  readonly kind: "embedded" | "other";
  readonly command: AgentCommand;
  readonly protocol: WireName | "detect";
  /** The words that start it again, without a session. */
  readonly startedBy: { readonly before: readonly string[]; readonly after: readonly string[] };
  /** The flags that another start keeps; null for flags that no other agent obeys. */
  readonly flags?: readonly string[] | null;
}

/** The UI opens again: in this folder, with these arguments of `palaver run`. */
export interface Reopening {
  readonly folder: string | null;
  readonly args: readonly string[];
}

export class AgentSessions implements SavedSessions {
  /** Set when the user has chosen a session of another agent or folder. */
  reopening: Reopening | null = null;
  private readonly agent: ResumableAgent;
  private readonly ownWay: "told" | "restart";
  private ofOthers: ReadonlySet<SavedSession> = new Set();
  private next: { readonly ref: string; readonly session: SavedSession | null } | null = null;
  private canResume: boolean;

  constructor(agent: ResumableAgent) {
    const { kind, protocol } = agent;
    const { resume } = wireFacts(protocol);
    this.agent = agent;
    this.ownWay = resume === "restarted" ? "restart" : "told";
    // An agent that speaks ACP says itself whether it can.
    this.canResume = kind === "embedded" || (resume !== "none" && protocol !== "acp");
  }

  /** Before the first start; empty for the newest session of this folder. Throws a UsageError. */
  async startOn(name: string): Promise<void> {
    const { agent } = this;
    const { foundSession, resumedStart, isSavedSession } = await resumes();
    // An agent that cannot resume is refused first.
    if (agent.kind === "other") resumedStart(agent, name, isSavedSession);
    this.next = await foundSession(agent, name, { environment: process.env, folder: process.cwd() });
  }

  async list(): Promise<readonly SavedSession[] | null> {
    return (await resumes()).savedSessionsOf(this.agent, process.env);
  }

  async others(): Promise<readonly SavedSession[]> {
    const others = await (await resumes()).savedByOthers(this.agent, process.env);
    this.ofOthers = new Set(others);
    return others;
  }

  howToOpen(session: SavedSession): "told" | "restart" | "reopen" {
    const isElsewhere = session.cwd !== null && session.cwd !== process.cwd() && this.agent.kind === "other";
    return this.ofOthers.has(session) || isElsewhere ? "reopen" : this.ownWay;
  }

  problemWith(session: SavedSession): string | null {
    if (this.howToOpen(session) !== "reopen") return null;
    if (this.agent.flags !== null || !this.ofOthers.has(session)) return folderProblem(session);
    const { agent, id } = session;
    return `${agent} would not obey --read-only; quit and run: palaver sessions ${id}`;
  }

  startNextOn(session: SavedSession): void {
    if (this.howToOpen(session) === "reopen") this.reopening = this.reopeningOn(session);
    else this.next = { ref: session.ref, session };
  }

  private reopeningOn(session: SavedSession): Reopening {
    const { startedBy, flags } = this.agent;
    const { before, after } = this.ofOthers.has(session)
      ? { before: ["palaver", "run", session.agent], after: [] }
      : startedBy;
    return { folder: session.cwd, args: [...before.slice(2), ...(flags ?? []), "--resume", session.id, ...after] };
  }

  /** The command, and what its link is told, for the next start. */
  async start(): Promise<{ command: AgentCommand; link: { resume?: string; history?: SessionHistory } }> {
    const { next, agent } = this;
    if (next === null) return { command: agent.command, link: {} };
    const { resumedStart, isSavedSession } = await resumes();
    const { command, resume } = resumedStart(agent, next.ref, isSavedSession);
    if (resume === null) return { command, link: {} };
    const path = this.ownWay === "restart" ? next.session?.path : undefined;
    if (path === undefined) return { command, link: { resume } };
    const { sessionLines } = await import("../agents/session-files.js");
    return { command, link: { resume, history: await sessionLines(path) } };
  }

  heard(event: SessionEvent): void {
    if (event.type !== "command.answered" || event.command !== "initialized" || this.agent.protocol !== "acp") return;
    this.canResume = objectOf(event.answer["server_capabilities"])["supports_sessions"] === true;
  }

  /** The line that resumes this session; null when the agent cannot, and for a name that would be an option in it. */
  async resumeLine(id: string): Promise<string | null> {
    if (!this.canResume || /^(?:$|-)/.test(id)) return null;
    const { shellWord } = await resumes();
    const { before, after } = this.agent.startedBy;
    // The whole id: its beginning may belong to a later session, too.
    return [...before, "--resume", id, ...after].map(shellWord).join(" ");
  }
}

/** Why the folder of a session cannot be opened; null when it can. */
export function folderProblem({ cwd }: SavedSession): string | null {
  const isThere = cwd === null || statSync(cwd, { throwIfNoEntry: false })?.isDirectory() === true;
  return isThere ? null : `the folder of this session is gone: ${safeLine(cwd)}`;
}
