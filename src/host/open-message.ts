// The message that an agent is writing, put together from its pieces, so that whoever comes late gets it in one piece. What it
// gives out is the whole so far: to show that twice changes nothing.
import type { ContentBlock, Message } from "../contract/messages.js";
import type { SessionEvent } from "../contract/session-events.js";
import { BoundedText, MESSAGE_CHARS_MAX, wordsOf } from "./bounded-text.js";

type Growth = Extract<SessionEvent, { type: "message.grew" }>;

/** A place beyond this is a mistake, not a message. */
const PARTS_MAX = 4_096;

/** Stands where nothing was said yet; front ends show nothing for it. */
const UNSAID: ContentBlock = { type: "unsaid" };

export class OpenMessage {
  readonly sessionId: string | null;
  private base: Message;
  private content: ContentBlock[];
  /** The blocks that grow, by their place; `content` holds what came whole. */
  private readonly growing = new Map<number, { readonly kind: Growth["kind"]; readonly words: BoundedText }>();
  private keptChars = 0;
  /** How many places had something when they were last written down, and whether any has grown since. */
  private placesWritten = 0;
  private isGrown = false;

  constructor(sessionId: string | null, message: Message) {
    this.sessionId = sessionId;
    this.base = message;
    this.content = contentOf(message);
    this.keptChars = charsIn(this.content);
    this.isGrown = this.places > 0;
  }

  replace(message: Message): void {
    this.base = message;
    this.content = contentOf(message);
    this.keptChars = charsIn(this.content);
    this.growing.clear();
    this.isGrown = true;
  }

  grow({ index, kind, delta }: Growth): void {
    if (index >= PARTS_MAX || delta === "") return;
    while (this.content.length <= index) this.content.push(UNSAID);
    const { words } = this.growthAt(index, kind);
    const before = words.chars;
    words.push(delta, MESSAGE_CHARS_MAX - this.keptChars);
    this.keptChars += words.chars - before;
    this.isGrown = true;
  }

  /** How much is kept of its words. */
  get chars(): number {
    return this.keptChars;
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
    const content = this.content.map((block, index) => blockOf(this.growing.get(index)) ?? block);
    const message = { ...this.base, content } as Message;
    return { type: "message.updated", sessionId: this.sessionId, message };
  }

  // A block of another kind in the same place gives way to it.
  private growthAt(index: number, kind: Growth["kind"]) {
    const known = this.growing.get(index);
    if (known?.kind === kind) return known;
    const block = this.content[index] ?? UNSAID;
    const words = new BoundedText();
    if (block.type === kind) words.push(wordsOf(block), MESSAGE_CHARS_MAX);
    this.keptChars += words.chars - (known?.words.chars ?? wordsOf(block).length);
    const growth = { kind, words };
    this.growing.set(index, growth);
    this.content[index] = { type: kind };
    return growth;
  }

  private get places(): number {
    return this.content.filter((block) => block !== UNSAID).length;
  }
}

function blockOf(growth: { kind: Growth["kind"]; words: BoundedText } | undefined): ContentBlock | null {
  if (growth === undefined) return null;
  const text = growth.words.text();
  return growth.kind === "text" ? { type: "text", text } : { type: "thinking", thinking: text };
}

function charsIn(content: readonly ContentBlock[]): number {
  return content.reduce((sum, block) => sum + wordsOf(block).length, 0);
}

function contentOf({ content }: Message): ContentBlock[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return Array.isArray(content) ? [...(content as ContentBlock[])] : [];
}
