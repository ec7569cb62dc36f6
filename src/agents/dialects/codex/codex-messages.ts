// What codex and the user say, from the items of a thread. An item is streamed from its first words on and complete with
// its end. Only one is streamed at a time: another one comes whole, after it.

import type { ContentBlock, Message } from "../../../contract/messages.js";
import { plainWord } from "../../../contract/plain-word.js";
import type { StepBuilder } from "../step-builder.js";
import type { CodexItem } from "./codex-frames.js";

type Kind = "text" | "thinking";
type Streamed = { readonly itemId: string; readonly kind: Kind; readonly parts: Map<string, string> };

export class CodexMessages {
  private readonly out: StepBuilder;
  private streamed: Streamed | null = null;
  private waiting: Message[] = [];

  constructor(out: StepBuilder) {
    this.out = out;
  }

  /** `part` tells the parts of one item apart. */
  grow(itemId: string, kind: Kind, delta: string, part = ""): void {
    if (delta === "") return;
    if (this.streamed === null) {
      this.streamed = { itemId, kind, parts: new Map() };
      this.out.tell({ type: "message.started", message: { role: "assistant", content: [] } });
    }
    const { parts } = this.streamed;
    if (this.streamed.itemId !== itemId) return;
    parts.set(part, (parts.get(part) ?? "") + delta);
    this.out.tell({ type: "message.grew", index: [...parts.keys()].indexOf(part), kind, delta });
  }

  said({ id, text }: CodexItem<"agentMessage">): void {
    if (this.streamed?.itemId === id) this.finish([{ type: "text", text }]);
    else if (text !== "") this.whole({ role: "assistant", content: [{ type: "text", text }] });
  }

  thought({ id, summary, content }: CodexItem<"reasoning">): void {
    if (this.streamed?.itemId === id) {
      this.finish();
      return;
    }
    const thoughts = summary.length > 0 ? summary : content;
    const parts = thoughts.map((thinking): ContentBlock => ({ type: "thinking", thinking }));
    if (parts.length > 0) this.whole({ role: "assistant", content: parts });
  }

  personSaid({ content }: CodexItem<"userMessage">): void {
    const text = content
      .flatMap((part) => (typeof part["text"] === "string" ? [part["text"]] : [attachmentWords(part)]))
      .join("\n");
    if (text !== "") this.whole({ role: "user", content: [{ type: "text", text }] });
  }

  /** What is streamed is complete now; without other words, as it stands. */
  finish(content?: ContentBlock[]): void {
    if (this.streamed === null) return;
    const { kind, parts } = this.streamed;
    this.streamed = null;
    const heard = [...parts.values()].map(
      (text): ContentBlock => (kind === "text" ? { type: "text", text } : { type: "thinking", thinking: text }),
    );
    this.out.tell({ type: "message.finished", message: { role: "assistant", content: content ?? heard } });
    for (const message of this.waiting.splice(0)) this.whole(message);
  }

  private whole(message: Message): void {
    if (this.streamed !== null) this.waiting.push(message);
    else this.out.message(message);
  }
}

function attachmentWords({ type, path, name }: Readonly<Record<string, unknown>>): string {
  return `(${[type, name, path]
    .map((word) => plainWord(word ?? ""))
    .filter(Boolean)
    .join(" ")})`;
}
