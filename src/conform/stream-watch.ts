// Checks everything the agent sends against the rules that always hold: valid frames, order of events, growing messages, fresh
// ids.

import type { Decoded } from "../agents/dialects/frames/frame-decoder.js";
import type { AgentEvent } from "../contract/agent-events.js";
import type { LinesOutput } from "../contract/lines-outputs.js";
import { textOf } from "../contract/message-parts.js";
import type { Message } from "../contract/messages.js";
import type { Verdicts } from "./verdicts.js";

const QUOTED_CHARS_MAX = 200;

export class StreamWatch {
  readonly #verdicts: Verdicts;
  readonly #openIds = new Set<string>();
  readonly #lastSeq = new Map<string, number>();
  #working = false;
  #message: { text: string } | null = null;

  constructor(verdicts: Verdicts) {
    this.#verdicts = verdicts;
  }

  see(decoded: Decoded<LinesOutput>): void {
    if (decoded.kind === "text") {
      this.#verdicts.fail("json-only", `a line that is not JSON: ${quoted(decoded.text)}`);
      return;
    }
    this.#verdicts.hold("json-only");
    if (decoded.kind === "fault") {
      this.#verdicts.fail("frames-valid", `${decoded.fault.message} in ${quoted(decoded.fault.excerpt)}`);
      return;
    }
    this.#verdicts.hold("frames-valid");
    const { frame } = decoded;
    if (frame.type === "ui_request") this.#seeAsk(frame.id);
    if (frame.type === "ui_cancel") this.#openIds.delete(frame.id);
    if (frame.type !== "event") return;
    if (frame.event_seq !== undefined) this.#seeSeq(frame.session_id ?? "", frame.event_seq);
    this.#seeEvent(frame.event);
  }

  /** The front end has answered this question, so that its id is free. */
  answered(id: string): void {
    this.#openIds.delete(id);
  }

  #seeAsk(id: string): void {
    this.#verdicts.check("ask-ids", !this.#openIds.has(id), `the id ${quoted(id)} was used for two open questions`);
    this.#openIds.add(id);
  }

  #seeSeq(sessionId: string, seq: number): void {
    const expected = (this.#lastSeq.get(sessionId) ?? -1) + 1;
    this.#verdicts.check("event-seq", seq === expected, `event_seq ${seq} where ${expected} was due`);
    this.#lastSeq.set(sessionId, seq);
  }

  #seeEvent(event: AgentEvent): void {
    switch (event.type) {
      case "agent_start":
        this.#verdicts.check("prompt-frames-turn", !this.#working, "agent_start twice without agent_end");
        this.#working = true;
        break;
      case "agent_end":
        this.#verdicts.check("prompt-frames-turn", this.#working, "agent_end without agent_start");
        this.#verdicts.check("message-order", this.#message === null, "agent_end before message_end");
        this.#working = false;
        this.#message = null;
        this.#openIds.clear();
        break;
      case "message_start":
        if (event.message.role === "assistant") this.#startMessage(event.message);
        break;
      case "message_delta":
        this.#verdicts.check("message-order", this.#message !== null, "message_delta without message_start");
        if (this.#message !== null && event.kind === "text") this.#message.text += event.delta;
        break;
      case "message_update":
        this.#growMessage(event.message, "message_update");
        break;
      case "message_end":
        if (event.message.role !== "assistant") break;
        this.#growMessage(event.message, "message_end");
        this.#message = null;
        break;
    }
  }

  #startMessage(message: Message): void {
    this.#verdicts.check("message-order", this.#message === null, "message_start before the last message_end");
    this.#message = { text: textOf(message.content) };
  }

  #growMessage(message: Message, event: string): void {
    this.#verdicts.check("message-order", this.#message !== null, `${event} without message_start`);
    const text = textOf(message.content);
    const before = this.#message?.text ?? "";
    const whole = text.startsWith(before);
    this.#verdicts.check(
      "message-whole",
      whole,
      `${quoted(text)} does not begin with what came before, ${quoted(before)}`,
    );
    if (this.#message !== null) this.#message.text = text;
  }
}

function quoted(text: string): string {
  return JSON.stringify(text.length > QUOTED_CHARS_MAX ? `${text.slice(0, QUOTED_CHARS_MAX)}…` : text);
}
