// Prompt mode with everything around it played by the test: an agent that says what it is told, a view with a script, a
// clock that stands still, and both outputs in one list, in the order in which they were written.

import type { AgentExit } from "../../../src/agents/agent-process.js";
import type { SessionLink } from "../../../src/agents/dialect-link.js";
import type { McpAskBridge } from "../../../src/agents/mcp-ask-bridge.js";
import { promptConnector } from "../../../src/cli/prompt/prompt-connection.js";
import type { Ask, AskOutcome, AuditRecord, WithdrawReason } from "../../../src/contract/asks.js";
import type { LinesCommand } from "../../../src/contract/lines-commands.js";
import type { Message } from "../../../src/contract/messages.js";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import { SessionEngine } from "../../../src/session/engine/source.js";
import type { InputMode, Piece } from "../../../src/session/prompt-mode.js";
import type { AskManner, AskView, AskViewPorts, OpenAskView } from "../../../src/views/mini/ask-view.js";
import type { PromptOptions, PromptResult } from "../../../src/views/mini/prompt-options.js";
import { PromptRun } from "../../../src/views/mini/prompt-run.js";
import { ManualClock } from "../../rigs/simulator/manual-clock.js";

export function askOf(question: Ask["question"], id = "q1", more: Partial<Ask> = {}): Ask {
  return { id, sessionId: "s1", turnId: null, origin: { kind: "agent" }, question, deadlineMs: null, ...more };
}

export const nameQuestion: Ask["question"] = { kind: "input", params: { title: "Name?" } };

export const assistant = (text: string): Message => ({ role: "assistant", content: [{ type: "text", text }] });

/** A view on asks without an agent; their outcomes are as an agent would get them. */
export class ShownAsks {
  readonly outcomes: AskOutcome[] = [];
  readonly news: string[] = [];
  readonly view: AskView;
  private readonly source: SessionEngine;

  constructor(clock: ManualClock, open: OpenAskView) {
    this.source = new SessionEngine({
      clock,
      send: () => undefined,
      respond: (_, outcome) => (this.outcomes.push(outcome) > 0 ? "delivered" : "lost"),
    });
    this.view = open({
      source: this.source,
      onOpening: () => void this.news.push("opening"),
      onClosed: () => void this.news.push("closed"),
    });
    this.source.subscribe((changes) => {
      for (const change of changes) {
        this.view.follow(change);
        if (change.type === "ask.settled" && change.outcome.kind === "withdrawn") this.outcomes.push(change.outcome);
      }
    });
  }

  ask(ask: Ask): void {
    this.source.take({ type: "event", event: { type: "ask.raised", sessionId: null, ask } });
  }

  withdraw(askId: string, reason: WithdrawReason): void {
    this.source.take({ type: "event", event: { type: "ask.withdrawn", sessionId: null, askId, reason } });
  }

  async close(): Promise<void> {
    this.source.take({ type: "withdraw", reason: "shutdown" });
    await this.view.close();
  }
}

/** A view whose user answers when the test says so. */
export class ScriptedView {
  readonly asked: Ask[] = [];
  readonly withdrawn: string[] = [];
  private ports: AskViewPorts | null = null;
  private readonly manner: AskManner;

  constructor(manner: AskManner = "drawn") {
    this.manner = manner;
  }

  readonly open: OpenAskView = (ports) => {
    this.ports = ports;
    return {
      follow: (change) => {
        if (change.type === "ask.raised") {
          this.asked.push(change.ask);
          ports.onOpening(this.manner);
        } else if (change.type === "ask.settled" && change.outcome.kind === "withdrawn") {
          this.withdrawn.push(change.ask.id);
        }
      },
      close: async () => ports.onClosed(),
    };
  };

  answer(value: unknown): void {
    this.ports?.onClosed();
    this.ports?.source.dispatch({ type: "answer", askId: this.lastId, value });
  }

  cancel(): void {
    this.ports?.onClosed();
    this.ports?.source.dispatch({ type: "cancel", askId: this.lastId });
  }

  private get lastId(): string {
    return this.asked.at(-1)?.id ?? "";
  }
}

const quiet: PromptOptions = {
  text: "hello",
  output: "text",
  notes: "all",
  records: "json",
  outputs: "apart",
  schema: null,
  idleTimeoutMs: null,
  timeoutMs: null,
  turnsMax: null,
  beforehand: { everything: "asked", tools: [], rules: [] },
  earlier: [],
  onAsk: "fail",
  openView: null,
  waitingRoom: null,
};

/** An event of the one session there is. */
type Told = SessionEvent extends infer Each ? (Each extends SessionEvent ? Omit<Each, "sessionId"> : never) : never;

export class PromptRig {
  readonly sent: LinesCommand[] = [];
  readonly written: Piece[] = [];
  readonly modes: InputMode[] = [];
  readonly flows: string[] = [];
  readonly paused: Ask[] = [];
  readonly audits: AuditRecord[] = [];
  starts = 0;
  readonly clock = new ManualClock();
  readonly run: PromptRun;
  readonly result: Promise<PromptResult>;
  private tell: (event: SessionEvent) => void = () => undefined;
  private exit: (exit: AgentExit) => void = () => undefined;

  constructor(options: Partial<PromptOptions> = {}, bridge: McpAskBridge | null = null) {
    this.run = new PromptRun(
      { ...quiet, ...options },
      {
        clock: this.clock,
        write: (piece) => void this.written.push(piece),
        onMode: (mode) => void this.modes.push(mode),
        savePaused: (ask, session) => {
          this.paused.push(ask);
          return `resume ${session}`;
        },
        connect: promptConnector(
          { name: "agent", openLink: ({ onEvent }) => this.openLink(onEvent) },
          { clock: this.clock, audit: (record) => (this.audits.push(record) > 0 ? null : ""), bridge },
        ),
      },
    );
    this.result = this.run.start();
  }

  private openLink(onEvent: (event: SessionEvent) => void): SessionLink {
    this.tell = onEvent;
    this.starts += 1;
    const exited = new Promise<AgentExit>((resolve) => {
      this.exit = resolve;
    });
    return {
      send: (command) => {
        this.sent.push(command);
        return "delivered";
      },
      exited,
      stop: () => {
        this.gone(0);
        return exited;
      },
      setFlow: (flow) => void this.flows.push(flow),
    };
  }

  hear(...events: Told[]): this {
    for (const event of events) this.tell({ ...event, sessionId: "s1" });
    return this;
  }

  /** The agent is there and works on the prompt. */
  begin(): this {
    return this.hear({ type: "agent.readied", ui: true, protocolVersion: "1" }, { type: "prompt.started" });
  }

  say(text: string): this {
    return this.hear(
      { type: "message.started", message: assistant("") },
      { type: "message.finished", message: assistant(text) },
    );
  }

  ask(ask: Ask): this {
    return this.hear({ type: "ask.raised", ask });
  }

  finish(): this {
    return this.hear({ type: "prompt.finished" });
  }

  gone(code: number, stderrTail = ""): void {
    this.exit({ code, signal: null, error: null, stderrTail });
  }

  get out(): string {
    return this.textOn("out");
  }

  get err(): string {
    return this.textOn("err");
  }

  /** What the agent was answered. */
  get responses(): unknown[] {
    return this.sent.flatMap((command) =>
      command.type === "ui_response" ? [{ id: command.id, result: command.result, error: command.error }] : [],
    );
  }

  private textOn(stream: Piece["stream"]): string {
    return this.written.flatMap((piece) => (piece.stream === stream ? [piece.text] : [])).join("");
  }
}
