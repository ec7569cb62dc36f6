// What one step of the machine comes to: events for the front end, frames for the agent, effects for the link. Every part
// of the machine puts its share in here, and the step that began takes it all out.
import type { Fault } from "../../../contract/errors.js";
import type { SessionEvent } from "../../../contract/session-events.js";
import type { DialectStep, LinkEffect } from "../dialect.js";
import type { JsonObject } from "../frames/json-frame.js";
import { faultOf, writeLine } from "../frames/json-frame.js";
import type { AcpEffect } from "./acp-effect.js";

/** How many different unknown words are reported; the same one is reported once, because agents repeat themselves. */
const UNKNOWN_WORDS_MAX = 64;

export class Outbox {
  private events: SessionEvent[] = [];
  private frames: JsonObject[] = [];
  private effects: (AcpEffect | LinkEffect)[] = [];
  private readonly unknownWords = new Set<string>();

  event(...events: readonly SessionEvent[]): void {
    this.events.push(...events);
  }

  frame(frame: JsonObject): void {
    this.frames.push(frame);
  }

  effect(effect: AcpEffect | LinkEffect): void {
    this.effects.push(effect);
  }

  notice(sessionId: string | null, level: "info" | "warn" | "error" | "success", message: string): void {
    this.event({ type: "notice.shown", sessionId, level, message });
  }

  failed(sessionId: string | null, message: string, code?: number): void {
    this.event({ type: "command.failed", sessionId, message, ...(code === undefined ? {} : { code }) });
  }

  /** A word this version does not know, said once. */
  unknown(sessionId: string | null, noun: string, word: string, source: object): void {
    const message = `unknown ${noun}: ${word.slice(0, 80)}`;
    this.faultOnce(sessionId, `${noun} ${word}`, () => faultOf("unknownType", message, writeLine(source)));
  }

  /** Something that is wrong each time in the same way is said once. */
  faultOnce(sessionId: string | null, key: string, fault: () => Fault): void {
    if (this.unknownWords.has(key) || this.unknownWords.size >= UNKNOWN_WORDS_MAX) return;
    this.unknownWords.add(key);
    this.event({ type: "fault.reported", sessionId, fault: fault() });
  }

  take(): DialectStep<AcpEffect> {
    const { events, frames, effects } = this;
    [this.events, this.frames, this.effects] = [[], [], []];
    return { events, frames, effects };
  }
}
