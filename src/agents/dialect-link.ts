// A running agent behind a dialect: starts the process, feeds its lines to the machine, and does what the machine decides.
// It writes frames, hands events to the front end, performs effects, and closes the machine when the agent is gone.
// Whatever the wire, this is the only file with hands on it.
import type { AskOutcome, Sent } from "../contract/asks.js";
import { FRAME_BYTES_MAX } from "../contract/limits.js";
import type { LinesCommand } from "../contract/lines-commands.js";
import type { SessionEvent } from "../contract/session-events.js";
import {
  type AgentCommand,
  type AgentExit,
  type StartAgent,
  type StopLadder,
  startAgentProcess,
} from "./agent-process.js";
import type { Dialect, DialectStep, EffectResult, LinkEffect } from "./dialects/dialect.js";
import { createFrameDecoder } from "./dialects/frames/frame-decoder.js";
import { faultOf, type JsonObject, writeLine } from "./dialects/frames/json-frame.js";
import type { UnfinishedLine } from "./dialects/frames/line-splitter.js";
import { within } from "./within.js";

export type SessionLink = {
  /** "lost" when the agent is gone. */
  send(command: LinesCommand): Sent;
  /** Holds the agent back, or lets it continue. Required, so that no wrapper can lose it; a link without a pipe ignores it. */
  setFlow(flow: "flowing" | "paused"): void;
  readonly exited: Promise<AgentExit>;
  stop(): Promise<AgentExit>;
};

/** Does for an agent what its dialect may not do itself. It never throws: what goes wrong is a result. */
export interface EffectHandler<Effect> {
  /** `report` passes on what there is before the effect is done. */
  perform(effect: Effect, report: (value: unknown) => void): Promise<EffectResult>;
  /** The agent is gone; whatever still runs for it ends. */
  close(): void;
}

/** For dialects that want nothing done. */
export const withoutEffects: EffectHandler<never> = {
  perform: (effect: never) => Promise.resolve({ ok: false, message: `nobody performs ${JSON.stringify(effect)}` }),
  close: () => undefined,
};

export type DialectLinkHandlers = {
  onEvent(event: SessionEvent): void;
  /** The front end's own clock: deadlines are moments on it. */
  nowMs(): number;
};

/** Where an ask may also be answered by another front end, or by the recording that is being played. */
export type FrontHandlers = DialectLinkHandlers & { onAskSettled(askId: string, outcome: AskOutcome): void };

/** A process that runs already may take the place of the one that would be started. */
export type DialectLinkOptions = DialectLinkHandlers & { readonly start?: StartAgent };

/** How long an agent has to end by itself once its input is closed. */
const FAREWELL_MS = 1_500;
/** An agent that closes a pipe is about to end; one that still runs after this is ended. */
const CLOSED_PIPE_MS = 2_000;
/** A frame that was begun and got no more bytes for so long is reported. */
const HALF_FRAME_MS = 5_000;
/** A frame that has not ended so long after its beginning never will; the link is closed. */
const FRAME_MS_MAX = 30_000;

const closedPipeWords = {
  output: "the agent closed its standard output, so it can say nothing more",
  input: "the agent closed its standard input, so it cannot be told anything more",
} as const;

export function openDialectLink<Effect extends { readonly id: string }>(
  command: AgentCommand,
  createDialect: () => Dialect<Effect>,
  performer: EffectHandler<Effect>,
  options: DialectLinkOptions,
  ladder?: StopLadder,
): SessionLink {
  const link = new DialectLink(createDialect(), performer, options);
  return link.open(command, options.start ?? startAgentProcess, ladder);
}

class DialectLink<Effect extends { readonly id: string }> {
  private readonly dialect: Dialect<Effect>;
  private readonly performer: EffectHandler<Effect>;
  private readonly handlers: DialectLinkHandlers;
  private readonly waits = new Set<ReturnType<typeof setTimeout>>();
  private readonly events: SessionEvent[] = [];
  private state: "open" | "leaving" | "closed" = "open";
  private isTelling = false;
  /** Why the start failed. */
  private failure: string | null = null;
  private flow: "flowing" | "paused" = "flowing";
  private frameBegunMs = 0;
  private halfFrameWait: ReturnType<typeof setTimeout> | undefined;
  private write: (text: string) => Sent = () => "lost";
  private stop: () => Promise<unknown> = () => Promise.resolve();

  constructor(dialect: Dialect<Effect>, performer: EffectHandler<Effect>, handlers: DialectLinkHandlers) {
    this.dialect = dialect;
    this.performer = performer;
    this.handlers = handlers;
  }

  open(command: AgentCommand, start: StartAgent, ladder?: StopLadder): SessionLink {
    const decoder = createFrameDecoder<JsonObject>({}, (frame) => ({ kind: "frame", frame }));
    const read = (items: ReturnType<typeof decoder.push>) => {
      for (const item of items) this.take(() => this.dialect.read(item, this.now));
    };
    const agent = start(
      command,
      {
        onStdout: (chunk) => {
          const items = decoder.push(chunk);
          if (items.length > 0) this.frameBegunMs = this.now;
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
    // Whoever opens this link has not got it in hand yet and could not answer: the first events wait for a moment.
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

  // Frames go first: an event may be answered at once, and the frame of that answer belongs behind these. The last frame is
  // written last, so that its delivery is the delivery of all. A command without a frame was taken by the dialect itself.
  private carryOut({ frames, events, effects }: DialectStep<Effect>): Sent {
    let sent: Sent = "delivered";
    for (const frame of frames) sent = this.write(writeLine(frame));
    for (const effect of effects) this.perform(effect);
    this.events.push(...events);
    this.tell();
    return sent;
  }

  // A handler may send a command in the middle of an event. What follows from it is told after what came before.
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
    void this.performer
      .perform(effect, report)
      .catch((error: unknown): EffectResult => ({ ok: false, message: error instanceof Error ? error.message : "" }))
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

  // Half of the talk is lost for good. The exit, if it follows, says more.
  private pipeClosed(pipe: "input" | "output"): void {
    if (this.state !== "open") return;
    this.after(CLOSED_PIPE_MS, () => this.breakOff(closedPipeWords[pipe]));
  }

  // An agent that is held back is not the one that is late.
  private watchLine(line: UnfinishedLine): void {
    if (this.halfFrameWait !== undefined) {
      clearTimeout(this.halfFrameWait);
      this.waits.delete(this.halfFrameWait);
      this.halfFrameWait = undefined;
    }
    if (line.lengthBytes === 0 || this.state === "closed") {
      this.frameBegunMs = this.now;
      return;
    }
    const leftMs = FRAME_MS_MAX - (this.now - this.frameBegunMs);
    if (leftMs <= 0 && isFrame(line)) this.frameNeverEnds(line);
    else this.halfFrameWait = this.after(HALF_FRAME_MS, () => this.lineStands(line));
  }

  private lineStands(line: UnfinishedLine): void {
    if (this.flow === "paused") {
      this.frameBegunMs = this.now;
      this.watchLine(line);
    } else if (isFrame(line)) {
      const pause = `nothing came for ${HALF_FRAME_MS / 1_000} s after its first ${line.lengthBytes} bytes`;
      const fault = faultOf("malformed", `a frame was begun and not ended: ${pause}`, line.excerpt());
      this.take(() => this.dialect.read({ kind: "fault", fault }, this.now));
      const leftMs = FRAME_MS_MAX - (this.now - this.frameBegunMs);
      this.halfFrameWait = this.after(Math.max(0, leftMs), () => this.frameNeverEnds(line));
    }
  }

  private frameNeverEnds({ lengthBytes }: UnfinishedLine): void {
    const seconds = FRAME_MS_MAX / 1_000;
    this.breakOff(`a frame was begun and not ended within ${seconds} s; its first ${lengthBytes} bytes came`);
  }

  private breakOff(message: string): void {
    if (this.state !== "open") return;
    this.carryOut({ events: [{ type: "agent.failed", sessionId: null, message }], frames: [], effects: [] });
    this.hangUp(null);
  }

  private leave(): void {
    if (this.state !== "open") return;
    this.take(() => this.dialect.leave(this.now));
    this.state = "leaving";
  }

  private close(code: number | null): void {
    if (this.state === "closed") return;
    const last = this.dialect.close(this.now, code);
    this.state = "closed";
    for (const timer of this.waits) clearTimeout(timer);
    this.performer.close();
    this.carryOut({ ...last, frames: [], effects: [] });
  }
}

// Text without a newline may be a progress line; what begins as a frame, or is longer than one may be, is not.
function isFrame(line: UnfinishedLine): boolean {
  return line.lengthBytes > FRAME_BYTES_MAX || line.excerpt().trimStart().startsWith("{");
}

function isLinkEffect(effect: object): effect is LinkEffect {
  const { type } = effect as { readonly type?: unknown };
  return type === "wait" || type === "hang-up";
}
