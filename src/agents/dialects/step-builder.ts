// What one step of a dialect comes to while it is being worked out: events, frames and effects in the order in which they
// were found. A dialect with a session says so once, and every event then carries it.
import type { SessionEvent } from "../../contract/session-events.js";
import type { DialectStep, LinkEffect } from "./dialect.js";
import { faultOf, type JsonObject, writeLine } from "./frames/json-frame.js";

type WithoutSession<Event> = Event extends SessionEvent ? Omit<Event, "sessionId"> : never;

/** An event before it is known whose it is. */
export type Happening = WithoutSession<SessionEvent>;

/** How many different unknown words are reported; the same one is reported once, because agents repeat themselves. */
const UNKNOWN_WORDS_MAX = 64;

export class StepBuilder {
  /** Whose events these are; null as long as the agent has not said. */
  sessionId: string | null = null;
  private events: SessionEvent[] = [];
  private frames: JsonObject[] = [];
  private effects: LinkEffect[] = [];
  private readonly unknownWords = new Set<string>();

  tell(...happenings: readonly Happening[]): void {
    for (const happening of happenings) this.event({ ...happening, sessionId: this.sessionId } as SessionEvent);
  }

  event(...events: readonly SessionEvent[]): void {
    this.events.push(...events);
  }

  send(frame: JsonObject): void {
    this.frames.push(frame);
  }

  want(effect: LinkEffect): void {
    this.effects.push(effect);
  }

  /** Something the agent should not have sent, or that nobody here knows: it is shown, and the talk goes on. */
  fault(name: "unknownType" | "invalidField" | "invalidFrame", message: string, source: object): void {
    if (name === "unknownType") {
      if (this.unknownWords.has(message) || this.unknownWords.size >= UNKNOWN_WORDS_MAX) return;
      this.unknownWords.add(message);
    }
    this.tell({ type: "fault.reported", fault: faultOf(name, message, writeLine(source)) });
  }

  /** The step so far; the draft is empty again. */
  take(): DialectStep {
    const step = { events: this.events, frames: this.frames, effects: this.effects };
    this.events = [];
    this.frames = [];
    this.effects = [];
    return step;
  }
}
