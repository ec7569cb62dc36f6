// Bytes of a server-sent event stream to events. Lines end with LF, CR or CRLF, at any place in any chunk; a character may be
// cut in two by a chunk; an event ends with an empty line, and what is not ended yet is not an event.

export interface SseEvent {
  /** "message" for an event without a name. */
  readonly name: string;
  readonly data: string;
  /** The last id that was seen, here or before. */
  readonly id: string | null;
}

/** A longer event is dropped: no daemon sends one. */
const EVENT_CHARS_MAX = 4 * 1024 * 1024;

export class SseDecoder {
  private readonly decoder = new TextDecoder("utf-8");
  private text = "";
  private endsWithCr = false;
  private name = "";
  private data: string[] = [];
  private sizeChars = 0;
  private id: string | null = null;

  push(chunk: Uint8Array): SseEvent[] {
    let more = this.decoder.decode(chunk, { stream: true });
    // The LF of a CRLF that a chunk cut in two.
    if (this.endsWithCr && more.startsWith("\n")) more = more.slice(1);
    if (more !== "") this.endsWithCr = more.endsWith("\r");
    const lines = (this.text + more).split(/\r\n|\r|\n/);
    this.text = (lines.pop() ?? "").slice(0, EVENT_CHARS_MAX);
    return lines.flatMap((line) => this.line(line));
  }

  private line(line: string): SseEvent[] {
    if (line === "") return this.dispatch();
    const [, field = "", value = ""] = /^([^:]*)(?:: ?([\s\S]*))?$/.exec(line) ?? [];
    if (field === "event") this.name = value;
    else if (field === "id" && !value.includes("\0")) this.id = value;
    else if (field === "data") {
      this.sizeChars += value.length;
      if (this.sizeChars <= EVENT_CHARS_MAX) this.data.push(value);
    }
    return [];
  }

  private dispatch(): SseEvent[] {
    const event = { name: this.name || "message", data: this.data.join("\n"), id: this.id };
    const isEvent = this.data.length > 0 && this.sizeChars <= EVENT_CHARS_MAX;
    this.name = "";
    this.data = [];
    this.sizeChars = 0;
    return isEvent ? [event] : [];
  }
}
