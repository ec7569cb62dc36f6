// What the agent says, as one stream of text: messages come as deltas, as whole messages that grow, or both, and every word
// is printed once. Messages are a blank line apart. The last one that says something is the agent's answer.
import { textOf } from "../../contract/message-parts.js";
import type { SessionEvent } from "../../contract/session-events.js";
import { safeLine } from "../../text/safe.js";

export class AnswerText {
  /** The open message as far as it was printed; null between messages. */
  private said: string | null = null;
  private readonly stream = new SafeStream();
  private last = "";
  private end: "nothing" | "mid-line" | "line" | "blank-line" = "nothing";

  /** The text of the last message that had any. */
  get answer(): string {
    return this.said === null || this.said === "" ? this.last : this.said;
  }

  /** What is to be printed because of this event; most events print nothing. */
  take(event: SessionEvent): string {
    switch (event.type) {
      case "message.started":
        return event.message.role === "assistant" ? this.begin() + this.say(textOf(event.message.content)) : "";
      case "message.grew":
        return event.kind === "text" && event.delta !== "" ? this.grow(event.delta) : "";
      case "message.updated":
        return event.message.role === "assistant" ? this.say(textOf(event.message.content)) : "";
      case "message.finished":
        return event.message.role === "assistant" ? this.finish(textOf(event.message.content)) : "";
      default:
        return this.printed(this.stream.flush());
    }
  }

  /** What has to be written before another line may be written on the same terminal. */
  breakLine(): string {
    if (this.end !== "mid-line") return "";
    this.end = "line";
    return "\n";
  }

  /** The end of it all: a last line has its end. */
  close(): string {
    const rest = this.finish("");
    return this.end === "mid-line" ? `${rest}\n` : rest;
  }

  private begin(): string {
    const rest = this.finish("");
    this.said = "";
    return rest;
  }

  private finish(whole: string): string {
    const more = whole === "" ? "" : this.say(whole);
    const rest = more + this.printed(this.stream.flush());
    if (this.said !== null && this.said !== "") this.last = this.said;
    this.said = null;
    return rest;
  }

  // Nothing is compared here: an answer of any length costs the same for each of its deltas.
  private grow(delta: string): string {
    const gap = this.said === null || this.said === "" ? this.gap("blank line") : "";
    this.said = (this.said ?? "") + delta;
    return gap + this.printed(this.stream.push(delta));
  }

  // What was printed cannot be taken back: a message that is another one now is printed again, on a line of its own.
  private say(whole: string): string {
    const before = this.said ?? "";
    if (whole === before || (before !== "" && before.startsWith(whole))) return "";
    const isMore = whole.startsWith(before);
    const gap = before === "" ? this.gap("blank line") : isMore ? "" : this.gap("line");
    this.said = whole;
    return gap + this.printed(this.stream.push(isMore ? whole.slice(before.length) : whole));
  }

  private gap(size: "blank line" | "line"): string {
    const rest = this.printed(this.stream.flush());
    if (this.end === "nothing" || this.end === "blank-line") return rest;
    const lineEnd = this.end === "mid-line" ? "\n" : "";
    return rest + lineEnd + (size === "blank line" ? "\n" : "");
  }

  private printed(text: string): string {
    if (text === "") return text;
    const isBlank = /\n\n$/.test(text) || (text === "\n" && this.end === "line");
    this.end = isBlank ? "blank-line" : text.endsWith("\n") ? "line" : "mid-line";
    return text;
  }
}

// The agent's words on their way to standard output, made harmless piece by piece. Line breaks and tabs stay as they are,
// because the text may become a file; what could move a cursor goes. A piece may end in the middle of a character or of an
// escape sequence: only then its end is held back until the rest comes, so that how a text was cut changes nothing.
/** An escape sequence that is longer than this is no sequence; its end is not waited for. */
const HELD_UNITS_MAX = 4_096;

/** Everything on the current line from an escape on may belong to its sequence. */
const OPEN_SEQUENCE = /[\x1b\x90\x98\x9b\x9d-\x9f][^\n\t]*$/;
/** A carriage return that may become a line break, half of a character, and a flag whose letters are still to come. */
const OPEN_CHARACTER = /\r+$|(?:\ud83c\udff4(?:\udb40[\udc00-\udfff])*)?[\ud800-\udbff]?$/;

export class SafeStream {
  private held = "";

  /** What can be printed now. */
  push(piece: string): string {
    const text = this.held + piece;
    const end = safeEnd(text);
    this.held = text.slice(end);
    return harmless(text.slice(0, end));
  }

  /** The rest: nothing more comes that could belong to it. */
  flush(): string {
    const rest = harmless(this.held);
    this.held = "";
    return rest;
  }
}

function harmless(text: string): string {
  return text
    .replace(/\r+\n/g, "\n")
    .split(/([\n\t])/)
    .map((part) => (part === "\n" || part === "\t" ? part : safeLine(part)))
    .join("");
}

function safeEnd(text: string): number {
  const tail = text.slice(-HELD_UNITS_MAX);
  const open = OPEN_SEQUENCE.exec(tail) ?? OPEN_CHARACTER.exec(tail);
  return text.length - (open?.[0].length ?? 0);
}
