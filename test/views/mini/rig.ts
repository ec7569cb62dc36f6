// Prompt mode with everything around it played by the test: an agent that says what it is told, a person with a script, a
// clock that stands still, and both outputs in one list, in the order in which they were written.

import type { AgentExit } from "../../../src/agents/agent-process.js";
import type { Ask, AskOutcome } from "../../../src/contract/asks.js";
import type { LinesCommand } from "../../../src/contract/lines-commands.js";
import type { Message } from "../../../src/contract/messages.js";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import type { InputMode, Piece } from "../../../src/session/prompt-mode.js";
import type { AskManner, OpenPerson, PersonHandlers } from "../../../src/views/mini/person.js";
import type { PromptOptions, PromptResult } from "../../../src/views/mini/prompt-options.js";
import { PromptRun } from "../../../src/views/mini/prompt-run.js";
import { ManualClock } from "../../rigs/simulator/manual-clock.js";

export function askOf(question: Ask["question"], id = "q1", more: Partial<Ask> = {}): Ask {
  return { id, sessionId: "s1", turnId: null, origin: { kind: "agent" }, question, deadlineMs: null, ...more };
}

export const nameQuestion: Ask["question"] = { kind: "input", params: { title: "Name?" } };

export const assistant = (text: string): Message => ({ role: "assistant", content: [{ type: "text", text }] });

/** Somebody who is asked and answers when the test says so. */
export class ScriptedPerson {
  readonly asked: Ask[] = [];
  readonly withdrawn: string[] = [];
  private handlers: PersonHandlers | null = null;
  private readonly manner: AskManner;

  constructor(manner: AskManner = "drawn") {
    this.manner = manner;
  }

  readonly open: OpenPerson = (handlers) => {
    this.handlers = handlers;
    return {
      ask: (ask) => {
        this.asked.push(ask);
        handlers.onOpening(this.manner);
      },
      withdraw: (askId) => void this.withdrawn.push(askId),
      close: async () => handlers.onClosed(),
    };
  };

  answer(value: unknown): void {
    this.settle({ kind: "answered", value, by: "tui" });
  }

  settle(outcome: AskOutcome): void {
    const ask = this.asked.at(-1);
    this.handlers?.onClosed();
    if (ask !== undefined) this.handlers?.onOutcome(ask, outcome);
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
  openPerson: null,
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
  readonly clock = new ManualClock();
  readonly run: PromptRun;
  readonly result: Promise<PromptResult>;
  private tell: (event: SessionEvent) => void = () => undefined;
  private exit: (exit: AgentExit) => void = () => undefined;

  constructor(options: Partial<PromptOptions> = {}) {
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
        openLink: ({ onEvent }) => {
          this.tell = onEvent;
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
        },
      },
    );
    this.result = this.run.start();
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
