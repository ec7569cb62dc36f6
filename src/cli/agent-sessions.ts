// The sessions that the terminal UI can resume, of its agent and of others: which there are, which one the next start is on, and
// how the user resumes the last one later.
import { statSync } from "node:fs";
import type { AgentCommand } from "../agents/agent-process.js";
import type { SessionHistory } from "../agents/dialects/dialect.js";
import { objectOf } from "../contract/json-value.js";
import type { SessionEvent } from "../contract/session-events.js";
import { type WireFacts, type WireName, wireFacts } from "../contract/wire-names.js";
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

/** Whether this agent can resume its sessions later; on some wires it says so itself. */
export class Resumability {
  /** Null while the agent has not said so. */
  can: boolean | null;
  private readonly way: WireFacts["resume"];

  constructor({ kind, protocol }: Pick<ResumableAgent, "kind" | "protocol">) {
    this.way = wireFacts(protocol).resume;
    this.can = kind === "embedded" || (this.way === "offered" ? null : this.way !== "none");
  }

  heard(event: SessionEvent): void {
    if (this.way !== "offered" || event.type !== "command.answered" || event.command !== "initialized") return;
    this.can = objectOf(event.answer["server_capabilities"])["supports_sessions"] === true;
  }
}

/** The UI opens again: in this folder, with these arguments of `palaver run`. */
export interface Reopening {
  readonly folder: string | null;
  readonly args: readonly string[];
}

export interface AgentStart {
  readonly command: AgentCommand;
  /** What its link is told. */
  readonly link: { readonly resume?: string; readonly history?: SessionHistory };
  /** "resumed": the transcript is here, and the agent may repeat it; "forgotten": the agent does not know what the transcript says. */
  readonly session: "new" | "resumed" | "forgotten";
}

export class AgentSessions implements SavedSessions {
  /** Set when the user has chosen a session of another agent or folder. */
  reopening: Reopening | null = null;
  private readonly agent: ResumableAgent;
  private readonly ownWay: "told" | "restart";
  private ofOthers: ReadonlySet<SavedSession> = new Set();
  private next: { readonly ref: string; readonly session: SavedSession | null } | null = null;
  private readonly resumability: Resumability;
  private readonly current = new CurrentSession();

  constructor(agent: ResumableAgent) {
    this.agent = agent;
    this.ownWay = wireFacts(agent.protocol).resume === "restarted" ? "restart" : "told";
    this.resumability = new Resumability(agent);
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

  // An agent that is told to resume a session says itself what is wrong; the UI that opens again would have lost this one.
  async problemWith(session: SavedSession): Promise<string | null> {
    if (this.howToOpen(session) !== "reopen") return null;
    if (this.agent.flags === null && this.ofOthers.has(session)) {
      return `${session.agent} would not obey --read-only; quit and run: palaver sessions ${session.id}`;
    }
    return folderProblem(session) ?? (await resumes()).heldProblem(session);
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

  /** The next start: on the chosen session, or, of an agent that ran before, on the one that it had. */
  async start(): Promise<AgentStart> {
    const { next, agent } = this;
    this.next = null;
    if (next === null) return this.startAgain();
    const { resumedStart, isSavedSession } = await resumes();
    const { command, resume } = resumedStart(agent, next.ref, isSavedSession);
    this.current.begins(next.ref);
    if (resume === null) return { command, link: {}, session: "new" };
    const path = this.ownWay === "restart" ? next.session?.path : undefined;
    if (path === undefined) return { command, link: { resume }, session: "new" };
    const { sessionLines } = await import("../agents/session-files.js");
    return { command, link: { resume, history: await sessionLines(path) }, session: "new" };
  }

  // What was said stands in the transcript, so that an agent that does not remember it would surprise.
  private async startAgain(): Promise<AgentStart> {
    const { agent, current } = this;
    const { id, isSpoken } = current;
    current.begins(null);
    if (!isSpoken) return { command: agent.command, link: {}, session: "new" };
    const { resumedStart, isSavedSession } = await resumes();
    const isKept = id !== null && !OPTION.test(id) && (agent.kind === "other" || isSavedSession(id));
    if (!isKept || this.resumability.can === false) return { command: agent.command, link: {}, session: "forgotten" };
    const { command, resume } = resumedStart(agent, id, isSavedSession);
    current.begins(id);
    return { command, link: resume === null ? {} : { resume }, session: "resumed" };
  }

  heard(event: SessionEvent): void {
    this.resumability.heard(event);
    this.current.heard(event);
  }

  /** The line that resumes this session; null when the agent cannot, and for a name that would be an option in it. */
  async resumeLine(id: string): Promise<string | null> {
    if (this.resumability.can !== true || id === "" || OPTION.test(id)) return null;
    const { shellWord } = await resumes();
    const { before, after } = this.agent.startedBy;
    // The whole id: its beginning may belong to a later session, too.
    return [...before, "--resume", id, ...after].map(shellWord).join(" ");
  }
}

const OPTION = /^-/;

/** The active session of the running agent, and whether anything was said in it. */
class CurrentSession {
  id: string | null = null;
  private readonly spoken = new Set<string | null>();
  private resumed: string | null = null;

  get isSpoken(): boolean {
    return this.spoken.has(this.id);
  }

  /** An agent is started, on a new session or on this one. */
  begins(resumed: string | null): void {
    this.resumed = resumed;
    this.id = resumed;
    this.spoken.clear();
    if (resumed !== null) this.spoken.add(resumed);
  }

  heard({ type, sessionId }: SessionEvent): void {
    if (type === "agent.readied" || type === "session.activated") {
      this.id = sessionId ?? this.id;
      if (type === "agent.readied" && this.resumed !== null) this.spoken.add(this.id);
    } else if (type === "prompt.started") {
      this.id ??= sessionId;
      this.spoken.add(sessionId ?? this.id);
    }
  }
}

/** Why the folder of a session cannot be opened; null when it can. */
export function folderProblem({ cwd }: SavedSession): string | null {
  const isThere = cwd === null || statSync(cwd, { throwIfNoEntry: false })?.isDirectory() === true;
  return isThere ? null : `the folder of this session is gone: ${safeLine(cwd)}`;
}
