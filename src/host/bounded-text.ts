// A text that may grow without end, of which the beginning and the end are kept. What is left out between them is said in its
// place. Each piece is added in constant time: nothing that is kept is copied again because more came.
//
//   the first million characters │ [… 198,000,000 characters left out …] │ the last million
import type { ContentBlock, Message } from "../contract/messages.js";

/** Of one block. */
const HEAD_CHARS_MAX = 1024 * 1024;
const TAIL_CHARS_MAX = 1024 * 1024;

/** Of one message: a line of it in the transcript stays readable, whatever JSON makes of its characters. */
export const MESSAGE_CHARS_MAX = 4 * 1024 * 1024;

/** Smaller pieces are joined, so that there are few of them. */
const PIECE_CHARS_MIN = 16 * 1024;

export class BoundedText {
  private head = "";
  private readonly tail: string[] = [];
  private tailChars = 0;
  private omittedChars = 0;

  /** How much of it is kept. */
  get chars(): number {
    return this.head.length + this.tailChars;
  }

  /** Adds a piece; `room` is how much more may be kept. */
  push(piece: string, room: number): void {
    const isHead = this.tail.length === 0 && this.omittedChars === 0;
    if (isHead && this.head.length + piece.length <= HEAD_CHARS_MAX && piece.length <= room) {
      this.head += piece;
      return;
    }
    const tailMax = Math.min(TAIL_CHARS_MAX, this.tailChars + Math.max(0, room));
    const last = this.tail.at(-1);
    if (last !== undefined && last.length < PIECE_CHARS_MIN) this.tail[this.tail.length - 1] = last + piece;
    else this.tail.push(piece);
    this.tailChars += piece.length;
    while (this.tailChars > tailMax) this.shorten(tailMax);
  }

  text(): string {
    if (this.omittedChars === 0) return this.head + this.tail.join("");
    const omitted = `[… ${this.omittedChars.toLocaleString("en")} characters left out …]`;
    return `${this.head}\n\n${omitted}\n\n${this.tail.join("")}`;
  }

  private shorten(tailMax: number): void {
    const first = this.tail[0] ?? "";
    const excess = this.tailChars - tailMax;
    const cut = Math.min(first.length, Math.max(excess, Math.min(first.length, PIECE_CHARS_MIN)));
    if (cut === first.length) this.tail.shift();
    else this.tail[0] = first.slice(cut);
    this.tailChars -= cut;
    this.omittedChars += cut;
  }
}

/** The message with no more of its words than may be kept; the very same when that is all of them. */
export function boundedMessage(message: Message): Message {
  const { content } = message;
  if (typeof content === "string") {
    return content.length <= HEAD_CHARS_MAX ? message : ({ ...message, content: shortened(content) } as Message);
  }
  if (!Array.isArray(content)) return message;
  const blocks = content as readonly ContentBlock[];
  const total = blocks.reduce((sum, block) => sum + wordsOf(block).length, 0);
  if (total <= HEAD_CHARS_MAX) return message;
  let room = MESSAGE_CHARS_MAX;
  const bounded = blocks.map((block) => {
    const kept = withWords(block, shortened(wordsOf(block), room));
    room -= wordsOf(kept).length;
    return kept;
  });
  return { ...message, content: bounded } as Message;
}

export function wordsOf(block: ContentBlock): string {
  if (block.type === "text") return String(block["text"]);
  return block.type === "thinking" ? String(block["thinking"]) : "";
}

function withWords(block: ContentBlock, words: string): ContentBlock {
  if (block.type === "text") return { ...block, text: words };
  return block.type === "thinking" ? { ...block, thinking: words } : block;
}

function shortened(text: string, room = MESSAGE_CHARS_MAX): string {
  const bounded = new BoundedText();
  for (let at = 0; at < text.length; at += PIECE_CHARS_MIN) {
    bounded.push(text.slice(at, at + PIECE_CHARS_MIN), room - bounded.chars);
  }
  return bounded.text();
}
