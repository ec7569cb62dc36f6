// Puts an assistant's message together from the parts of a stream and says which part of it grew. The message object
// stays the same while it grows, so that whoever streams it sees it whole at every moment.
import type { ModelPart } from "../models/model.js";
import type { AssistantMessage } from "../session/history.js";

export type Growth = { readonly place: number; readonly kind: "text" | "thinking"; readonly delta: string };

export class MessageBuilder {
  readonly message: AssistantMessage;

  constructor(head: Pick<AssistantMessage, "provider" | "model" | "timestamp">) {
    this.message = { role: "assistant", content: [], stop_reason: "stop", ...head };
  }

  /** Adds a part; says what grew when it is something to stream. */
  take(part: ModelPart): Growth | null {
    switch (part.type) {
      case "text":
        return this.#grow("text", part.delta);
      case "thinking":
        return this.#grow("thinking", part.delta);
      case "signature":
        this.#sign(part.signature);
        return null;
      case "tool-call":
        this.message.content.push({ type: "tool_call", id: part.id, name: part.name, arguments: part.input });
        return null;
      case "usage":
        this.message.usage = part.usage;
        return null;
      case "finish":
        this.message.stop_reason = part.reason === "refused" ? "error" : part.reason;
        return null;
    }
  }

  #grow(kind: Growth["kind"], delta: string): Growth | null {
    if (delta === "") return null;
    const { content } = this.message;
    const last = content.at(-1);
    if (last?.type !== kind) {
      content.push(kind === "text" ? { type: "text", text: delta } : { type: "thinking", thinking: delta });
    } else if (last.type === "text") last.text += delta;
    else last.thinking += delta;
    return { place: content.length - 1, kind, delta };
  }

  #sign(signature: unknown): void {
    const last = this.message.content.at(-1);
    if (last?.type === "thinking") last.signature = signature;
    else this.message.content.push({ type: "thinking", thinking: "", signature });
  }
}
