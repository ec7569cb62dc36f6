// Collects the events, frames and effects of one dialect step. `tell` adds the session of a dialect that has one; a dialect
// with several sessions uses `event`.
import type { Fault } from "../../contract/errors.js";
import type { Message } from "../../contract/messages.js";
import type { NotifyLevel } from "../../contract/notices.js";
import type { SessionEvent } from "../../contract/session-events.js";
import type { DialectStep, LinkEffect } from "./dialect.js";
import { faultOf, type JsonObject, writeLine } from "./frames/json-frame.js";

type WithoutSession<Event> = Event extends SessionEvent ? Omit<Event, "sessionId"> : never;

/** An event without its session. */
export type Happening = WithoutSession<SessionEvent>;

/** How many distinct faults are reported; each one only once. */
const UNKNOWN_WORDS_MAX = 64;

export class StepBuilder<Effect = never> {
  /** Null until the agent has named its session. */
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

  /** A message that comes whole. */
  message(message: Message, sessionId = this.sessionId): void {
    this.event({ type: "message.started", sessionId, message }, { type: "message.finished", sessionId, message });
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

  /** An invalid frame; the conversation continues. */
  fault(name: "invalidField" | "invalidFrame", message: string, source: object): void {
    this.tell({ type: "fault.reported", fault: faultOf(name, message, writeLine(source)) });
  }

  /** An unknown type, reported once. */
  unknown(noun: string, word: string, source: object, sessionId: string | null = this.sessionId): void {
    const message = `unknown ${noun}: ${word.slice(0, 80)}`;
    this.faultOnce(sessionId, message, () => faultOf("unknownType", message, writeLine(source)));
  }

  /** Reported once per key. */
  faultOnce(sessionId: string | null, key: string, fault: () => Fault): void {
    if (this.reported.has(key) || this.reported.size >= UNKNOWN_WORDS_MAX) return;
    this.reported.add(key);
    this.event({ type: "fault.reported", sessionId, fault: fault() });
  }

  /** Returns the step and empties the builder. */
  take(): DialectStep<Effect> {
    const { events, frames, effects } = this;
    this.events = [];
    this.frames = [];
    this.effects = [];
    return { events, frames, effects };
  }
}

/** Keeps the value as the newest of the map; the oldest is dropped when there are too many. */
export function keepNewest<Key, Value>(kept: Map<Key, Value>, key: Key, value: Value, countMax: number): void {
  kept.delete(key);
  kept.set(key, value);
  for (const oldest of kept.keys()) {
    if (kept.size <= countMax) return;
    kept.delete(oldest);
  }
}
