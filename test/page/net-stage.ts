// A network and a clock that a test moves: each request waits until the test answers, breaks or ends it.
import type { NetPorts, StreamPlace } from "../../src/page/net/event-follower.js";

interface Timer {
  readonly atMs: number;
  readonly run: () => void;
}

export class NetStage {
  readonly ports: NetPorts = {
    fetch: (path, init) =>
      new Promise((resolve, reject) => this.arrived(new StagedRequest(path, init, resolve, reject))),
    after: (delayMs, run) => {
      const timer = { atMs: this.nowMs + delayMs, run };
      this.timers.add(timer);
      return () => this.timers.delete(timer);
    },
    nowMs: () => this.nowMs,
    streamPlace: async () => this.place,
  };
  place: StreamPlace = { kind: "stay", leave: () => undefined };
  private readonly timers = new Set<Timer>();
  private readonly requests: StagedRequest[] = [];
  private nowMs = 1_000_000;

  get requestCount(): number {
    return this.requests.length;
  }

  get timerCount(): number {
    return this.timers.size;
  }

  async request(at: number): Promise<StagedRequest> {
    await settled();
    const request = this.requests[at];
    if (request === undefined) throw new Error(`there was no request ${at}`);
    return request;
  }

  /** Time passes, and no timer runs; a clock that is set back goes the other way. */
  sleep(ms: number): void {
    this.nowMs += ms;
  }

  async advance(ms: number): Promise<void> {
    const endMs = this.nowMs + ms;
    await settled();
    for (let next = this.nextBefore(endMs); next !== undefined; next = this.nextBefore(endMs)) {
      this.nowMs = Math.max(this.nowMs, next.atMs);
      this.timers.delete(next);
      next.run();
      await settled();
    }
    this.nowMs = endMs;
  }

  private nextBefore(endMs: number): Timer | undefined {
    return [...this.timers].filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs)[0];
  }

  private arrived(request: StagedRequest): void {
    this.requests.push(request);
  }
}

class StagedRequest {
  readonly path: string;
  readonly headers: Headers;
  readonly body: unknown;
  isAborted = false;
  private readonly resolve: (response: Response) => void;
  private readonly reject: (error: Error) => void;
  private stream: ReadableStreamDefaultController<Uint8Array> | null = null;

  constructor(path: string, init: RequestInit, resolve: (response: Response) => void, reject: (error: Error) => void) {
    this.path = path;
    this.headers = new Headers(init.headers);
    this.body = typeof init.body === "string" ? JSON.parse(init.body) : null;
    this.resolve = resolve;
    this.reject = reject;
    init.signal?.addEventListener("abort", () => {
      this.isAborted = true;
      reject(new Error("aborted"));
      this.stream?.error(new Error("aborted"));
    });
  }

  async send(text: string): Promise<void> {
    if (this.stream === null) {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          this.stream = controller;
        },
      });
      this.resolve(
        new Response(body, { status: 200, headers: { "content-type": "text/event-stream; charset=utf-8" } }),
      );
    }
    this.stream?.enqueue(new TextEncoder().encode(text));
    await settled();
  }

  async end(): Promise<void> {
    this.stream?.close();
    await settled();
  }

  async fail(): Promise<void> {
    this.reject(new Error("no network"));
    await settled();
  }

  async refuse(status: number, body: unknown): Promise<void> {
    this.resolve(Response.json(body, { status }));
    await settled();
  }

  answer(body: unknown): Promise<void> {
    return this.refuse(200, body);
  }
}

/** Promises and streams have done what they can without time. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}
