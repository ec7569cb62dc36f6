// A running agent behind a dialect: starts the process, passes its output to the dialect, writes frames, performs effects, and
// reports events. All I/O of every wire is here.
import type { AskOutcome, Sent } from "../contract/asks.js";
import { FRAME_BYTES_MAX } from "../contract/limits.js";
import type { LinesCommand } from "../contract/lines-commands.js";
import { errorMessage } from "../contract/plain-word.js";
import type { SessionEvent } from "../contract/session-events.js";
import {
  type AgentCommand,
  type AgentExit,
  type StartAgent,
  type StopLadder,
  startAgentProcess,
  within,
} from "./agent-process.js";
import type { Dialect, DialectStep, EffectResult, LinkEffect } from "./dialects/dialect.js";
import { createFrameDecoder } from "./dialects/frames/frame-decoder.js";
import { faultOf, type JsonObject, writeLine } from "./dialects/frames/json-frame.js";
import type { UnfinishedLine } from "./dialects/frames/line-splitter.js";

export type SessionLink = {
  /** "lost" when the agent is gone. */
  send(command: LinesCommand): Sent;
  /** Pauses or resumes reading from the agent. A link without a pipe ignores it. */
  setFlow(flow: "flowing" | "paused"): void;
  readonly exited: Promise<AgentExit>;
  stop(): Promise<AgentExit>;
};

/** Performs the effects of a dialect. Failures are results, not exceptions. */
export interface EffectHandler<Effect> {
  /** `report` passes progress on. */
  perform(effect: Effect, report: (value: unknown) => void): Promise<EffectResult>;
  /** The agent has exited: ends what still runs for it. */
  close(): void;
}

/** For dialects without effects. */
export const withoutEffects: EffectHandler<never> = {
  perform: (effect: never) => Promise.resolve({ ok: false, message: `no handler for ${JSON.stringify(effect)}` }),
  close: () => undefined,
};

export type DialectLinkHandlers = {
  onEvent(event: SessionEvent): void;
  /** The clock of all deadlines. */
  nowMs(): number;
};

/** For links on which an ask may be settled elsewhere: by another front end, or by a recording. */
export type FrontHandlers = DialectLinkHandlers & { onAskSettled(askId: string, outcome: AskOutcome): void };

/** How long an agent may take to exit once its input is closed. */
const FAREWELL_MS = 1_500;
/** An agent that closed a pipe is stopped after this. */
const CLOSED_PIPE_MS = 2_000;
/** An incomplete frame is reported after this long without a byte. */
const HALF_FRAME_MS = 5_000;
/** An incomplete frame ends the link after this. */
const FRAME_MS_MAX = 30_000;

const closedPipeWords = {
  output: "the agent closed its standard output, so Palaver can no longer read from it",
  input: "the agent closed its standard input, so Palaver can no longer write to it",
} as const;

export function openDialectLink<Effect extends { readonly id: string }>(
  command: AgentCommand,
  dialect: Dialect<Effect>,
  effectHandler: EffectHandler<Effect>,
  options: DialectLinkHandlers & { readonly start?: StartAgent },
  ladder?: StopLadder,
): SessionLink {
  const link = new DialectLink(dialect, effectHandler, options);
  return link.open(command, options.start ?? startAgentProcess, ladder);
}

class DialectLink<Effect extends { readonly id: string }> {
  private readonly dialect: Dialect<Effect>;
  private readonly effectHandler: EffectHandler<Effect>;
  private readonly handlers: DialectLinkHandlers;
  private readonly waits = new Set<ReturnType<typeof setTimeout>>();
  private readonly events: SessionEvent[] = [];
  private state: "open" | "leaving" | "closed" = "open";
  private isTelling = false;
  /** Why the start failed. */
  private failure: string | null = null;
  private flow: "flowing" | "paused" = "flowing";
  /** Null while no frame is incomplete. */
  private frameBegunMs: number | null = null;
  private halfFrameWait: ReturnType<typeof setTimeout> | undefined;
  private write: (text: string) => Sent = () => "lost";
  private stop: () => Promise<unknown> = () => Promise.resolve();

  constructor(dialect: Dialect<Effect>, effectHandler: EffectHandler<Effect>, handlers: DialectLinkHandlers) {
    this.dialect = dialect;
    this.effectHandler = effectHandler;
    this.handlers = handlers;
  }

  open(command: AgentCommand, start: StartAgent, ladder?: StopLadder): SessionLink {
    const decoder = createFrameDecoder<JsonObject>((frame) => ({ kind: "frame", frame }));
    const read = (items: ReturnType<typeof decoder.push>) => {
      for (const item of items) if (this.state !== "closed") this.carryOut(this.dialect.read(item, this.now));
    };
    const agent = start(
      command,
      {
        onStdout: (chunk) => {
          const items = decoder.push(chunk);
          if (items.length > 0) this.frameBegunMs = null;
          read(items);
          this.watchLine(decoder.unfinished);
        },
        onStdoutEnd: () => {
          read(decoder.end());
          this.watchLine(decoder.unfinished);
          this.pipeClosed("output");
        },
        onInputClosed: () => this.pipeClosed("input"),
      },
      ladder,
    );
    this.write = agent.write;
    const exited = agent.exited.then((exit) => {
      this.close(exit.code);
      return this.failure === null ? exit : { ...exit, code: null, signal: null, error: this.failure };
    });
    const stop = async () => {
      this.leave();
      agent.closeInput();
      if (!(await within(exited, ladder?.farewellMs ?? FAREWELL_MS))) await agent.stop();
      return exited;
    };
    this.stop = stop;
    // The caller does not have the link yet and could not answer: the first events wait for a microtask.
    this.isTelling = true;
    queueMicrotask(() => {
      this.isTelling = false;
      this.tell();
    });
    this.take(() => this.dialect.open(this.now));
    return {
      send: (frame) => {
        if (this.state === "closed") return "lost";
        return this.carryOut(this.dialect.command(frame, this.now));
      },
      setFlow: (flow) => {
        this.flow = flow;
        agent.setFlow(flow);
      },
      exited,
      stop,
    };
  }

  private get now(): number {
    return this.handlers.nowMs();
  }

  private take(step: () => DialectStep<Effect>): void {
    if (this.state === "closed") return;
    this.carryOut(step());
  }

  // Frames first: an event may be answered at once, and that answer belongs after them. The delivery of the last frame is
  // the delivery of all.
  private carryOut({ frames, events, effects }: DialectStep<Effect>): Sent {
    let sent: Sent = "delivered";
    for (const frame of frames) sent = this.write(writeLine(frame));
    for (const effect of effects) this.perform(effect);
    this.events.push(...events);
    this.tell();
    return sent;
  }

  // A handler may send a command during an event; its events follow the current ones.
  private tell(): void {
    if (this.isTelling) return;
    this.isTelling = true;
    try {
      for (let event = this.events.shift(); event !== undefined; event = this.events.shift()) {
        this.handlers.onEvent(event);
      }
    } finally {
      this.isTelling = false;
    }
  }

  private perform(effect: Effect | LinkEffect): void {
    if (isLinkEffect(effect)) {
      if (effect.type === "wait") this.wait(effect.id, effect.delayMs);
      else this.hangUp(effect.error ?? null);
      return;
    }
    const { id } = effect;
    const report = (value: unknown) => this.take(() => this.dialect.progressed(id, value, this.now));
    void this.effectHandler
      .perform(effect, report)
      .catch((error: unknown): EffectResult => ({ ok: false, message: errorMessage(error) }))
      .then((result) => this.take(() => this.dialect.performed(id, result, this.now)));
  }

  private hangUp(error: string | null): void {
    this.failure ??= error;
    void this.stop();
  }

  private wait(id: string, delayMs: number): void {
    this.after(delayMs, () => this.take(() => this.dialect.performed(id, { ok: true, value: null }, this.now)));
  }

  private after(delayMs: number, act: () => void): ReturnType<typeof setTimeout> {
    const timer = setTimeout(() => {
      this.waits.delete(timer);
      act();
    }, delayMs);
    timer.unref();
    this.waits.add(timer);
    return timer;
  }

  // An exit usually follows, and says more.
  private pipeClosed(pipe: "input" | "output"): void {
    if (this.state !== "open") return;
    this.after(CLOSED_PIPE_MS, () => this.breakOff(closedPipeWords[pipe]));
  }

  // The time does not count while the agent is paused.
  private watchLine(line: UnfinishedLine): void {
    if (this.halfFrameWait !== undefined) {
      clearTimeout(this.halfFrameWait);
      this.waits.delete(this.halfFrameWait);
      this.halfFrameWait = undefined;
    }
    if (line.lengthBytes === 0 || this.state === "closed") {
      this.frameBegunMs = null;
      return;
    }
    this.frameBegunMs ??= this.now;
    const leftMs = FRAME_MS_MAX - (this.now - this.frameBegunMs);
    if (leftMs <= 0 && isFrame(line)) this.frameNeverEnds(line);
    else this.halfFrameWait = this.after(HALF_FRAME_MS, () => this.lineStands(line));
  }

  private lineStands(line: UnfinishedLine): void {
    if (this.flow === "paused") {
      this.frameBegunMs = this.now;
      this.watchLine(line);
    } else if (isFrame(line)) {
      const pause = `nothing followed its first ${line.lengthBytes} bytes for ${HALF_FRAME_MS / 1_000} s`;
      const fault = faultOf("malformed", `incomplete frame: ${pause}`, line.excerpt());
      this.take(() => this.dialect.read({ kind: "fault", fault }, this.now));
      const leftMs = FRAME_MS_MAX - (this.now - (this.frameBegunMs ?? this.now));
      this.halfFrameWait = this.after(Math.max(0, leftMs), () => this.frameNeverEnds(line));
    }
  }

  private frameNeverEnds({ lengthBytes }: UnfinishedLine): void {
    const seconds = FRAME_MS_MAX / 1_000;
    this.breakOff(`incomplete frame after ${seconds} s: only its first ${lengthBytes} bytes arrived`);
  }

  private breakOff(message: string): void {
    if (this.state !== "open") return;
    this.carryOut({ events: [{ type: "agent.failed", sessionId: null, message }], frames: [], effects: [] });
    this.hangUp(null);
  }

  private leave(): void {
    if (this.state !== "open") return;
    this.state = "leaving";
    this.take(() => this.dialect.leave(this.now));
  }

  private close(code: number | null): void {
    if (this.state === "closed") return;
    const last = this.dialect.close(this.now, code);
    this.state = "closed";
    for (const timer of this.waits) clearTimeout(timer);
    this.effectHandler.close();
    this.carryOut({ ...last, frames: [], effects: [] });
  }
}

// An unfinished line of text may be a progress line.
function isFrame(line: UnfinishedLine): boolean {
  return line.lengthBytes > FRAME_BYTES_MAX || line.excerpt().trimStart().startsWith("{");
}

function isLinkEffect(effect: object): effect is LinkEffect {
  const { type } = effect as { readonly type?: unknown };
  return type === "wait" || type === "hang-up";
}
