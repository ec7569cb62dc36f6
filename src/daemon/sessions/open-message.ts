// The message that an agent is writing, put together from its pieces, so that whoever comes late gets it in one piece. What it
// gives out is the whole so far: to show that twice changes nothing.
import type { ContentBlock, Message } from "../../contract/messages.js";
import type { SessionEvent } from "../../contract/session-events.js";

type Growth = Extract<SessionEvent, { type: "message.grew" }>;

/** A place beyond this is a mistake, not a message. */
const PARTS_MAX = 4_096;

/** Stands where nothing was said yet; front ends show nothing for it. */
const UNSAID: ContentBlock = { type: "unsaid" };

export class OpenMessage {
  readonly sessionId: string | null;
  private base: Message;
  private content: ContentBlock[];
  /** How many places had something when they were last written down, and whether any has grown since. */
  private placesWritten = 0;
  private isGrown = false;

  constructor(sessionId: string | null, message: Message) {
    this.sessionId = sessionId;
    this.base = message;
    this.content = contentOf(message);
    this.isGrown = this.places > 0;
  }

  replace(message: Message): void {
    this.base = message;
    this.content = contentOf(message);
    this.isGrown = true;
  }

  grow({ index, kind, delta }: Growth): void {
    if (index >= PARTS_MAX || delta === "") return;
    while (this.content.length <= index) this.content.push(UNSAID);
    const before = this.content[index];
    if (kind === "text") {
      this.content[index] = { type: "text", text: (before?.type === "text" ? String(before.text) : "") + delta };
    } else {
      const thought = before?.type === "thinking" ? String(before.thinking) : "";
      this.content[index] = { type: "thinking", thinking: thought + delta };
    }
    this.isGrown = true;
  }

  /** Whether something would be shown that is not written down yet: any of it, or a part that is new. */
  hasNews(which: "any" | "new-part"): boolean {
    return which === "any" ? this.isGrown : this.places > this.placesWritten;
  }

  /** Whether a part of it is written down, and the rest is still to come. */
  get isHalfWritten(): boolean {
    return this.placesWritten > 0;
  }

  /** The whole so far, to be written down. */
  written(): SessionEvent {
    this.placesWritten = this.places;
    this.isGrown = false;
    return this.soFar();
  }

  soFar(): SessionEvent {
    const message = { ...this.base, content: [...this.content] } as Message;
    return { type: "message.updated", sessionId: this.sessionId, message };
  }

  private get places(): number {
    return this.content.filter((block) => block !== UNSAID).length;
  }
}

function contentOf({ content }: Message): ContentBlock[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return Array.isArray(content) ? [...(content as ContentBlock[])] : [];
}
