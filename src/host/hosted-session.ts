// One agent in the daemon: its connection with the engine, the numbered changes that views follow, the transcript, and
// the record by which it is found again. Views come and go; the agent does not notice.
//
//   agent ─events→ (secrets out) → engine ─changes→ log → every view
//                                     └─closed blocks→ transcript, on disk
//   views ─intents→ (checked, secrets out) → engine ─effects→ agent
import type { AgentExit } from "../agents/agent-process.js";
import type { FrontHandlers, SessionLink } from "../agents/dialect-link.js";
import type { Redaction } from "../agents/recordings/recording.js";
import { RESTART_CODE } from "../agents/restart-budget.js";
import type { Ask, AuditRecord } from "../contract/asks.js";
import type { AgentEnd, HostedSessionEntry, SessionRecord } from "../contract/hosted-sessions.js";
import type { SessionIntent } from "../contract/session-changes.js";
import type { SessionEvent } from "../contract/session-events.js";
import { openAsks } from "../session/asks.js";
import type { Change } from "../session/engine/engine-messages.js";
import { activeSession, type EngineState } from "../session/engine/engine-state.js";
import type { Timers } from "../system/timers.js";
import { AgentConnection, type AgentEnding } from "./agent-connection.js";
import type { HistoryBounds } from "./bounded-history.js";
import { CHANGE_BOUNDS, ChangeLog } from "./change-log.js";
import { ChangeSignal } from "./change-signal.js";
import { CheckedIntents, type HostedResult } from "./checked-intents.js";
import type { HostedAgent, OpenAgentLink } from "./hosted-agent.js";
import { hostedLink, withoutMemory } from "./hosted-link.js";
import { KeptTranscript, TRANSCRIPT_BOUNDS } from "./kept-transcript.js";
import type { ServedSession } from "./served-session.js";
import { TypedText } from "./typed-text.js";

export interface HostedSessionPorts {
  readonly redaction: Redaction;
  readonly openLink: OpenAgentLink;
  nowMs(): number;
  /** For records that people read. */
  wallMs(): number;
  readonly timers: Timers;
  /** Where the transcript is. */
  readonly transcriptPath: string;
  readonly limits?: Partial<SessionLimits>;
  /** Something that belongs on disk has changed. */
  onRecord(record: SessionRecord): void;
  /** The state is the new one. */
  onChanges(changes: readonly Change[]): void;
  /** Keeps the record; says in words why it could not. */
  audit(record: AuditRecord): string | null;
}

/** What is kept in memory of one session. */
export interface SessionLimits {
  readonly changes: HistoryBounds;
  readonly transcript: HistoryBounds;
}

/** Views read the transcript; the engine of a daemon needs nothing of it. */
const JOURNAL_UNITS_MAX = 64 * 1024;

export class HostedSession implements ServedSession {
  readonly log: ChangeLog;
  readonly transcript: KeptTranscript;
  readonly signal: ChangeSignal;
  /** The attached views, by their visit. */
  readonly views = new Map<symbol, string>();
  private readonly ports: HostedSessionPorts;
  private readonly agent: HostedAgent | null;
  private readonly connection: AgentConnection;
  private readonly typed: TypedText;
  private record: SessionRecord;
  private ending: AgentEnd | null = null;
  private readonly intents: CheckedIntents;
  private phase: "running" | "ended" | "stopping" = "ended";
  private hasRun: boolean;

  constructor(record: SessionRecord, agent: HostedAgent | null, ports: HostedSessionPorts) {
    this.ports = ports;
    this.agent = agent;
    this.record = record;
    this.hasRun = record.last_seq > 0;
    const { id: sessionId, last_seq: lastSeq } = record;
    const { nowMs, timers, limits, transcriptPath: path } = ports;
    const firstSeq = Math.max(Math.floor(nowMs() * 1_000), lastSeq + 1);
    this.log = new ChangeLog(firstSeq, limits?.changes ?? CHANGE_BOUNDS);
    // The record of a daemon that was killed is older than its transcript.
    const onDiskUpTo = lastSeq === 0 ? 0 : firstSeq - 1;
    const bounds = limits?.transcript ?? TRANSCRIPT_BOUNDS;
    this.transcript = new KeptTranscript({ path, sessionId, lastSeq: onDiskUpTo, bounds });
    this.signal = new ChangeSignal(timers);
    this.signal.close();
    this.typed = new TypedText(ports.redaction);
    this.connection = new AgentConnection(
      { name: record.name, openLink: (handlers) => this.openLink(handlers) },
      {
        clock: { nowMs: () => ports.nowMs(), after: (delayMs, run) => timers.after(delayMs, run) },
        audit: (audited) => ports.audit({ ...audited, sessionId: record.id }),
        onEnded: (exit, about) => this.ended(exit, about),
      },
      { firstBlock: firstSeq, journalUnitsMax: JOURNAL_UNITS_MAX },
    );
    this.intents = new CheckedIntents(this.connection.source, (intent) => this.typed.enter(intent));
    this.connection.source.subscribe(this.follow);
  }

  get id(): string {
    return this.record.id;
  }

  get state(): EngineState {
    return this.connection.source.state;
  }

  /** How the agent ended; null while it runs, and while the daemon ends. */
  get end(): AgentEnd | null {
    if (this.phase !== "ended") return null;
    return this.ending ?? { code: this.record.exit_code, signal: null, error: null, stderrTail: "" };
  }

  get isRunning(): boolean {
    return this.phase === "running";
  }

  get canStart(): boolean {
    return this.agent !== null;
  }

  /** Whether this is a session of an agent of that name, or of that command line. */
  isOf(wanted: { name: string } | { line: readonly string[] }): boolean {
    if ("name" in wanted) return this.record.agent === wanted.name;
    return this.record.agent === null && JSON.stringify(this.record.command) === JSON.stringify(wanted.line);
  }

  /** Whether it ran when its daemon ended, and should run again. */
  get wantsToRun(): boolean {
    return this.record.state === "running";
  }

  entry(): HostedSessionEntry {
    const { id, name, agent, protocol, cwd, created_at_ms, active_at_ms, exit_code } = this.record;
    return {
      ...{ id, name, agent, protocol, cwd, state: this.stateWord, created_at_ms, active_at_ms },
      front_ends: [...this.views.values()],
      open_asks: this.state.asks.open.length,
      exit_code,
    };
  }

  /** The open asks, as asks of this session. */
  asks(): Ask[] {
    return openAsks(this.state.asks).map((ask) => ({ ...ask, sessionId: this.id }));
  }

  /** It should run, and cannot. */
  giveUp(error: string): void {
    this.ending = { code: null, signal: null, error, stderrTail: "" };
    this.change({ state: "ended", exit_code: null });
  }

  /** Starts the agent; one that had a session before continues it where it can. */
  start(): void {
    if (this.phase !== "ended" || this.agent === null) return;
    this.phase = "running";
    this.ending = null;
    this.signal.reopen();
    if (this.hasRun) this.transcript.goOn();
    this.change({ state: "running", exit_code: null });
    this.connection.start();
  }

  dispatch(intent: SessionIntent, by: string): HostedResult {
    const isAboutAsk = intent.type === "answer" || intent.type === "cancel";
    if (!this.isRunning && !isAboutAsk) return { result: "refused", refusal: { why: "ended" } };
    this.connection.catchUp();
    return this.intents.dispatch(intent, by);
  }

  perform(intent: SessionIntent, by: string): Promise<HostedResult> {
    return this.intents.perform(intent, (checked) => this.dispatch(checked, by));
  }

  /** Ends the agent; the transcript stays. */
  async close(): Promise<void> {
    await this.connection.end("session_closed");
    await this.transcript.flush();
  }

  /** The daemon ends: streams end now, the agent too, and the next daemon starts it again. */
  async halt(): Promise<void> {
    const wasRunning = this.isRunning;
    this.phase = "stopping";
    if (wasRunning) await this.connection.end("shutdown");
    this.signal.close();
    this.change({});
    await this.transcript.flush();
  }

  private get stateWord(): HostedSessionEntry["state"] {
    if (!this.isRunning) return "ended";
    const { sessions } = this.state;
    const isWorking = sessions.some(({ facts }) => facts.phase === "working");
    return isWorking ? "working" : activeSession(this.state).facts.phase === "idle" ? "idle" : "starting";
  }

  // An agent that cannot be told which session to continue begins a new one, and the transcript says so.
  private openLink(handlers: FrontHandlers): Promise<SessionLink> {
    const { agent } = this;
    if (agent === null) throw new Error("a session without an agent is not started");
    const resume = agent.memory === "none" ? null : this.record.agent_session;
    if (this.hasRun && resume === null) this.hear(withoutMemory);
    this.hasRun = true;
    const { redaction, openLink } = this.ports;
    const session = resume === null ? "new" : "resumed";
    const open = ({ onEvent, nowMs }: FrontHandlers) => openLink(agent, { onEvent, nowMs }, resume);
    return hostedLink(open, { redaction, typed: this.typed, session })(handlers);
  }

  private hear(event: SessionEvent): void {
    this.connection.source.take({ type: "event", event });
  }

  private readonly follow = (changes: readonly Change[]): void => {
    for (const change of changes) this.kept(change, this.log.append(this.sent(change)));
    this.ports.onChanges(changes);
    this.signal.ring();
  };

  private kept(change: Change, seq: number): void {
    if (change.type === "block" && change.change.type === "closed") {
      const session = this.state.sessions.find(({ key }) => key === change.session);
      this.transcript.put(seq, session?.id || null, change.change.block);
    } else if (change.type === "sessions" && change.active !== "") {
      if (change.active !== this.record.agent_session) this.change({ agent_session: change.active });
    } else if (change.type === "facts") this.factsChanged(change.facts);
    this.intents.follow(change);
  }

  // What was taken back from the queue is for the user who took it. A turn may also be stopped by a client that is no view: then it
  // goes to every view, without secrets.
  private sent(change: Change): Change {
    if (change.type !== "composer" || change.by === null) return change;
    const isView = [...this.views.values()].includes(change.by);
    return isView ? { ...change, text: this.typed.original(change.text) } : { ...change, by: null };
  }

  private factsChanged({ title, phase }: Extract<Change, { type: "facts" }>["facts"]): void {
    if (title) this.change({ name: title });
    if (phase === "idle") this.change({});
  }

  private ended(exit: AgentExit, { next, turn }: AgentEnding): void {
    if (next === "started again") {
      if (turn === "cut off") this.hear(cutOffByRestart);
      this.change({});
      return;
    }
    if (this.phase === "stopping") return;
    this.phase = "ended";
    const { code, signal, error, stderrTail } = exit;
    this.ending = { code, signal, error, stderrTail: String(this.ports.redaction.value(stderrTail)) };
    this.change({ state: "ended", exit_code: code });
    this.signal.close();
  }

  private change(news: Partial<SessionRecord>): void {
    const last_seq = Math.max(this.record.last_seq, this.log.lastSeq);
    this.record = { ...this.record, active_at_ms: this.ports.wallMs(), ...news, last_seq };
    this.ports.onRecord(this.record);
  }
}

const cutOffByRestart: SessionEvent = {
  type: "notice.shown",
  sessionId: null,
  level: "error",
  message: `the turn was cut off: the agent ended with code ${RESTART_CODE} and is being restarted`,
};
