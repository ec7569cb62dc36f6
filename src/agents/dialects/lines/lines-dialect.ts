// The lines wire in Palaver's own words: each frame of the agent becomes session events, and what is no frame becomes a log
// line or a fault. A frame that does not fit is mended where its meaning is clear. One that cannot be mended never leaves the
// agent waiting for us, or us for the agent: a question is refused at once, an unreadable end still ends the turn, and an
// unreadable `ready` is a failed start.

import type { Fault } from "../../../contract/errors.js";
import { introduction } from "../../../contract/introduction.js";
import type { LinesCommand } from "../../../contract/lines-commands.js";
import type { LinesOutput, UiRequest } from "../../../contract/lines-outputs.js";
import { type Dialect, type DialectStep, START_WAIT_MS } from "../dialect.js";
import type { Decoded } from "../frames/frame-decoder.js";
import type { JsonObject } from "../frames/json-frame.js";
import { PendingAsks } from "../pending-asks.js";
import { StepBuilder } from "../step-builder.js";
import { EventSequence } from "./event-sequence.js";
import { createLegacyPreflight } from "./legacy-preflight.js";
import { decodeOutput } from "./lines-codec.js";
import { askOf, eventOf, frameEvents } from "./lines-events.js";
import { answerInOwnValues, eventTypeIn, meantType, mendedOutput } from "./lines-mend.js";

/** An agent that is still silent after this may be waiting for `initialize`; it is sent once, before `ready`. */
const INTRODUCE_AFTER_MS = 2_000;

/** How many sessions with a number for an id are remembered. */
const NUMBERED_SESSIONS_MAX = 4_096;

export function createLinesDialect(): Dialect {
  return new LinesDialect();
}

class LinesDialect implements Dialect {
  private readonly out = new StepBuilder();
  private readonly asks = new PendingAsks(this.out);
  private readonly legacy = createLegacyPreflight();
  private readonly sequence = new EventSequence();
  private readonly numberedSessions = new Map<string, number>();
  private isReady = false;

  open(): DialectStep {
    this.out.want({ type: "wait", id: "introduce", delayMs: INTRODUCE_AFTER_MS });
    this.out.want({ type: "wait", id: "ready", delayMs: START_WAIT_MS });
    return this.step();
  }

  read(decoded: Decoded<JsonObject>, nowMs: number): DialectStep {
    if (decoded.kind === "fault") this.out.tell({ type: "fault.reported", fault: decoded.fault });
    else if (decoded.kind === "text") this.out.tell({ type: "log.written", stream: "stdout", text: decoded.text });
    else this.readFrame(decoded.frame, nowMs);
    return this.step();
  }

  command(command: LinesCommand): DialectStep {
    if (command.type === "ui_response") this.asks.answer(command);
    else this.out.send(this.inNumbers(command));
    return this.step();
  }

  performed(id: string): DialectStep {
    if (this.isReady) return this.step();
    if (id === "introduce") this.out.send(introduction);
    else this.out.want({ type: "hang-up", error: `it sent no "ready" frame within ${START_WAIT_MS / 1_000} s` });
    return this.step();
  }

  leave(): DialectStep {
    this.asks.giveUp("shutdown");
    this.out.send({ type: "quit" });
    return this.step();
  }

  close(): DialectStep {
    this.asks.giveUp("disconnected");
    return this.step();
  }

  private readFrame(object: JsonObject, nowMs: number): void {
    if (object.event_seq !== undefined && this.isRepeated(object)) return;
    const decoded = decodeOutput(object);
    const read = decoded.kind === "fault" ? decodeOutput(mendedOutput(object)) : decoded;
    // What is wrong is said in the words of what was sent.
    if (read.kind === "frame") this.readOutput(read.frame, object, nowMs);
    else if (decoded.kind === "fault") this.refuse(object, decoded.fault);
  }

  private readOutput(frame: LinesOutput, object: JsonObject, nowMs: number): void {
    if (typeof object.session_id === "number") this.rememberNumber(object.session_id);
    switch (frame.type) {
      case "event":
        this.out.event(eventOf(frame.event, frame.session_id ?? null));
        if (frame.event.type === "agent_end") this.endQuestions(frame.session_id ?? null);
        return;
      case "ui_request":
        this.ask(frame, object, nowMs);
        return;
      case "ui_cancel":
        this.asks.withdraw(frame.id, "agent_cancelled");
        return;
      case "ready":
        this.isReady = true;
    }
    this.out.event(...frameEvents(frame));
  }

  private ask(frame: UiRequest, object: JsonObject, nowMs: number): void {
    const response = { type: "ui_response", id: object.id };
    this.asks.raise(askOf(frame, nowMs), (answer) => {
      if (answer.kind === "unanswered") this.out.send({ ...response, result: null, error: answer.reason });
      else this.out.send({ ...response, result: answerInOwnValues(object, answer.value), error: null });
    });
  }

  private endQuestions(sessionId: string | null): void {
    this.asks.giveUp("turn_ended", sessionId === null ? "everyone" : { sessionId });
  }

  private refuse(object: JsonObject, fault: Fault): void {
    if (object.type === "ready" && !this.isReady) {
      this.out.want({ type: "hang-up", error: `its "ready" frame does not fit: ${fault.message}` });
      return;
    }
    const event = eventTypeIn(object);
    const meant = fault.name === "unknownType" ? meantType(object) : null;
    // A misspelt type is a mistake, and may have been the end of the turn; a type that is really new is not.
    if (meant !== null) this.out.fault("invalidFrame", `${fault.message}; did you mean ${meant}?`, object);
    else if (event !== null && fault.name === "unknownType") this.out.faultOnce(null, fault.message, () => fault);
    else this.out.tell({ type: "fault.reported", fault });
    if (object.type === "ui_request") this.refuseQuestion(object, fault);
    else if (event === "agent_end") this.out.event({ type: "prompt.finished", sessionId: sessionOf(object) });
  }

  // Without an id there is nothing to answer; the fault is all that can be said.
  private refuseQuestion({ id }: JsonObject, { message }: Fault): void {
    if (typeof id !== "string" && typeof id !== "number") return;
    this.out.send({ type: "ui_response", id, result: null, error: message });
  }

  private isRepeated(object: JsonObject): boolean {
    const { event_seq: seq } = object;
    if (typeof seq !== "number" || object.type !== "event") return false;
    const sessionId = sessionOf(object);
    const place = this.sequence.take(sessionId, seq, eventTypeIn(object));
    if (place.kind === "next") {
      if (place.missed > 0) this.out.event({ type: "events.missed", sessionId, count: place.missed });
    } else if (place.time === "first") {
      this.out.fault("invalidFrame", `event_seq ${seq} was sent before; the repeated event was dropped`, object);
    }
    return place.kind === "repeated";
  }

  private rememberNumber(id: number): void {
    this.numberedSessions.set(String(id), id);
    const [oldest = ""] = this.numberedSessions.keys();
    if (this.numberedSessions.size > NUMBERED_SESSIONS_MAX) this.numberedSessions.delete(oldest);
  }

  // An agent whose sessions have numbers gets numbers back.
  private inNumbers(command: LinesCommand): JsonObject {
    const id = "session_id" in command ? this.numberedSessions.get(command.session_id as string) : undefined;
    return id === undefined ? { ...command } : { ...command, session_id: id };
  }

  private step(): DialectStep {
    const step = this.out.take();
    return { ...step, events: this.legacy.read(step.events) };
  }
}

function sessionOf({ session_id: id }: JsonObject): string | null {
  if (typeof id === "number") return String(id);
  return typeof id === "string" ? id : null;
}
