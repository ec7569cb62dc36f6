// A browser as the daemon meets it: it sends the headers of its own page and keeps its cookies. Streams are read event by event.
import { expect, onTestFinished } from "vitest";
import { SseDecoder, type SseEvent } from "../../../src/contract/sse-decoder.js";

export class Browser {
  readonly origin: string;
  cookie: string | null = null;

  constructor(origin: string) {
    this.origin = origin;
  }

  /** As the page itself does it. */
  request(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
    const sent: Record<string, string> = { "sec-fetch-site": "same-origin", ...headers };
    if (method !== "GET" && headers["origin"] === undefined) sent["origin"] = this.origin;
    if (this.cookie !== null) sent["cookie"] = this.cookie;
    if (body !== undefined) sent["content-type"] = "application/json";
    const signal = AbortSignal.timeout(20_000);
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    return this.keepCookie(fetch(new URL(path, this.origin), { method, headers: sent, signal, ...text }));
  }

  async json(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
    const response = await this.request(method, path, body);
    return { status: response.status, body: await response.json() };
  }

  async stream(path: string, lastEventId?: string): Promise<EventStream> {
    const headers: Record<string, string> = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
    return new EventStream(await this.request("GET", path, undefined, headers));
  }

  private async keepCookie(pending: Promise<Response>): Promise<Response> {
    const response = await pending;
    for (const set of response.headers.getSetCookie()) {
      const [pair = ""] = set.split(";");
      this.cookie = /Max-Age=0\b/.test(set) ? null : pair;
    }
    return response;
  }
}

export interface ReceivedEvent {
  readonly name: string;
  readonly id: string;
  readonly data: unknown;
}

export class EventStream {
  readonly status: number;
  readonly events: ReceivedEvent[] = [];
  readonly ended: Promise<void>;
  isEnded = false;
  private readonly stop: () => void;

  constructor({ status, body }: Response) {
    this.status = status;
    const reader = body?.getReader();
    this.stop = () => void reader?.cancel().catch(() => undefined);
    this.ended = this.read(reader);
    onTestFinished(this.stop);
  }

  close(): void {
    this.stop();
  }

  named(name: string): ReceivedEvent[] {
    return this.events.filter((event) => event.name === name);
  }

  /** Every change so far, in order. */
  changes(): { type: string; [field: string]: unknown }[] {
    return this.named("message").flatMap(({ data }) => data as { type: string }[]);
  }

  get lastId(): string {
    return (
      this.events
        .map(({ id }) => id)
        .filter((id) => id !== "")
        .at(-1) ?? ""
    );
  }

  /** Waits for a change of this type, and returns the newest. */
  async change(type: string): Promise<{ type: string; [field: string]: unknown }> {
    await expect.poll(() => this.changes().some((change) => change.type === type), { timeout: 20_000 }).toBe(true);
    return this.changes().findLast((change) => change.type === type) ?? { type };
  }

  async event(name: string): Promise<ReceivedEvent> {
    await expect.poll(() => this.named(name).length, { timeout: 20_000 }).toBeGreaterThan(0);
    return this.named(name).at(-1) as ReceivedEvent;
  }

  private async read(reader: ReadableStreamDefaultReader<Uint8Array> | undefined): Promise<void> {
    const decoder = new SseDecoder({ eventCharsMax: 32 * 1024 * 1024 });
    try {
      for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
        for (const event of decoder.push(part.value)) this.keep(event);
      }
    } catch {
      // The connection broke, which is an end too.
    }
    this.isEnded = true;
  }

  private keep({ name, id, data }: SseEvent): void {
    this.events.push({ name, id: id ?? "", data: JSON.parse(data) });
  }
}
