// The agent under test. Its frames are queued until they are read, with a time limit, so that a silent agent is a finding and
// not a hang.
import { type AgentCommand, type AgentExit, startAgentProcess } from "../agents/agent-process.js";
import type { Decoded } from "../agents/dialects/frames/frame-decoder.js";
import { createOutputDecoder, encodeCommand } from "../agents/dialects/lines/lines-codec.js";
import { causeIn } from "../agents/exit-cause.js";
import type { LinesCommand } from "../contract/lines-commands.js";
import type { LinesOutput } from "../contract/lines-outputs.js";
import { StreamWatch } from "./stream-watch.js";
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
  readonly patienceMs: number;
  #wake = () => {};
  #exit: AgentExit | null = null;
  #lastLine = "";
  framesSeen = 0;
  /** Bytes on stdout, also those that are no line yet. */
  bytesSeen = 0;

  constructor(command: AgentCommand, verdicts: Verdicts, patienceMs: number) {
    this.patienceMs = patienceMs;
    this.#watch = new StreamWatch(verdicts);
    this.#link = openLinesLink(command, {
      onBytes: (count) => {
        this.bytesSeen += count;
      },
      onDecoded: (decoded) => this.#take(decoded),
    });
    void this.#link.exited.then((exit) => {
      this.#exit = exit;
      this.#wake();
    });
  }

  send(command: LinesCommand): void {
    if (command.type === "ui_response") this.#watch.answered(command.id);
    this.sendRaw(encodeCommand(command));
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

  closeInput(): void {
    this.#link.closeInput();
  }

  async next(limitMs: number = this.patienceMs): Promise<Next> {
    const frame = this.#waiting.shift();
    if (frame !== undefined) return frame;
    if (this.#exit !== null) return "gone";
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

  #take(decoded: Decoded<LinesOutput>): void {
    this.framesSeen += 1;
    this.#watch.see(decoded);
    if (decoded.kind !== "frame" || this.#waiting.length >= WAITING_FRAMES_MAX) return;
    this.#waiting.push(decoded.frame);
    this.#wake();
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

type LinkHandlers = { onBytes?(count: number): void; onDecoded(decoded: Decoded<LinesOutput>): void };

export function openLinesLink(command: AgentCommand, { onBytes, onDecoded }: LinkHandlers): LinesLink {
  const decoder = createOutputDecoder();
  const agent = startAgentProcess(command, {
    onStdout(chunk) {
      onBytes?.(chunk.length);
      decoder.push(chunk).forEach(onDecoded);
    },
    onStdoutEnd: () => decoder.end().forEach(onDecoded),
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
