// The agent's words on their way to standard output, made harmless piece by piece. Line breaks and tabs stay as they are,
// because the text may become a file; what could move a cursor goes. A piece may end in the middle of a character or of an
// escape sequence: its end is held back until the rest comes, so that how a text was cut changes nothing.
import { safeLine } from "../text/safe.js";
import { graphemes } from "../text/width.js";

/** An escape sequence that is longer than this is no sequence, and nobody waits for its end. */
const HELD_UNITS_MAX = 4_096;
/** How much of the end is looked at to find the last character. */
const TAIL_UNITS = 64;

const OPEN_SEQUENCE = /[\x1b\x90\x98\x9b\x9d-\x9f][^\n\t]*$/;

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

// Everything on the current line from an escape on may belong to its sequence; else it is the last character that may
// still grow, and a carriage return that may become a line break.
function safeEnd(text: string): number {
  const sequence = OPEN_SEQUENCE.exec(text.slice(-HELD_UNITS_MAX));
  if (sequence !== null) return Math.max(0, text.length - HELD_UNITS_MAX) + sequence.index;
  const tail = text.slice(-TAIL_UNITS);
  const last = graphemes(tail).at(-1) ?? "";
  const isWhole = /[\n\t]$/.test(last) || last.length === TAIL_UNITS;
  return isWhole ? text.length : text.length - last.length;
}
