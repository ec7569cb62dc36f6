// Bytes of a server-sent event stream to events. Lines end with LF, CR or CRLF, at any place in any chunk; a character may be
// cut in two by a chunk; an event ends with an empty line, and what is not ended yet is not an event.

export interface SseEvent {
  /** "message" for an event without a name. */
  readonly name: string;
  readonly data: string;
  /** The last id that was seen, here or before. */
  readonly id: string | null;
}

/** A longer event is dropped, unless whoever reads expects longer ones. */
const EVENT_CHARS_MAX = 4 * 1024 * 1024;

export class SseDecoder {
  private readonly decoder = new TextDecoder("utf-8");
  private readonly charsMax: number;
  /** The beginning of a line whose end is still to come; joined when it has come. */
  private parts: string[] = [];
  private partsChars = 0;
  private endsWithCr = false;
  private name = "";
  private data: string[] = [];
  private sizeChars = 0;
  private id: string | null = null;

  constructor({ eventCharsMax = EVENT_CHARS_MAX }: { eventCharsMax?: number } = {}) {
    this.charsMax = eventCharsMax;
  }

  push(chunk: Uint8Array): SseEvent[] {
    let more = this.decoder.decode(chunk, { stream: true });
    // The LF of a CRLF that a chunk cut in two.
    if (this.endsWithCr && more.startsWith("\n")) more = more.slice(1);
    if (more !== "") this.endsWithCr = more.endsWith("\r");
    const lines = more.split(/\r\n|\r|\n/);
    const rest = lines.pop() ?? "";
    const [first, ...others] = lines;
    const events = first === undefined ? [] : [this.joined(first), ...others].flatMap((line) => this.line(line));
    this.hold(rest);
    return events;
  }

  // A line that is too long is cut: the event it belongs to is dropped for its length.
  private hold(part: string): void {
    if (part === "" || this.partsChars > this.charsMax) return;
    this.parts.push(part);
    this.partsChars += part.length;
  }

  private joined(end: string): string {
    const line = this.parts.length === 0 ? end : this.parts.join("") + end;
    this.parts = [];
    this.partsChars = 0;
    return line;
  }

  private line(line: string): SseEvent[] {
    if (line === "") return this.dispatch();
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line.startsWith(" ", colon + 1) ? colon + 2 : colon + 1);
    if (field === "event") this.name = value;
    else if (field === "id" && !value.includes("\0")) this.id = value;
    else if (field === "data") {
      this.sizeChars += value.length;
      if (this.sizeChars <= this.charsMax) this.data.push(value);
    }
    return [];
  }

  private dispatch(): SseEvent[] {
    const event = { name: this.name || "message", data: this.data.join("\n"), id: this.id };
    const isEvent = this.data.length > 0 && this.sizeChars <= this.charsMax;
    this.name = "";
    this.data = [];
    this.sizeChars = 0;
    return isEvent ? [event] : [];
  }
}
