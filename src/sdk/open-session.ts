// One open session of an agent: at most one prompt at work, and one more waiting where the agent allows it. Every turn ends
// with `agent_end`, and with it every question that it left open.
import { toJson } from "../agents/dialects/frames/json-frame.js";
import { boundTo, withinSignal } from "./context.js";
import { CommandError } from "./errors.js";
import type { LinesSession, Turn, TurnResult } from "./lines-agent.js";
import type { LinesUi } from "./lines-ui.js";
import type { MessageStream } from "./message-stream.js";
import type { SessionFront } from "./session-front.js";

/** `ui` is null when nothing is asked. */
export type Connection = { readonly front: SessionFront; readonly ui: LinesUi | null };

export class OpenSession {
  readonly session: LinesSession;
  readonly front: SessionFront;
  readonly ui: LinesUi | null;
  readonly #waitingMax: 0 | 1;
  isStreaming = false;
  #running: { readonly stop: AbortController; readonly done: Promise<void> } | null = null;
  #waiting: string | null = null;

  constructor(session: LinesSession, connection: Connection, { waitingMax }: { waitingMax: 0 | 1 }) {
    this.session = session;
    this.front = connection.front;
    this.ui = connection.ui;
    this.#waitingMax = waitingMax;
  }

  /** Starts the prompt, or lets it wait for the one at work. */
  prompt(text: string): void {
    if (this.#running === null) this.#start(text);
    else if (this.#waitingMax === 0) throw new CommandError("sessionBusy", "a turn is running; abort it first");
    else if (this.#waiting === null) this.#waiting = text;
    else throw new CommandError("sessionBusy", "a turn is running and a prompt waits already; abort it first");
  }

  /** Stops the prompt at work, and drops the one that waits. */
  abort(reason: string): void {
    if (this.#waiting !== null) this.front.ui.notify("the prompt that was waiting is dropped", "info");
    this.#waiting = null;
    this.#running?.stop.abort(reason);
  }

  /** Resolves when nothing is at work and nothing waits. */
  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running.done;
  }

  async close(reason: string): Promise<void> {
    this.abort(reason);
    this.ui?.close();
    await this.idle();
    await this.session.close?.();
  }

  #start(text: string): void {
    const stop = new AbortController();
    this.isStreaming = true;
    const done = this.#work(text, stop).finally(() => {
      this.#running = null;
      const next = this.#waiting;
      this.#waiting = null;
      if (next !== null) this.#start(next);
    });
    this.#running = { stop, done };
  }

  async #work(text: string, stop: AbortController): Promise<void> {
    const { front } = this;
    const { signal } = stop;
    const speech = new Speech(front);
    const turn: Turn = {
      ...front,
      text,
      signal,
      ui: withinSignal(front.ui, signal),
      askPermission: (question, options) => front.askPermission(question, boundTo(signal)(options)),
      say: (more) => speech.say(more),
    };
    let result: TurnResult = {};
    await front.emit({ type: "agent_start" });
    try {
      result = await this.session.onPrompt(turn);
    } catch (error) {
      if (!signal.aborted) await front.emit({ type: "error", data: [toJson(error)] });
    }
    stop.abort("turn_ended");
    const { messages = await speech.end(), usage } = result;
    // A front end that hears of the end finds the session idle.
    this.isStreaming = false;
    await front.emit({ type: "agent_end", data: [[...messages], ...(usage === undefined ? [] : [{ usage }])] });
  }
}

/** What a turn says: one message, which begins with its first words. */
class Speech {
  readonly #block = { type: "text" as const, text: "" };
  readonly #message = { role: "assistant" as const, content: [this.#block] };
  readonly #front: SessionFront;
  #stream: MessageStream<Promise<void>> | null = null;

  constructor(front: SessionFront) {
    this.#front = front;
  }

  // Not async: two calls in a row must not overtake each other.
  say(more: string): Promise<void> {
    if (this.#stream === null) {
      this.#stream = this.#front.stream(this.#message);
      void this.#stream.start();
    }
    this.#block.text += more;
    return this.#stream.grew(0, "text", more) ?? Promise.resolve();
  }

  async end() {
    if (this.#stream === null) return [];
    await this.#stream.end();
    return [this.#message];
  }
}
