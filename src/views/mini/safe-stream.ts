// The agent's words on their way to standard output, made harmless piece by piece. Line breaks and tabs stay as they are,
// because the text may become a file; what could move a cursor goes. A piece may end in the middle of a character or of an
// escape sequence: only then its end is held back until the rest comes, so that how a text was cut changes nothing.
import { safeLine } from "../../text/safe.js";

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
