// All agents of a daemon: started by name or, where the owner allows it, by any command; kept running while front ends come and
// go; listed, ended, forgotten; and started again by the next daemon when this one ends.
import { realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { programName } from "../agents/presets.js";
import type { Redaction } from "../agents/recordings/recording.js";
import type { Ask, AskOutcome, AuditRecord } from "../contract/asks.js";
import type { HostedSessionEntry, SessionRecord, StartSessionParams } from "../contract/hosted-sessions.js";
import type { Change } from "../session/engine/engine-messages.js";
import { realTimers, steadyNowMs, type Timers } from "../system/timers.js";
import type { AnswerVerdict, AskAnswer, AskPort } from "./asks/ask-port.js";
import type { HostedResult } from "./checked-intents.js";
import { type HostedAgent, type OpenAgentLink, openAgentLink } from "./hosted-agent.js";
import { HostedSession, type SessionLimits } from "./hosted-session.js";
import { type ServedSessions, type SessionFollower, StartRefusal } from "./served-session.js";
import { SessionRecords } from "./session-records.js";

const OUTSIDE = "the folder is outside the project; palaver serve --allow-start allows it";

/** Which agent is meant. */
export type AgentRequestOptions = Pick<StartSessionParams, "agent" | "command" | "protocol">;

export type FoundAgent = HostedAgent | { readonly problem: string };

export interface SessionHostOptions {
  /** Where sessions are kept. */
  readonly folder: string;
  /** Agents work here, or below. */
  readonly project: string;
  readonly redaction: Redaction;
  /** Knows the agents by name, and how a command speaks. */
  findAgent(request: AgentRequestOptions): FoundAgent;
  /** Whether a client with the token may start any command anywhere, or only the owner's agents, in the project. */
  readonly starts: "named-agents" | "anything";
  readonly openLink?: OpenAgentLink;
  /** Of deadlines and durations; it must never go back. */
  readonly nowMs?: () => number;
  readonly timers?: Timers;
  readonly limits?: Partial<SessionLimits>;
  /** An ask of this agent is over. Keeps the record; says in words why it could not. */
  onAudit?(record: AuditRecord, agent: string): string | null;
  /** An ask of a session was raised or settled, by this agent. */
  onAsk?(change: Extract<Change, { type: "ask.raised" | "ask.settled" }>, agent: string): void;
  /** Something about the sessions is worth a line in the log. */
  onNews?(words: string): void;
}

const RUNNING_MAX = 64;

export class SessionHost implements ServedSessions {
  private readonly options: SessionHostOptions;
  private readonly records: SessionRecords;
  private readonly sessions = new Map<string, HostedSession>();
  private readonly nowMs: () => number;
  private readonly listeners = new Set<() => void>();
  private readonly followers = new Set<SessionFollower>();
  private state: "open" | "stopping" = "open";

  constructor(options: SessionHostOptions) {
    this.options = options;
    this.nowMs = options.nowMs ?? steadyNowMs;
    this.records = new SessionRecords(options.folder);
  }

  /** Restores the sessions of an earlier daemon and restarts those that were running. */
  async resume(): Promise<void> {
    for (const record of await this.records.list()) {
      const found = this.agentOf(record);
      const session = this.hold(record, "problem" in found ? null : found);
      if (!session.wantsToRun) continue;
      if ("problem" in found) session.giveUp(found.problem);
      else if (this.runningCount >= RUNNING_MAX) session.giveUp("too many agents are already running");
      else session.start();
      this.options.onNews?.(`session ${record.id} (${record.name}) resumed`);
    }
  }

  /** Calls back when a session is added, removed, renamed, started or ended; the returned function unsubscribes. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Calls back after each step of a session; the returned function ends it. */
  follow(follower: SessionFollower): () => void {
    this.followers.add(follower);
    return () => this.followers.delete(follower);
  }

  /** In the order in which they began. */
  all(): readonly HostedSession[] {
    return [...this.sessions.values()];
  }

  /** The newest first. */
  list(): HostedSessionEntry[] {
    return [...this.sessions.values()].map((session) => session.entry()).reverse();
  }

  find(id: string): HostedSession | null {
    return this.sessions.get(id) ?? null;
  }

  /** Whether a session of this command is already running, so that a restarted daemon does not start a second one. */
  runs({ name, command }: HostedAgent): boolean {
    const line = [command.command, ...command.args];
    return [...this.sessions.values()].some(
      (session) => session.isRunning && session.isOf(name === null ? { line } : { name }),
    );
  }

  /** A paired device starts named agents in the project only, whatever the owner may start. */
  async start(params: StartSessionParams, by: "owner" | "device" = "owner"): Promise<HostedSession> {
    const starts = by === "owner" ? this.options.starts : "named-agents";
    const chosen = [params.agent, params.command, params.session].filter((choice) => choice !== undefined);
    if (chosen.length !== 1) throw new StartRefusal("malformed", "send one of agent, command and session");
    this.refuseWhenFull();
    if (params.session !== undefined) return this.startAgain(params.session);
    if (params.command !== undefined && starts !== "anything") {
      const hint = "this daemon starts only agents that its owner has named; palaver serve --allow-start allows others";
      throw new StartRefusal("not_allowed", hint);
    }
    const found = this.options.findAgent(params);
    if ("problem" in found) throw new StartRefusal("unknown", found.problem);
    return this.startNew(found, { cwd: this.folderFor(params.cwd, starts), ...(params.name && { name: params.name }) });
  }

  /** For the owner, who may start anything. */
  async startNew(agent: HostedAgent, { cwd, name }: { cwd: string; name?: string }): Promise<HostedSession> {
    const nowMs = this.wallMs();
    const id = this.records.newId(nowMs);
    await this.records.makeFolder(id);
    const record: SessionRecord = {
      version: 1,
      id,
      name: name ?? agent.name ?? programName([agent.command.command, ...agent.command.args]),
      agent: agent.name,
      command: this.keptCommand(agent),
      protocol: agent.protocol,
      cwd,
      created_at_ms: nowMs,
      active_at_ms: nowMs,
      state: "running",
      exit_code: null,
      agent_session: null,
      last_seq: 0,
    };
    const session = this.hold(record, { ...agent, command: { ...agent.command, cwd } });
    session.start();
    // A client that knows of the session finds it again even if the daemon is killed now.
    await this.records.flush();
    return session;
  }

  /** Ends the agent of a session; one that has ended is forgotten with its transcript. Null when there is none. */
  async end(id: string): Promise<"ended" | "forgotten" | null> {
    const session = this.find(id);
    if (session === null) return null;
    if (session.isRunning) {
      await session.close();
      return "ended";
    }
    this.sessions.delete(id);
    await session.transcript.flush();
    await this.records.forget(id);
    this.tell();
    return "forgotten";
  }

  /** The asks of all sessions. */
  get asks(): AskPort {
    return {
      nowMs: () => this.nowMs(),
      openAsks: () => this.openAsks(),
      answer: (askId, answer, by) => this.answer(askId, answer, by),
      shown: (askId) => {
        const session = [...this.sessions.values()].find((one) => one.asks().some(({ id }) => id === askId));
        session?.dispatch({ type: "shown", askId }, "elsewhere");
      },
      subscribe: (listener) =>
        this.follow((_session, changes) => {
          if (changes.some(({ type }) => type === "ask.raised" || type === "ask.settled")) listener();
        }),
    };
  }

  /** The daemon ends. */
  async stop(): Promise<void> {
    if (this.state === "stopping") return;
    this.state = "stopping";
    await Promise.all([...this.sessions.values()].map((session) => session.halt()));
    await this.records.flush();
  }

  private get runningCount(): number {
    return [...this.sessions.values()].filter(({ isRunning }) => isRunning).length;
  }

  /** For records that people read. */
  private wallMs(): number {
    return (this.options.nowMs ?? Date.now)();
  }

  private openAsks(): Ask[] {
    return [...this.sessions.values()].flatMap((session) => session.asks());
  }

  private answer(askId: string, answer: AskAnswer, by: string): AnswerVerdict {
    const intent =
      answer === "cancel"
        ? { type: "cancel" as const, askId }
        : { type: "answer" as const, askId, value: answer.value };
    for (const session of this.sessions.values()) {
      const verdict = verdictOf(session.dispatch(intent, by), intent.type, by);
      if (verdict.kind !== "unknown") return verdict;
    }
    return { kind: "unknown" };
  }

  private hold(record: SessionRecord, agent: HostedAgent | null): HostedSession {
    const { redaction, openLink = openAgentLink, timers = realTimers, limits } = this.options;
    let known = record;
    const session: HostedSession = new HostedSession(record, agent, {
      ...{ redaction, openLink, timers, nowMs: this.nowMs, wallMs: () => this.wallMs() },
      transcriptPath: this.records.transcriptPath(record.id),
      ...(limits === undefined ? {} : { limits }),
      onRecord: (changed) => {
        const isNews = changed.name !== known.name || changed.state !== known.state;
        known = changed;
        this.records.save(changed);
        if (isNews) this.tell();
      },
      onChanges: (changes) => {
        this.tellOfAsks(record, changes);
        for (const follower of [...this.followers]) follower(session, changes);
      },
      audit: (audited) => this.options.onAudit?.(audited, agentNameOf(record)) ?? null,
    });
    this.sessions.set(record.id, session);
    this.tell();
    return session;
  }

  private tellOfAsks(record: SessionRecord, changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.type !== "ask.raised" && change.type !== "ask.settled") continue;
      this.options.onAsk?.({ ...change, ask: { ...change.ask, sessionId: record.id } }, agentNameOf(record));
    }
  }

  private tell(): void {
    for (const listener of [...this.listeners]) listener();
  }

  private startAgain(id: string): HostedSession {
    const session = this.find(id);
    if (session === null) throw new StartRefusal("unknown", "there is no such session");
    if (session.isRunning) throw new StartRefusal("running", "this session is already running");
    if (this.hasLeft(session.entry().cwd)) throw new StartRefusal("not_allowed", OUTSIDE);
    if (!session.canStart) throw new StartRefusal("unknown", session.end?.error ?? "its agent is no longer known");
    session.start();
    return session;
  }

  private refuseWhenFull(): void {
    if (this.state === "stopping") throw new StartRefusal("too_many", "the daemon is stopping");
    if (this.runningCount >= RUNNING_MAX)
      throw new StartRefusal("too_many", `${RUNNING_MAX} agents are already running`);
  }

  private folderFor(wanted: string | undefined, starts: SessionHostOptions["starts"]): string {
    const { project } = this.options;
    const named = resolve(project, wanted ?? ".");
    const folder = realFolder(named);
    if (starts !== "anything" && !isWithin(project, folder ?? named)) throw new StartRefusal("not_allowed", OUTSIDE);
    if (folder === null) throw new StartRefusal("malformed", `there is no folder ${named}`);
    return folder;
  }

  /** A folder of the project may have become a link since the session began. The owner may have begun it elsewhere. */
  private hasLeft(cwd: string): boolean {
    const { project, starts } = this.options;
    return starts !== "anything" && isWithin(project, cwd) && !isWithin(project, realFolder(cwd) ?? cwd);
  }

  // Records are on disk, so a command line with a secret in it is not kept and cannot be started again.
  private keptCommand({ name, command }: HostedAgent): string[] | null {
    if (name !== null) return null;
    const line = [command.command, ...command.args];
    return line.every((word) => this.options.redaction.value(word) === word) ? line : null;
  }

  private agentOf({ agent, command, protocol, cwd }: SessionRecord): FoundAgent {
    if (agent === null && command === null) {
      return { problem: "its command contained a secret and was not saved; start it again by hand" };
    }
    if (this.hasLeft(cwd)) return { problem: OUTSIDE };
    const found = this.options.findAgent(agent === null ? { command: command ?? [], protocol } : { agent, protocol });
    return "problem" in found ? found : { ...found, command: { ...found.command, cwd } };
  }
}

function verdictOf(result: HostedResult, wanted: "answer" | "cancel", by: string): AnswerVerdict {
  if (result.result !== "refused") {
    const outcome = wanted === "cancel" ? { kind: "cancelled", by } : { kind: "answered", value: null, by };
    return { kind: "accepted", outcome: outcome as AskOutcome };
  }
  const { refusal } = result;
  if (refusal.why === "late") return { kind: "late", outcome: refusal.outcome };
  return refusal.why === "unfit" ? { kind: "unfit", problem: refusal.problem } : { kind: "unknown" };
}

/** The folder without links in its path; null when there is none. */
function realFolder(path: string): string | null {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? real : null;
  } catch {
    return null;
  }
}

function isWithin(project: string, folder: string): boolean {
  const inner = relative(project, folder);
  return inner !== ".." && !inner.startsWith(`..${sep}`) && !isAbsolute(inner);
}

/** The preset, or what the session of a command was first called. */
function agentNameOf({ agent, name }: SessionRecord): string {
  return agent ?? name;
}
