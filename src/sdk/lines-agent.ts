// A whole agent on the lines wire in one call: it greets, answers the small commands, hands each prompt to the
// author's function, turns what it says into events, and ends every turn, whatever happens in it.
import type { Readable, Writable } from "node:stream";
import type { Decoded } from "../agents/dialects/frames/frame-decoder.js";
import { toJson } from "../agents/dialects/frames/json-frame.js";
import { createCommandDecoder, encodeOutput } from "../agents/dialects/lines/lines-codec.js";
import type { AgentEvent } from "../contract/agent-events.js";
import { agreeOnMessageDeltas, PROTOCOL_VERSION, type ServerCapabilities } from "../contract/capabilities.js";
import { type WireErrorName, wireErrorCodes } from "../contract/errors.js";
import type { LinesCommand } from "../contract/lines-commands.js";
import type { LinesOutput } from "../contract/lines-outputs.js";
import { withinSignal } from "./context.js";
import { type DialogSkills, dialogSkills } from "./form-fallback.js";
import { createLinesUi, type LinesUi } from "./lines-ui.js";
import { MessageStream, type MessageStreamPorts } from "./message-stream.js";
import { createOutlet, type Outlet } from "./outlet.js";
import type { UI } from "./ui.js";

export type Turn = {
  /** What the person wrote. */
  text: string;
  /** Aborted when the person stops the turn; dialogs opened through `ui` are then withdrawn by themselves. */
  signal: AbortSignal;
  ui: UI;
  /** Adds to the message that is being streamed. Resolves when the front end has kept up. */
  say(text: string): Promise<void>;
  /** Reports anything else: tools, permissions. */
  emit(event: AgentEvent): Promise<void>;
};

export type LinesAgent = {
  name: string;
  version?: string;
  /** Works on one prompt. Rejecting reports an `error` event; the turn ends either way. */
  onPrompt(turn: Turn): Promise<void>;
};

export type LinesAgentStreams = { input?: Readable; output?: Writable; dialogTimeoutMs?: number };

const SESSION_ID = "main";
const serverCapabilities: ServerCapabilities = { supports_message_deltas: true };

/** Runs until `quit` or the end of the input. Open dialogs are settled and the running turn is aborted first. */
export async function serveLines(agent: LinesAgent, streams: LinesAgentStreams = {}): Promise<void> {
  const { input = process.stdin, output = process.stdout, dialogTimeoutMs } = streams;
  const server = new LinesServer(agent, output, dialogTimeoutMs);
  const finished = server.read(input);
  server.greet();
  await finished;
  await server.finish();
  input.pause();
}

class LinesServer {
  readonly #agent: LinesAgent;
  readonly #outlet: Outlet;
  readonly #ui: LinesUi;
  #running: { stop: AbortController; done: Promise<void> } | null = null;
  #updates: "whole" | "deltas" = "whole";
  #skills: DialogSkills = dialogSkills({});
  #eventSeq = 0;
  #onQuit = () => {};

  constructor(agent: LinesAgent, output: Writable, dialogTimeoutMs: number | undefined) {
    this.#agent = agent;
    this.#outlet = createOutlet(output, { onClosed: () => this.#ui.disconnect() });
    const timeout = dialogTimeoutMs === undefined ? {} : { timeoutMs: dialogTimeoutMs };
    const skills = () => this.#skills;
    this.#ui = createLinesUi({ send: (frame) => this.#send(frame), sessionId: SESSION_ID, skills, ...timeout });
  }

  greet(): void {
    this.#send({
      type: "ready",
      protocol_version: PROTOCOL_VERSION,
      cwd: process.cwd(),
      ui: true,
      active_session_id: SESSION_ID,
    });
  }

  /** Resolves at `quit`, or when there is nothing left to read. */
  read(input: Readable): Promise<void> {
    const decoder = createCommandDecoder();
    return new Promise((resolve) => {
      this.#onQuit = resolve;
      input.on("data", (chunk: Uint8Array | string) => {
        this.#take(decoder.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk));
      });
      input.on("end", () => {
        this.#take(decoder.end());
        resolve();
      });
      input.on("error", () => resolve());
    });
  }

  async finish(): Promise<void> {
    this.#running?.stop.abort("shutdown");
    this.#ui.close();
    await this.#running?.done;
    await this.#outlet.drained();
  }

  #take(decoded: Decoded<LinesCommand>[]): void {
    for (const item of decoded) {
      if (item.kind === "frame") this.#obey(item.frame);
      else if (item.kind === "text") this.#start(item.text);
      else this.#fail(item.fault.name, item.fault.message);
    }
  }

  #obey(command: LinesCommand): void {
    switch (command.type) {
      case "initialize":
        this.#updates = agreeOnMessageDeltas(command.ui_capabilities ?? {}, serverCapabilities) ? "deltas" : "whole";
        this.#skills = dialogSkills(command.ui_capabilities ?? {});
        this.#send(initialized(this.#agent));
        return;
      case "ping":
        this.#send({ type: "pong" });
        return;
      case "prompt":
        this.#start(command.text);
        return;
      case "abort":
        this.#running?.stop.abort("aborted");
        return;
      case "ui_response":
        this.#ui.handleResponse(command);
        return;
      case "quit":
        this.#onQuit();
        return;
      default:
        this.#fail("notSupported", `${command.type} is not supported by ${this.#agent.name}`);
    }
  }

  #start(text: string): void {
    if (this.#running !== null) {
      this.#fail("sessionBusy", "a turn is running; abort it first");
      return;
    }
    const stop = new AbortController();
    const emit = (event: AgentEvent) => this.#emit(event);
    const done = runTurn(this.#agent, { text, stop, ui: this.#ui, emit, updates: this.#updates });
    this.#running = {
      stop,
      done: done.finally(() => {
        this.#running = null;
      }),
    };
  }

  #emit(event: AgentEvent): Promise<void> {
    this.#send({ type: "event", session_id: SESSION_ID, event_seq: this.#eventSeq++, event });
    return this.#outlet.drained();
  }

  #fail(name: WireErrorName, message: string): void {
    this.#send({ type: "error", code: wireErrorCodes[name], message });
  }

  #send(frame: LinesOutput) {
    return this.#outlet.send(encodeOutput(frame));
  }
}

type TurnPorts = { text: string; stop: AbortController; ui: UI } & Omit<MessageStreamPorts<Promise<void>>, "nowMs">;

async function runTurn(agent: LinesAgent, { text, stop, ui, emit, updates }: TurnPorts): Promise<void> {
  const block = { type: "text" as const, text: "" };
  const message = { role: "assistant" as const, content: [block] };
  const stream = new MessageStream(message, { emit, updates, nowMs: () => performance.now() });
  let speaking = false;
  // Not async: two calls in a row must not overtake each other.
  const say = (more: string) => {
    if (!speaking) void stream.start();
    speaking = true;
    block.text += more;
    return stream.grew(0, "text", more) ?? Promise.resolve();
  };
  await emit({ type: "agent_start" });
  try {
    await agent.onPrompt({ text, signal: stop.signal, ui: withinSignal(ui, stop.signal), say, emit });
  } catch (error) {
    if (!stop.signal.aborted) await emit({ type: "error", data: [toJson(error)] });
  }
  stop.abort("turn_ended");
  if (speaking) await stream.end();
  await emit({ type: "agent_end", data: [speaking ? [message] : []] });
}

function initialized({ name, version }: LinesAgent): LinesOutput {
  const server = version === undefined ? { name } : { name, version };
  return { type: "initialized", protocol_version: PROTOCOL_VERSION, server, server_capabilities: serverCapabilities };
}
