// What the stream of a hosted session says, understood: each event of the stream becomes what a front end hears. It keeps the
// place in the stream, hears nothing twice, and turns the daemon's clock into the front end's.

import type { Ask, AskOutcome } from "../../contract/asks.js";
import { compileGuard } from "../../contract/guard.js";
import {
  type AgentEnd,
  agentEndSchema,
  caughtUpSchema,
  earlierSchema,
  helloSchema,
  type SettledAsk,
  settledAskSchema,
} from "../../contract/hosted-sessions.js";
import { objectOf } from "../../contract/json-value.js";
import { plainWord } from "../../contract/plain-word.js";
import { type SessionEvent, sessionEventSchema } from "../../contract/session-events.js";
import type { SseEvent } from "../dialects/frames/sse-decoder.js";

export interface StreamHandlers {
  onEvent(event: SessionEvent): void;
  onAskSettled?(askId: string, outcome: AskOutcome): void;
  /** What came so far is all there was; from now on it is live. */
  onCaughtUp?(): void;
  /** This stream begins in the middle: what was before this number has to be asked for. */
  onEarlier?(before: number): void;
  nowMs(): number;
  /** The agent is gone, and the stream with it. */
  onEnded(end: AgentEnd): void;
  /** The daemon is there. */
  onHello(): void;
}

const isSessionEvent = compileGuard(sessionEventSchema);
const FAULT_CHARS_MAX = 160;
const STRANGERS_MAX = 100;

export class StreamWords {
  /** The id to come back with; null before the first. */
  lastId: string | null = null;
  private readonly handlers: StreamHandlers;
  private readonly raised = new Set<string>();
  private readonly strangers = new Set<string>();
  private seq = 0;
  /** What has to be added to a moment on the daemon's clock. */
  private clockOffsetMs = 0;

  constructor(handlers: StreamHandlers) {
    this.handlers = handlers;
  }

  take({ name, data, id }: SseEvent): void {
    if (!this.isNews(id)) return;
    const value = parsed(data);
    if (name === "message") this.takeEvent(value, data);
    else if (name === "settled") this.takeSettled(settledAskSchema.safeParse(value).data);
    else if (name === "hello") this.takeHello(helloSchema.safeParse(value).data);
    else if (name === "earlier") this.takeEarlier(earlierSchema.safeParse(value).data);
    else if (name === "caught-up") this.takeCaughtUp(caughtUpSchema.safeParse(value).data);
    else if (name === "ended") this.takeEnd(agentEndSchema.safeParse(value).data);
  }

  /** The question is settled here, in whatever way the daemon said. */
  settle(askId: string, outcome: AskOutcome): void {
    this.raised.delete(askId);
    const { onAskSettled, onEvent } = this.handlers;
    if (outcome.kind !== "withdrawn" && onAskSettled !== undefined) onAskSettled.call(this.handlers, askId, outcome);
    else {
      const reason = outcome.kind === "withdrawn" ? outcome.reason : "agent_cancelled";
      onEvent.call(this.handlers, { type: "ask.withdrawn", sessionId: null, askId, reason });
    }
  }

  // An event without an id of its own repeats the last one: it says how something is, and may be said again.
  private isNews(id: string | null): boolean {
    if (id === null || id === this.lastId) return true;
    const seq = Number.parseInt(id, 10);
    if (seq < this.seq || (seq === this.seq && id.includes("~"))) return false;
    this.seq = seq;
    this.lastId = id;
    return true;
  }

  private takeEvent(value: unknown, data: string): void {
    if (!isSessionEvent(value)) {
      this.takeStranger(value, data);
      return;
    }
    const event = value as SessionEvent;
    if (event.type !== "ask.raised") this.handlers.onEvent(this.onOurClock(event));
    else this.raise(event.ask, event.sessionId);
  }

  // Nothing that is told has happened later than now, whatever the two clocks say.
  private onOurClock(event: SessionEvent): SessionEvent {
    if (event.atMs === undefined) return event;
    return { ...event, atMs: Math.min(event.atMs + this.clockOffsetMs, this.handlers.nowMs()) };
  }

  private raise(ask: Ask, sessionId: string | null): void {
    if (this.raised.has(ask.id)) return;
    this.raised.add(ask.id);
    const deadlineMs = ask.deadlineMs === null ? null : ask.deadlineMs + this.clockOffsetMs;
    this.handlers.onEvent({ type: "ask.raised", sessionId, ask: { ...ask, deadlineMs } });
  }

  // Whoever comes late has not seen the question: it is shown with its end, so that the transcript has both.
  private takeSettled(settled: SettledAsk | undefined): void {
    if (settled === undefined) return;
    const { askId, ask, outcome } = settled;
    this.raise({ ...ask, deadlineMs: null }, ask.sessionId);
    this.settle(askId, outcome);
  }

  private takeHello(hello: { at_ms: number } | undefined): void {
    if (hello !== undefined) this.clockOffsetMs = this.handlers.nowMs() - hello.at_ms;
    this.handlers.onHello();
  }

  private takeEarlier(earlier: { before: number } | undefined): void {
    if (earlier !== undefined) this.handlers.onEarlier?.(earlier.before);
  }

  private takeCaughtUp(caught: { skipped: number } | undefined): void {
    if (caught !== undefined && caught.skipped > 0) {
      const message = `this view was too slow: the last ${caught.skipped} steps came as one`;
      this.handlers.onEvent({ type: "notice.shown", sessionId: null, level: "info", message });
    }
    this.handlers.onCaughtUp?.();
  }

  private takeEnd(end: AgentEnd | undefined): void {
    this.handlers.onEnded(end ?? { code: null, signal: null, error: null, stderrTail: "" });
  }

  // A newer daemon may know events that we do not; each kind of them is told once.
  private takeStranger(value: unknown, data: string): void {
    const type = plainWord(objectOf(value)["type"] ?? "");
    if (this.strangers.has(type) || this.strangers.size >= STRANGERS_MAX) return;
    this.strangers.add(type);
    const message = `the daemon sent something that is not understood here: ${type || "no event"}`;
    const fault = { name: "unknownType" as const, message, excerpt: data.slice(0, FAULT_CHARS_MAX) };
    this.handlers.onEvent({ type: "fault.reported", sessionId: null, fault });
  }
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}
