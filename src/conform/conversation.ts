// The agent under test. Its frames are queued until they are read, with a time limit, so that a silent agent is reported
// instead of hanging the test.
import { type AgentCommand, type AgentExit, startAgentProcess } from "../agents/agent-process.js";
import { createFrameDecoder, type Decoded } from "../agents/dialects/frames/frame-decoder.js";
import { type JsonObject, writeLine } from "../agents/dialects/frames/json-frame.js";
import { decodeOutput, encodeCommand } from "../agents/dialects/lines/lines-codec.js";
import {
  answerInOwnValues,
  eventTypeIn,
  isNearlyReady,
  meantType,
  mendedOutput,
} from "../agents/dialects/lines/lines-mend.js";
import { causeIn } from "../agents/exit-cause.js";
import { type AgentEvent, agentEventTypes } from "../contract/agent-events.js";
import type { Fault } from "../contract/errors.js";
import { isRecord } from "../contract/json-value.js";
import type { LinesCommand } from "../contract/lines-commands.js";
import type { LinesOutput } from "../contract/lines-outputs.js";
import { textOf } from "../contract/message-parts.js";
import { type Message, unknownBlockWords } from "../contract/messages.js";
import type { Verdicts } from "./verdicts.js";

/** A frame, nothing within the limit, or the agent's end. */
export type Next = LinesOutput | "silence" | "gone";

const SHOWN_CHARS_MAX = 200;

/** Further frames of a flood are checked, but not queued. */
const WAITING_FRAMES_MAX = 100_000;

export class Conversation {
  readonly #link: LinesLink;
  readonly #watch: StreamWatch;
  readonly #waiting: LinesOutput[] = [];
  /** Questions that were repaired, as they were sent, so that their answers fit. */
  readonly #asked = new Map<string, JsonObject>();
  readonly patienceMs: number;
  #wake = () => {};
  #exit: AgentExit | null = null;
  #lastLine = "";
  framesSeen = 0;
  /** Bytes on stdout, also those that are no line yet. */
  bytesSeen = 0;
  /** The first line is a frame that Palaver cannot read: waiting longer finds nothing more. */
  startsWrong = false;

  constructor(command: AgentCommand, verdicts: Verdicts, patienceMs: number) {
    this.patienceMs = patienceMs;
    this.#watch = new StreamWatch(verdicts);
    this.#link = openLinesLink(command, {
      onBytes: (count) => {
        this.bytesSeen += count;
      },
      onDecoded: (decoded, object) => this.#take(decoded, object),
    });
    void this.#link.exited.then((exit) => {
      this.#exit = exit;
      this.#wake();
    });
  }

  send(command: LinesCommand): void {
    if (command.type !== "ui_response") {
      this.sendRaw(encodeCommand(command));
      return;
    }
    this.#watch.answered(command.id);
    const own = this.#asked.get(command.id);
    this.sendRaw(
      own === undefined
        ? encodeCommand(command)
        : writeLine({ ...command, id: own.id, result: answerInOwnValues(own, command.result) }),
    );
  }

  sendRaw(text: string): void {
    this.#lastLine = text;
    this.#link.sendRaw(text);
  }

  /** The line that was sent last, for a report. */
  get lastLine(): string {
    const line = this.#lastLine.trimEnd();
    return line.length > SHOWN_CHARS_MAX ? `${line.slice(0, SHOWN_CHARS_MAX)}… (${line.length} characters)` : line;
  }

  /** How it exited, with the cause from its stderr; null while it runs. */
  get exitWords(): string | null {
    if (this.#exit === null) return null;
    if (this.#exit.error !== null) return `could not be started: ${this.#exit.error}`;
    const cause = causeIn(this.#exit.stderrTail);
    return `exited with code ${this.#exit.code}${cause === "" ? "" : `; its stderr says: ${cause}`}`;
  }

  /** Whether it has begun a turn and not ended it. */
  get isTurnOpen(): boolean {
    return this.#watch.isTurnOpen;
  }

  closeInput(): void {
    this.#link.closeInput();
  }

  async next(limitMs: number = this.patienceMs): Promise<Next> {
    const frame = this.#waiting.shift();
    if (frame !== undefined) return frame;
    if (this.#exit !== null) return "gone";
    if (this.startsWrong) return "silence";
    const arrived = await this.#arrival(limitMs);
    return arrived ? this.next(limitMs) : "silence";
  }

  /** The next frame of one of these types; frames before it go to `onOther`. */
  async until(types: readonly LinesOutput["type"][], onOther: (frame: LinesOutput) => void = () => {}): Promise<Next> {
    for (;;) {
      const next = await this.next();
      if (typeof next === "string" || types.includes(next.type)) return next;
      onOther(next);
    }
  }

  /** How it ended; null when it still runs after the limit. */
  async ended(): Promise<AgentExit | null> {
    for (;;) {
      const next = await this.next();
      if (next === "gone") return this.#exit;
      if (next === "silence") return null;
    }
  }

  stop(): Promise<AgentExit> {
    return this.#link.stop();
  }

  // A mistake is reported once: the frame is then read as front ends read it, so that the same mistake fails no other rule.
  #take(decoded: Decoded<LinesOutput>, object: JsonObject | null): void {
    this.framesSeen += 1;
    const { frame, meant } = readAsMeant(decoded, object);
    this.#watch.see(decoded, { frame, meant }, object);
    if (frame === null && decoded.kind === "fault" && this.framesSeen === 1) {
      this.startsWrong = true;
      this.#wake();
    }
    if (decoded.kind === "fault" && object?.type === "ui_request") this.#repairAsk(decoded.fault, object, frame);
    if (frame === null || this.#waiting.length >= WAITING_FRAMES_MAX) return;
    this.#waiting.push(frame);
    this.#wake();
  }

  #repairAsk({ message }: Fault, object: JsonObject, frame: LinesOutput | null): void {
    const { id } = object;
    if (frame?.type === "ui_request") this.#asked.set(frame.id, object);
    else {
      const ownId = typeof id === "string" || typeof id === "number" ? id : null;
      this.sendRaw(writeLine({ type: "ui_response", id: ownId, result: null, error: message }));
    }
  }

  #arrival(limitMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), limitMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }
}

/** Raw bytes in, decoded frames out, without a dialect that repairs the agent's mistakes. */
export type LinesLink = {
  send(command: LinesCommand): void;
  sendRaw(text: string): void;
  closeInput(): void;
  readonly exited: Promise<AgentExit>;
  stop(): Promise<AgentExit>;
};

type LinkHandlers = {
  onBytes?(count: number): void;
  /** The object is that of a frame, as it was sent. */
  onDecoded(decoded: Decoded<LinesOutput>, object: JsonObject | null): void;
};

export function openLinesLink(command: AgentCommand, { onBytes, onDecoded }: LinkHandlers): LinesLink {
  const decoder = createFrameDecoder<JsonObject>((frame) => ({ kind: "frame", frame }));
  const tell = (item: Decoded<JsonObject>) => {
    if (item.kind === "frame") onDecoded(decodeOutput(item.frame), item.frame);
    else onDecoded(item, null);
  };
  const agent = startAgentProcess(command, {
    onStdout(chunk) {
      onBytes?.(chunk.length);
      decoder.push(chunk).forEach(tell);
    },
    onStdoutEnd: () => decoder.end().forEach(tell),
    onStderr: () => {},
  });
  return {
    send: (frame) => void agent.write(encodeCommand(frame)),
    sendRaw: (text) => void agent.write(text),
    closeInput: agent.closeInput,
    exited: agent.exited,
    stop: () => agent.stop(encodeCommand({ type: "quit" })),
  };
}

/** A frame as front ends read it, and the type that a misspelt one was meant to have. */
interface ReadFrame {
  readonly frame: LinesOutput | null;
  readonly meant: string | null;
}

function readAsMeant(decoded: Decoded<LinesOutput>, object: JsonObject | null): ReadFrame {
  if (decoded.kind === "frame") return { frame: decoded.frame, meant: null };
  if (decoded.kind === "text" || object === null) return { frame: null, meant: null };
  const mended = decodeOutput(mendedOutput(object));
  if (mended.kind === "frame") return { frame: mended.frame, meant: null };
  const meant = isNearlyReady(object) ? "ready" : decoded.fault.name === "unknownType" ? meantType(object) : null;
  const again = meant === null ? mended : decodeOutput(mendedOutput(withType(object, meant)));
  if (again.kind === "frame") return { frame: again.frame, meant };
  // An end that cannot be read is an end.
  const isEnd = eventTypeIn(object) === "agent_end" || meant === "agent_end";
  return { frame: isEnd ? { type: "event", event: { type: "agent_end" } } : null, meant };
}

function withType(object: JsonObject, type: string): JsonObject {
  const { event } = object;
  if (object.type === "event") return { ...object, event: isRecord(event) ? { ...event, type } : type };
  return agentEventTypes.has(type) ? { ...object, type: "event", event: { ...object, type } } : { ...object, type };
}

// Checks everything the agent sends against the rules that always hold: valid frames, order of events, growing messages, fresh
// ids.

const QUOTED_CHARS_MAX = 200;

class StreamWatch {
  readonly #verdicts: Verdicts;
  readonly #openIds = new Set<string>();
  readonly #faults = new Set<string>();
  readonly #lastSeq = new Map<string, number>();
  #working = false;
  #message: { text: string } | null = null;

  constructor(verdicts: Verdicts) {
    this.#verdicts = verdicts;
  }

  see(decoded: Decoded<LinesOutput>, { frame, meant }: ReadFrame, object: JsonObject | null): void {
    if (decoded.kind === "text") {
      this.#verdicts.fail("json-only", `a line that is not JSON: ${quoted(decoded.text)}`);
      return;
    }
    this.#verdicts.hold("json-only");
    if (decoded.kind === "fault") {
      const { message, excerpt } = decoded.fault;
      const hint = meant === null ? "" : `; did you mean ${meant}?`;
      // The same mistake is shown once, so that others are seen beside it.
      if (!this.#faults.has(message)) {
        this.#verdicts.fail("frames-valid", `${message}${hint} in ${shortened(excerpt.trim())}`);
      }
      this.#faults.add(message);
    } else this.#verdicts.hold("frames-valid");
    // An event that cannot be read, or only in part, has its number all the same.
    const { event_seq: seq, session_id: id } = object ?? {};
    if (typeof seq === "number" && (frame === null || frame.type === "event")) {
      this.#seeSeq(typeof id === "string" ? id : "", seq);
    }
    if (frame === null) return;
    if (frame.type === "ui_request") this.#seeAsk(frame.id);
    if (frame.type === "ui_cancel") this.#openIds.delete(frame.id);
    if (frame.type !== "event") return;
    this.#seeEvent(frame.event);
  }

  get isTurnOpen(): boolean {
    return this.#working;
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
        for (const words of unknownBlockWords(event.message)) this.#verdicts.fail("frames-valid", words);
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
  return JSON.stringify(shortened(text));
}

function shortened(text: string): string {
  return text.length > QUOTED_CHARS_MAX ? `${text.slice(0, QUOTED_CHARS_MAX)}…` : text;
}
