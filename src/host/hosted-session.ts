// One agent that lives in the daemon: its link, what it said, its questions, and the commands of whoever looks at it. Front ends
// come and go; the agent works on and does not notice.
//
//   agent ─events→ (echoes and answers sorted out) → memory ─→ every front end, the transcript on disk
//   front ends ─commands→ (prompts in line, answers to the board, the rest as it is) ─→ agent
import { randomBytes } from "node:crypto";
import type { AgentExit } from "../agents/agent-process.js";
import type { SessionLink } from "../agents/dialect-link.js";
import type { Redaction } from "../agents/recordings/recording.js";
import { RESTART_CODE, RestartBudget } from "../agents/restart-budget.js";
import type { AskOutcome } from "../contract/asks.js";
import type { AgentEnd, HostedSessionEntry, SessionRecord } from "../contract/hosted-sessions.js";
import { introduction as greeting } from "../contract/introduction.js";
import type { LinesCommand } from "../contract/lines-commands.js";
import type { SessionEvent } from "../contract/session-events.js";
import type { Timers } from "../system/timers.js";
import type { AnswerVerdict } from "./asks/ask-port.js";
import type { AskRegistry } from "./asks/ask-registry.js";
import type { HostedAgent, OpenAgentLink } from "./hosted-agent.js";
import { HostedAsks } from "./hosted-asks.js";
import type { Audience } from "./kept-item.js";
import { PromptEcho } from "./prompt-echo.js";
import { PromptLine, type WaitingPrompt } from "./prompt-line.js";
import { ReplyRouter } from "./reply-router.js";
import { isRetold } from "./retold-event.js";
import type { HistoryLimits } from "./session-history.js";
import { SessionMemory } from "./session-memory.js";

export interface HostedSessionPorts {
  readonly board: Pick<AskRegistry, "ask" | "answer" | "withdraw">;
  readonly redaction: Redaction;
  readonly openLink: OpenAgentLink;
  nowMs(): number;
  /** For records that people read. */
  wallMs(): number;
  readonly timers: Timers;
  /** Where the transcript is. */
  readonly transcriptPath: string;
  readonly limits?: Partial<HistoryLimits>;
  /** Something that belongs on disk has changed. */
  onRecord(record: SessionRecord): void;
}

export type CommandVerdict =
  | { readonly kind: "accepted" }
  | { readonly kind: "answer"; readonly verdict: AnswerVerdict }
  /** The agent has ended. */
  | { readonly kind: "gone" }
  | { readonly kind: "overloaded" };

export interface Sender {
  /** The id of the front end; "" for one that has none. */
  readonly frontEnd: string;
  /** Who it is, for the record and for the others. */
  readonly by: string;
}

export class HostedSession {
  readonly memory: SessionMemory;
  /** The front ends that look at it now, by their visit. */
  readonly frontEnds = new Map<symbol, string>();
  private readonly ports: HostedSessionPorts;
  private readonly agent: HostedAgent | null;
  private readonly asks: HostedAsks;
  private readonly answers = new ReplyRouter();
  private readonly prompts: PromptLine;
  private readonly echo = new PromptEcho();
  private readonly restarts = new RestartBudget();
  private record: SessionRecord;
  private link: SessionLink | null = null;
  private ending: AgentEnd | null = null;
  private phase: "starting" | "ready" | "ended" = "ended";
  private isStopping = false;
  private isToldAgain = false;
  private initialized: SessionEvent | null = null;

  constructor(record: SessionRecord, agent: HostedAgent | null, ports: HostedSessionPorts) {
    this.ports = ports;
    this.agent = agent;
    this.record = record;
    const { transcriptPath, redaction, timers, nowMs, limits } = ports;
    this.memory = new SessionMemory({
      ...{ sessionId: record.id, lastSeq: record.last_seq, transcriptPath, redaction, timers, nowMs },
      ...(limits === undefined ? {} : { limits }),
    });
    this.prompts = new PromptLine((waiting) => this.sendPrompt(waiting));
    this.asks = new HostedAsks({
      sessionId: record.id,
      board: ports.board,
      nowMs: ports.nowMs,
      newId: () => `q${randomBytes(4).toString("hex")}`,
      shown: (ask) => this.memory.shownAsk(ask),
      onRaised: (ask) => this.memory.put({ type: "ask.raised", sessionId: ask.sessionId, ask }),
      onSettled: (ask, outcome) => this.memory.putSettled(ask, outcome),
      tellAgent: (command) => void this.link?.send(command),
      onSecret: (secret) => ports.redaction.declare(secret),
    });
  }

  get id(): string {
    return this.record.id;
  }

  /** How the agent ended; null while it runs, and while the daemon ends. */
  get end(): AgentEnd | null {
    if (this.isRunning || this.isStopping) return null;
    return this.ending ?? { code: this.record.exit_code, signal: null, error: null, stderrTail: "" };
  }

  get isRunning(): boolean {
    return this.phase !== "ended";
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
    const state = this.phase === "ready" ? (this.prompts.isWorking ? "working" : "idle") : this.phase;
    return {
      ...{ id, name, agent, protocol, cwd, state, created_at_ms, active_at_ms },
      front_ends: [...this.frontEnds.values()],
      open_asks: this.asks.count,
      exit_code,
    };
  }

  /** It should run, and cannot. */
  giveUp(error: string): void {
    this.ending = { code: null, signal: null, error, stderrTail: "" };
    this.change({ state: "ended", exit_code: null });
  }

  /** Starts the agent; one that had a session before goes on with it where it can. */
  start(): void {
    const { agent } = this;
    if (this.isRunning || this.isStopping || agent === null) return;
    const isAgain = this.record.last_seq > 0;
    this.phase = "starting";
    this.ending = null;
    this.restarts.started(this.ports.nowMs());
    this.memory.open({ file: isAgain ? "old" : "new" });
    const resume = agent.memory === "none" ? null : this.record.agent_session;
    this.isToldAgain = resume !== null;
    if (isAgain && resume === null) this.memory.put(withoutMemory);
    this.change({ state: "running", exit_code: null });
    const link = this.ports.openLink(agent, { onEvent: (event) => this.hear(event), nowMs: this.ports.nowMs }, resume);
    this.link = link;
    void link.exited.then((exit) => this.exited(exit));
  }

  perform(command: LinesCommand, { frontEnd, by }: Sender): CommandVerdict {
    if (this.link === null) return { kind: "gone" };
    switch (command.type) {
      // Leaving is the front end's business, and so is giving up on a question that others can still answer.
      case "quit":
        return { kind: "accepted" };
      case "ui_response":
        if (command.error !== undefined && command.error !== null) return { kind: "accepted" };
        return { kind: "answer", verdict: this.asks.answer(command.id, command.result, by) };
      case "initialize":
        this.greet(frontEnd);
        return { kind: "accepted" };
      case "prompt":
        return { kind: this.prompts.add({ prompt: command, frontEnd }) ? "accepted" : "overloaded" };
      default:
        this.answers.asked(command.type, frontEnd);
        return { kind: this.link.send(command) === "lost" ? "gone" : "accepted" };
    }
  }

  /** The board has settled one of its questions. */
  settled(askId: string, outcome: AskOutcome): void {
    this.asks.settled(askId, outcome);
  }

  /** Ends the agent; the transcript stays. */
  async close(): Promise<void> {
    this.asks.withdrawAll("everyone", "session_closed");
    await this.link?.stop();
    await this.memory.file.flush();
  }

  /** The daemon ends: streams end now, the agent too, and the next daemon starts it again. */
  async halt(): Promise<void> {
    this.isStopping = true;
    this.asks.withdrawAll("everyone", "shutdown");
    this.memory.bell.close();
    await this.link?.stop();
    this.memory.settle();
    this.change({});
    await this.memory.file.flush();
  }

  private hear(event: SessionEvent): void {
    if (this.isToldAgain && isRetold(event, this.phase)) return;
    this.note(event);
    if (event.type === "ask.raised") this.asks.raised(event.ask);
    else if (event.type === "ask.withdrawn") this.asks.withdrawn(event.askId, event.reason);
    else if (event.type === "command.answered") this.answered(event);
    else if (!this.echo.isEcho(event)) this.memory.put(event, this.audienceOf(event));
    this.prompts.hear(event);
    if (event.type === "agent.readied") this.link?.send(greeting);
  }

  private note(event: SessionEvent): void {
    const { type, sessionId } = event;
    if (type === "agent.readied") {
      this.phase = "ready";
    } else if (type === "prompt.started") {
      this.isToldAgain = false;
    } else if (type === "prompt.finished" || type === "session.closed") {
      this.asks.withdrawAll(
        sessionId === null ? "everyone" : { sessionId },
        type === "session.closed" ? "session_closed" : "turn_ended",
      );
    }
    const isNamed = type === "agent.readied" || type === "session.started" || type === "prompt.started";
    if (isNamed && sessionId !== null && sessionId !== this.record.agent_session) {
      this.change({ agent_session: sessionId });
    }
    if (type === "title.changed" && event.title !== "")
      this.change({ name: String(this.ports.redaction.value(event.title)) });
    if (type === "prompt.finished") this.change({});
  }

  private audienceOf(event: SessionEvent): Audience {
    const only = event.type === "session.activated" ? this.answers.answered("active_session") : null;
    return only === null ? "all" : { only };
  }

  // The daemon greets the agent itself, once; every front end that greets gets the same answer.
  private answered(event: Extract<SessionEvent, { type: "command.answered" }>): void {
    if (event.command === "initialized") {
      this.initialized = event;
      for (const frontEnd of this.answers.allFor("initialized")) this.memory.put(event, { only: frontEnd });
      return;
    }
    const only = this.answers.answered(event.command);
    this.memory.put(event, only === null ? "all" : { only });
  }

  private greet(frontEnd: string): void {
    if (this.initialized === null) this.answers.asked("initialize", frontEnd);
    else this.memory.put(this.initialized, { only: frontEnd });
  }

  private sendPrompt({ prompt, frontEnd }: WaitingPrompt): void {
    this.echo.sent(prompt.text);
    const message = { role: "user" as const, content: prompt.text };
    const said = {
      type: "message.started",
      sessionId: prompt.session_id ?? this.record.agent_session,
      message,
    } as const;
    this.memory.put(said, frontEnd === "" ? "all" : { except: frontEnd });
    this.link?.send(prompt);
  }

  private exited({ code, signal, error, stderrTail }: AgentExit): void {
    this.link = null;
    this.phase = "ended";
    this.asks.withdrawAll("everyone", "disconnected");
    const isCutOff = this.prompts.isWorking;
    this.prompts.clear();
    this.answers.clear();
    this.initialized = null;
    this.memory.settle();
    if (this.isStopping) return;
    if (code === RESTART_CODE && this.restarts.mayStartAgain(this.ports.nowMs())) {
      if (isCutOff) this.memory.put(cutOffByRestart);
      this.change({});
      this.start();
      return;
    }
    this.ending = { code, signal, error, stderrTail: String(this.ports.redaction.value(stderrTail)) };
    this.change({ state: "ended", exit_code: code });
    this.memory.bell.close();
  }

  private change(news: Partial<SessionRecord>): void {
    const last_seq = Math.max(this.record.last_seq, this.memory.lastSeq);
    this.record = { ...this.record, active_at_ms: this.ports.wallMs(), ...news, last_seq };
    this.ports.onRecord(this.record);
  }
}

const cutOffByRestart: SessionEvent = {
  type: "notice.shown",
  sessionId: null,
  level: "error",
  message: `the turn was cut off: the agent ended with code ${RESTART_CODE} and is started again`,
};

const withoutMemory: SessionEvent = {
  type: "notice.shown",
  sessionId: null,
  level: "warn",
  message: "the agent was started again; it does not remember what was said before",
};
