// Decodes server-sent events. Lines end with LF, CR or CRLF, in any chunk; an event ends with an empty line.

export interface SseEvent {
  /** "message" for an event without a name. */
  readonly name: string;
  readonly data: string;
  /** The last id so far. */
  readonly id: string | null;
}

/** Longer events are dropped, and reported without their data. */
const EVENT_CHARS_MAX = 4 * 1024 * 1024;

/** Room for the field name before the value. */
const LINE_CHARS_SPARE = 16;

export type DroppedEvent = Omit<SseEvent, "data">;

export interface SseOptions {
  readonly eventCharsMax?: number;
  readonly onDropped?: (event: DroppedEvent) => void;
}

export class SseDecoder {
  private readonly decoder = new TextDecoder("utf-8");
  private text = "";
  private endsWithCr = false;
  private name = "";
  private data: string[] = [];
  private sizeChars = 0;
  private id: string | null = null;
  private readonly eventCharsMax: number;
  private readonly onDropped: (event: DroppedEvent) => void;

  constructor({ eventCharsMax = EVENT_CHARS_MAX, onDropped = () => undefined }: SseOptions = {}) {
    this.eventCharsMax = eventCharsMax;
    this.onDropped = onDropped;
  }

  push(chunk: Uint8Array): SseEvent[] {
    const text = this.decoder.decode(chunk, { stream: true });
    if (text === "") return [];
    // The LF of a CRLF that was cut by a chunk.
    const more = this.endsWithCr && text.startsWith("\n") ? text.slice(1) : text;
    this.endsWithCr = text.endsWith("\r");
    // Only the new text is split.
    const [first = "", ...rest] = more.split(/\r\n|\r|\n/);
    this.hold(first);
    const events: SseEvent[] = [];
    for (const begun of rest) {
      events.push(...this.endLine());
      this.hold(begun);
    }
    return events;
  }

  // Keeps just enough to see that a line is too long.
  private hold(text: string): void {
    this.text += text.slice(0, Math.max(0, this.eventCharsMax + LINE_CHARS_SPARE - this.text.length));
  }

  private endLine(): SseEvent[] {
    const line = this.text;
    this.text = "";
    return this.line(line);
  }

  private line(line: string): SseEvent[] {
    if (line === "") return this.dispatch();
    const [, field = "", value = ""] = /^([^:]*)(?:: ?([\s\S]*))?$/.exec(line) ?? [];
    const isLong = value.length > this.eventCharsMax;
    if (field === "event") this.name = isLong ? "" : value;
    else if (field === "id" && !isLong && !value.includes("\0")) this.id = value;
    else if (field === "data") {
      // Line ends count, so that empty lines are bounded.
      this.sizeChars += value.length + (this.data.length > 0 ? 1 : 0);
      if (this.sizeChars <= this.eventCharsMax) this.data.push(value);
    }
    return [];
  }

  private dispatch(): SseEvent[] {
    const event = { name: this.name || "message", data: this.data.join("\n"), id: this.id };
    const isTooLong = this.sizeChars > this.eventCharsMax;
    const isEvent = this.data.length > 0 && !isTooLong;
    if (isTooLong) this.onDropped(event);
    this.name = "";
    this.data = [];
    this.sizeChars = 0;
    return isEvent ? [event] : [];
  }
}
