// The connection to an agent, for the view in the same process and for the daemon: opens the link, runs the engine on its events,
// and restarts the agent when it or the user asks for that. Exit code 75 asks for a restart; after too many quick ones the agent is
// not started again.
import type { AgentExit } from "../agents/agent-process.js";
import type { FrontHandlers, SessionLink } from "../agents/dialect-link.js";
import { causeLines } from "../agents/exit-cause.js";
import { secretsOf } from "../agents/recordings/secret-asks.js";
import { RESTART_CODE, RestartBudget } from "../agents/restart-budget.js";
import type { Ask, AskOutcome, Sent, WithdrawReason } from "../contract/asks.js";
import { introduction } from "../contract/introduction.js";
import type { LinesCommand } from "../contract/lines-commands.js";
import { errorMessage } from "../contract/plain-word.js";
import type { SessionEvent } from "../contract/session-events.js";
import type { EngineOptions } from "../session/engine/engine-state.js";
import { type Connection, type EngineClock, type EnginePorts, SessionEngine } from "../session/engine/source.js";
import { responseTo } from "../session/outcome-words.js";
import { humanDuration } from "../text/humanize.js";
import { safeLine } from "../text/safe.js";
import { EventInbox } from "./event-inbox.js";

export interface ConnectedAgent {
  readonly name: string;
  openLink(handlers: FrontHandlers): SessionLink | Promise<SessionLink>;
}

export interface ConnectionPorts extends Pick<EnginePorts, "by" | "audit"> {
  readonly clock: EngineClock;
  /** Gets the secrets in an answer before the agent does. */
  readonly onSecret?: (secret: string) => void;
  /** All events so far have been handled. */
  readonly onHeard?: () => void;
  /** The agent has ended. Where this is missing, the transcript says how. Once the connection is ended, no agent is started again. */
  onEnded?(exit: AgentExit, about: AgentEnding): void;
}

export interface AgentEnding {
  readonly next: "nothing" | "started again";
  /** Whether it was in the middle of a turn. */
  readonly turn: "none" | "cut off";
}

const STDERR_LINES_SHOWN = 5;
const EARLY_COMMANDS_MAX = 100;

export class AgentConnection implements Connection {
  readonly source: SessionEngine;
  private readonly agent: ConnectedAgent;
  private readonly clock: EngineClock;
  private readonly inbox: EventInbox;
  private link: SessionLink | null = null;
  private readonly early: LinesCommand[] = [];
  private isOpening = false;
  private opening: Promise<void> = Promise.resolve();
  private openedAtMs = 0;
  private readonly restarts = new RestartBudget();
  private wasReady = false;
  private turn: "none" | "sent" | "started" = "none";
  private state: "running" | "restarting" | "ending" | "leaving" = "running";
  private readonly ports: ConnectionPorts;

  constructor(agent: ConnectedAgent, ports: ConnectionPorts, options: Partial<EngineOptions> = {}) {
    const { clock } = ports;
    this.agent = agent;
    this.ports = ports;
    this.clock = clock;
    this.source = new SessionEngine(
      {
        ...ports,
        send: this.send,
        respond: this.respond,
      },
      options,
    );
    this.inbox = new EventInbox({
      clock,
      hear: this.hear,
      onHeard: ports.onHeard,
      setFlow: (flow) => this.link?.setFlow(flow),
    });
  }

  open(): Promise<void> {
    this.opening = this.openOnce().catch((error: unknown) => {
      this.isOpening = false;
      this.early.length = 0;
      throw error;
    });
    return this.opening;
  }

  /** Like `open`, for callers with no one to tell: an agent that cannot be started is one that has ended. */
  start(): void {
    this.open().catch((error: unknown) => {
      this.closed({ code: null, signal: null, error: errorMessage(error), stderrTail: "" });
    });
  }

  private async openOnce(): Promise<void> {
    this.state = "running";
    this.isOpening = true;
    this.turn = "none";
    this.wasReady = false;
    this.openedAtMs = this.clock.nowMs();
    this.restarts.started(this.openedAtMs);
    this.agentChanged("opened");
    const opened = this.agent.openLink({
      onEvent: this.inbox.push,
      onAskSettled: (askId, outcome) => {
        this.catchUp();
        this.source.take({ type: "settled-elsewhere", askId, outcome });
      },
      nowMs: () => this.clock.nowMs(),
    });
    const link = opened instanceof Promise ? await opened : opened;
    // The user may have quit while the link was being opened.
    if (this.isLeaving) {
      await link.stop();
      return;
    }
    this.link = link;
    this.isOpening = false;
    for (const frame of this.early.splice(0)) link.send(frame);
    void link.exited.then((exit) => this.closed(exit));
  }

  catchUp(): void {
    this.inbox.drain();
  }

  async close(): Promise<void> {
    this.state = "leaving";
    this.source.close();
    await this.link?.stop();
  }

  /** Ends the agent, not the session: it can be opened again. Asks are withdrawn for this reason. */
  async end(reason: WithdrawReason): Promise<void> {
    this.catchUp();
    this.state = "ending";
    this.source.take({ type: "withdraw", reason });
    // One that could not be started is gone, too.
    await this.opening.catch(() => undefined);
    await this.link?.stop();
  }

  /** Holds the agent back, or lets it continue. */
  setFlow(flow: "flowing" | "paused"): void {
    this.link?.setFlow(flow);
  }

  restart(): void {
    void this.startAgain();
  }

  private get isLeaving(): boolean {
    return this.state === "leaving";
  }

  private get isEnding(): boolean {
    return this.state === "ending" || this.state === "leaving";
  }

  // Commands from before the link is open wait for it.
  private readonly send = (frame: LinesCommand): Sent => {
    if (frame.type === "prompt" && this.turn === "none") this.turn = "sent";
    if (this.link !== null) return this.link.send(frame);
    if (this.isOpening && this.early.length < EARLY_COMMANDS_MAX) this.early.push(frame);
    return "lost";
  };

  private readonly respond = (ask: Ask, outcome: AskOutcome): Sent => {
    const response = responseTo(ask, outcome);
    for (const secret of secretsOf(ask, response)) this.ports.onSecret?.(secret);
    return this.send(response);
  };

  private readonly hear = (event: SessionEvent): void => {
    // Events of an agent that is being replaced are dropped.
    if (this.state === "restarting") return;
    if (event.type === "agent.readied") {
      this.wasReady = true;
      this.send(introduction(event.protocolVersion));
    }
    this.followTurn(event);
    this.source.take({ type: "event", event });
  };

  private followTurn(event: SessionEvent): void {
    if (event.type === "prompt.started") this.turn = "started";
    else if (event.type === "command.failed" && this.turn === "sent") this.turn = "none";
    else if (event.type === "prompt.finished" && event.isCutOff !== true) this.turn = "none";
  }

  private closed(exit: AgentExit): void {
    this.catchUp();
    this.link = null;
    if (this.state === "leaving") return;
    const wantsAgain = this.state === "restarting" || (this.state !== "ending" && this.mayStartAgain(exit));
    if (this.state !== "restarting") this.agentEnded(exit, wantsAgain ? "started again" : "nothing");
    if (wantsAgain && !this.isEnding) this.start();
  }

  private agentEnded(exit: AgentExit, next: AgentEnding["next"]): void {
    const { onEnded } = this.ports;
    const words = next === "nothing" ? this.lastWords(exit) : this.cutOffWords();
    const isWell = exit.code === 0 && this.wasReady && this.turn === "none";
    this.agentChanged("closed", onEnded === undefined ? words : [], isWell);
    onEnded?.call(this.ports, exit, { next, turn: this.turn === "none" ? "none" : "cut off" });
  }

  private agentChanged(change: "opened" | "closed", words: readonly string[] = [], isWell = false): void {
    this.source.take({ type: "agent", change, words, ...(isWell && { isWell }) });
  }

  private mayStartAgain({ code }: AgentExit): boolean {
    return code === RESTART_CODE && this.restarts.mayStartAgain(this.clock.nowMs());
  }

  private cutOffWords(): string[] {
    if (this.turn === "none") return [];
    return [
      `the turn was cut off: ${safeLine(this.agent.name)} ended with code ${RESTART_CODE} and is being restarted`,
    ];
  }

  private lastWords(exit: AgentExit): string[] {
    const took = humanDuration(this.clock.nowMs() - this.openedAtMs);
    const name = safeLine(this.agent.name);
    const again = exit.code === RESTART_CODE ? ["it asked for too many restarts, and is not running"] : [];
    const head =
      exit.error === null
        ? `${name} ended with code ${exit.code} after ${took}`
        : `${name} could not be started: ${safeLine(exit.error)}`;
    const stderr = causeLines(exit.stderrTail).slice(0, STDERR_LINES_SHOWN);
    return [head, ...again, ...stderr, "/restart to try again, /quit to exit"];
  }

  private async startAgain(): Promise<void> {
    // Two would run otherwise. After a failure another restart may have been first.
    while (this.isOpening && !this.isEnding) await this.opening.catch(() => undefined);
    if (this.isEnding) return;
    this.restarts.forget();
    if (this.link === null) {
      this.start();
      return;
    }
    this.catchUp();
    this.state = "restarting";
    // At once: what is typed from now on is for the next one, and waits for it.
    this.agentChanged("closed");
    this.agentChanged("opened");
    await this.link.stop();
  }
}
