// Collects what one step of a dialect comes to: events, frames and effects, in the order in which they were found. A dialect
// with one session names it once, and `tell` puts it on every event; a dialect with several names it each time.
import type { Fault } from "../../contract/errors.js";
import type { NotifyLevel } from "../../contract/notices.js";
import type { SessionEvent } from "../../contract/session-events.js";
import type { DialectStep, LinkEffect } from "./dialect.js";
import { faultOf, type JsonObject, writeLine } from "./frames/json-frame.js";

type WithoutSession<Event> = Event extends SessionEvent ? Omit<Event, "sessionId"> : never;

/** An event before it is known whose it is. */
export type Happening = WithoutSession<SessionEvent>;

/** How many different unknown words are reported; the same one is reported once, because agents repeat themselves. */
const UNKNOWN_WORDS_MAX = 64;

export class StepBuilder<Effect = never> {
  /** Whose events these are; null as long as the agent has not said. */
  sessionId: string | null = null;
  private events: SessionEvent[] = [];
  private frames: JsonObject[] = [];
  private effects: (Effect | LinkEffect)[] = [];
  private readonly reported = new Set<string>();

  tell(...happenings: readonly Happening[]): void {
    for (const happening of happenings) this.event({ ...happening, sessionId: this.sessionId } as SessionEvent);
  }

  event(...events: readonly SessionEvent[]): void {
    this.events.push(...events);
  }

  send(frame: JsonObject): void {
    this.frames.push(frame);
  }

  want(effect: Effect | LinkEffect): void {
    this.effects.push(effect);
  }

  notice(sessionId: string | null, level: NotifyLevel, message: string): void {
    this.event({ type: "notice.shown", sessionId, level, message });
  }

  failed(sessionId: string | null, message: string, code?: number): void {
    this.event({ type: "command.failed", sessionId, message, ...(code === undefined ? {} : { code }) });
  }

  /** A frame that the agent should not have sent; it is shown, and the conversation continues. */
  fault(name: "invalidField" | "invalidFrame", message: string, source: object): void {
    this.tell({ type: "fault.reported", fault: faultOf(name, message, writeLine(source)) });
  }

  /** A word that this version does not know, reported once. */
  unknown(noun: string, word: string, source: object, sessionId: string | null = this.sessionId): void {
    const message = `unknown ${noun}: ${word.slice(0, 80)}`;
    this.faultOnce(sessionId, message, () => faultOf("unknownType", message, writeLine(source)));
  }

  /** A fault that recurs in the same way is reported once. */
  faultOnce(sessionId: string | null, key: string, fault: () => Fault): void {
    if (this.reported.has(key) || this.reported.size >= UNKNOWN_WORDS_MAX) return;
    this.reported.add(key);
    this.event({ type: "fault.reported", sessionId, fault: fault() });
  }

  /** The step so far; the builder is empty again. */
  take(): DialectStep<Effect> {
    const { events, frames, effects } = this;
    this.events = [];
    this.frames = [];
    this.effects = [];
    return { events, frames, effects };
  }
}
