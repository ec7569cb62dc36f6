// One open session of an agent: at most one prompt at work, and one more waiting where the agent allows it. Every turn ends
// with `agent_end`, and with it every question that it left open.
import type { Message } from "../contract/messages.js";
import { errorMessage } from "../contract/plain-word.js";
import { withinSignal } from "./context.js";
import { CommandError } from "./errors.js";
import type { LinesSession, PromptImage, Turn, TurnResult } from "./lines-agent.js";
import type { LinesUi } from "./lines-ui.js";
import type { MessageStream } from "./message-stream.js";
import type { SessionFront } from "./session-front.js";
import { dialogsOf } from "./ui.js";

/** What the user sent. */
type Prompt = { readonly text: string; readonly images?: readonly PromptImage[] };

/** `ui` is null when nothing is asked. */
export type Connection = { readonly front: SessionFront; readonly ui: LinesUi | null };

export class OpenSession {
  readonly session: LinesSession;
  readonly front: SessionFront;
  readonly ui: LinesUi | null;
  readonly #waitingMax: 0 | 1;
  isStreaming = false;
  #running: { readonly stop: AbortController; readonly done: Promise<void> } | null = null;
  #waiting: Prompt | null = null;

  constructor(session: LinesSession, connection: Connection, { waitingMax }: { waitingMax: 0 | 1 }) {
    this.session = session;
    this.front = connection.front;
    this.ui = connection.ui;
    this.#waitingMax = waitingMax;
  }

  /** Starts the prompt, or lets it wait for the one at work. */
  prompt(prompt: Prompt): void {
    if (this.#running === null) this.#start(prompt);
    else if (this.#waitingMax === 0) throw new CommandError("sessionBusy", "a turn is running; abort it first");
    else if (this.#waiting === null) this.#waiting = prompt;
    else throw new CommandError("sessionBusy", "a turn is running and a prompt is already queued; abort it first");
  }

  /** Stops the prompt at work, and drops the one that waits. */
  abort(reason: string): void {
    if (this.#waiting !== null) this.front.ui.notify("the queued prompt was dropped", "info");
    this.#waiting = null;
    this.#running?.stop.abort(reason);
  }

  /** Ends with the running turn, too: a front end closes every question of the session then. */
  withinTurn(signal: AbortSignal): AbortSignal {
    return this.#running === null || !this.isStreaming ? signal : AbortSignal.any([signal, this.#running.stop.signal]);
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

  #start(prompt: Prompt): void {
    const stop = new AbortController();
    this.isStreaming = true;
    const done = this.#work(prompt, stop).finally(() => {
      this.#running = null;
      const next = this.#waiting;
      this.#waiting = null;
      if (next !== null) this.#start(next);
    });
    this.#running = { stop, done };
  }

  async #work(prompt: Prompt, stop: AbortController): Promise<void> {
    const { front } = this;
    const { signal } = stop;
    const speech = new Speech(front);
    const turn = this.#turn(prompt, signal, speech);
    let result: TurnResult = {};
    await front.emit({ type: "agent_start" });
    try {
      result = await this.session.onPrompt(turn);
    } catch (error) {
      if (!signal.aborted) await front.emit({ type: "error", message: errorMessage(error) });
    }
    stop.abort("turn_ended");
    await speech.close();
    const { messages = speech.messages, usage } = result;
    // A front end that hears of the end finds the session idle.
    this.isStreaming = false;
    await front.emit({ type: "agent_end", messages: [...messages], ...(usage === undefined ? {} : { usage }) });
  }

  // A question or a tool call comes after what was said before it, so that it ends the open message.
  #turn({ text, images = [] }: Prompt, signal: AbortSignal, speech: Speech): Turn {
    const { front } = this;
    const ui = withinSignal(front.ui, signal);
    const asked = dialogsOf(() => {
      void speech.close();
      return ui;
    });
    return {
      ...front,
      text,
      // An agent gets no picture that it did not ask for.
      images: this.session.images === true ? images : [],
      signal,
      ui: { ...ui, ...asked },
      say: (more) => speech.add("text", more),
      think: (more) => speech.add("thinking", more),
      tool(name, args, options) {
        void speech.close();
        return front.tool(name, args, options);
      },
    };
  }
}

type SpokenBlock = { type: "text"; text: string } | { type: "thinking"; thinking: string };

/** What a turn says and thinks: messages, each of which is open until something else happens. */
class Speech {
  readonly messages: Message[] = [];
  readonly #front: SessionFront;
  #open: { readonly content: SpokenBlock[]; readonly stream: MessageStream<Promise<void>> } | null = null;

  constructor(front: SessionFront) {
    this.#front = front;
  }

  // Not async: two calls in a row must not overtake each other.
  add(kind: "text" | "thinking", more: string): Promise<void> {
    const { content, stream } = this.#open ?? this.#begin();
    const last = content.at(-1);
    if (last?.type === "text" && kind === "text") last.text += more;
    else if (last?.type === "thinking" && kind === "thinking") last.thinking += more;
    else content.push(kind === "text" ? { type: "text", text: more } : { type: "thinking", thinking: more });
    return stream.grew(content.length - 1, kind, more) ?? Promise.resolve();
  }

  /** What is said next is another message. */
  async close(): Promise<void> {
    const open = this.#open;
    this.#open = null;
    await open?.stream.end();
  }

  #begin() {
    const content: SpokenBlock[] = [];
    const message = { role: "assistant" as const, content };
    const stream = this.#front.stream(message);
    this.#open = { content, stream };
    this.messages.push(message);
    void stream.start();
    return this.#open;
  }
}
