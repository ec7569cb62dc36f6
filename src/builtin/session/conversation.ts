// The conversation of one session: what the model reads, and the file that stores it. Everything is written to the file before
// the model gets it.
import type { HistoryMessage } from "./history.js";
import { mended } from "./history.js";
import type { SessionFile } from "./session-file.js";

export class Conversation {
  #messages: HistoryMessage[];
  readonly #file: Pick<SessionFile, "append" | "sync">;
  /** A model chosen before anything was said; a session that says nothing leaves no file. */
  #modelToNote: string | null = null;

  constructor(file: Pick<SessionFile, "append" | "sync">, messages: readonly HistoryMessage[]) {
    this.#file = file;
    this.#messages = mended(messages);
  }

  get messages(): readonly HistoryMessage[] {
    return this.#messages;
  }

  async add(message: HistoryMessage): Promise<void> {
    this.#messages.push(message);
    if (this.#modelToNote !== null) await this.#noteModel(this.#modelToNote);
    await this.#file.append({ type: "message", message });
  }

  /** What was added is on the disk when this resolves. */
  durable(): Promise<void> {
    return this.#file.sync();
  }

  /** Answers what was left open and makes all of it durable. */
  async settle(): Promise<HistoryMessage[]> {
    const whole = mended(this.#messages);
    const added = whole.slice(this.#messages.length);
    for (const message of added) await this.add(message);
    await this.durable();
    return added;
  }

  /** Puts this message in the place of all but the last `kept`. */
  async compact(message: HistoryMessage, kept: number): Promise<void> {
    this.#messages = [message, ...(kept === 0 ? [] : this.#messages.slice(-kept))];
    await this.#file.append({ type: "compaction", kept, message });
  }

  async reset(): Promise<void> {
    this.#messages = [];
    await this.#file.append({ type: "reset" });
    await this.#file.sync();
  }

  async useModel(model: string): Promise<void> {
    if (this.#messages.length === 0) this.#modelToNote = model;
    else await this.#noteModel(model);
  }

  async #noteModel(model: string): Promise<void> {
    this.#modelToNote = null;
    await this.#file.append({ type: "model", model });
  }
}
