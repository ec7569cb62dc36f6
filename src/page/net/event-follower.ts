// Follows server-sent events over every interruption. A browser freezes a hidden tab and keeps dead sockets open, so silence is
// measured by the wall clock: a stream that was silent for too long is opened again, from the last event that was read.
//
//   connecting ──hello──► live ──silence, error, wake after sleep──► away ──pause──► connecting
//                                                                     └─ 401, 403, 404, 410 ─► refused, for good
import { PAGE_BEAT_MS, PAGE_STALE_MS } from "../../contract/protocol-numbers.js";
import { type DroppedEvent, SseDecoder, type SseEvent } from "../../contract/sse-decoder.js";

export interface NetPorts {
  fetch(path: string, init: RequestInit): Promise<Response>;
  /** Runs once after the delay, unless the returned function is called before. */
  after(delayMs: number, run: () => void): () => void;
  /** The wall clock: it runs while the machine sleeps. */
  nowMs(): number;
}

export type StreamState =
  | { readonly kind: "connecting" }
  | { readonly kind: "live" }
  | { readonly kind: "away"; readonly retryAtMs: number }
  /** There will be no other attempt. */
  | { readonly kind: "refused"; readonly status: number; readonly words: string };

export interface FollowOptions {
  readonly path: string;
  /** The last event that need not come again; null at the beginning. */
  lastId(): string | null;
  onEvent(event: SseEvent): void;
  /** An event was too large to be read; the stream is opened again after it. */
  onDropped(event: DroppedEvent): void;
  onState(state: StreamState): void;
}

const CONNECT_MS_MAX = 10_000;
const EVENT_CHARS_MAX = 32 * 1024 * 1024;
const PAUSE_MS_MIN = 250;
const PAUSE_MS_MAX = 10_000;
/** After a wake, one missing beat is enough to distrust the socket. */
const WAKE_SILENCE_MS = PAGE_BEAT_MS + 2_000;
const FINAL: ReadonlySet<number> = new Set([401, 403, 404, 410]);

export class EventFollower {
  private readonly ports: NetPorts;
  private readonly options: FollowOptions;
  private readonly leaving = new AbortController();
  private attempt = new AbortController();
  private heardAtMs = 0;
  private pauseMs = PAUSE_MS_MIN;
  private endPause: () => void = () => undefined;

  constructor(ports: NetPorts, options: FollowOptions) {
    this.ports = ports;
    this.options = options;
  }

  /** Settles when the stream is stopped or refused. */
  async run(): Promise<void> {
    while (!this.leaving.signal.aborted) {
      const refusal = await this.readOnce();
      if (this.leaving.signal.aborted) return;
      if (refusal !== null) {
        this.options.onState(refusal);
        return;
      }
      await this.pause();
    }
  }

  stop(): void {
    this.leaving.abort();
    this.attempt.abort();
    this.endPause();
  }

  /** The page is in sight or online again. */
  wake(): void {
    this.pauseMs = PAUSE_MS_MIN;
    this.endPause();
    if (this.ports.nowMs() - this.heardAtMs > WAKE_SILENCE_MS) this.attempt.abort();
  }

  private async readOnce(): Promise<Extract<StreamState, { kind: "refused" }> | null> {
    this.attempt = new AbortController();
    const { signal } = this.attempt;
    this.options.onState({ kind: "connecting" });
    this.heardAtMs = this.ports.nowMs();
    const cancelWatch = this.watch(CONNECT_MS_MAX);
    try {
      const response = await this.open(signal);
      cancelWatch();
      if (FINAL.has(response.status)) return { kind: "refused", status: response.status, words: await words(response) };
      if (response.status === 200 && response.body !== null) await this.read(response.body);
    } catch {
      // Interrupted or not there; either way there will be another attempt.
    } finally {
      cancelWatch();
      this.attempt.abort();
    }
    return null;
  }

  private open(signal: AbortSignal): Promise<Response> {
    const lastId = this.options.lastId();
    const place: Record<string, string> = lastId === null ? {} : { "last-event-id": lastId };
    return this.ports.fetch(this.options.path, { headers: { accept: "text/event-stream", ...place }, signal });
  }

  private async read(body: ReadableStream<Uint8Array>): Promise<void> {
    let dropped: DroppedEvent | null = null;
    const onDropped = (event: DroppedEvent) => {
      dropped ??= event;
    };
    const decoder = new SseDecoder({ eventCharsMax: EVENT_CHARS_MAX, onDropped });
    const reader = body.getReader();
    this.heard();
    const cancelWatch = this.watch(PAGE_STALE_MS);
    try {
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        this.heard();
        for (const event of decoder.push(part.value)) if (dropped === null) this.options.onEvent(event);
        if (dropped === null) continue;
        this.options.onDropped(dropped);
        return;
      }
    } finally {
      cancelWatch();
      void reader.cancel().catch(() => undefined);
    }
  }

  private heard(): void {
    this.heardAtMs = this.ports.nowMs();
    this.pauseMs = PAUSE_MS_MIN;
    this.options.onState({ kind: "live" });
  }

  /** Ends the attempt when nothing was heard for so long. */
  private watch(silenceMs: number): () => void {
    let cancel: () => void = () => undefined;
    const look = () => {
      const silentMs = this.ports.nowMs() - this.heardAtMs;
      if (silentMs >= silenceMs) this.attempt.abort();
      else cancel = this.ports.after(silenceMs - silentMs, look);
    };
    cancel = this.ports.after(silenceMs, look);
    return () => cancel();
  }

  private pause(): Promise<void> {
    const delayMs = this.pauseMs;
    this.pauseMs = Math.min(delayMs * 2, PAUSE_MS_MAX);
    this.options.onState({ kind: "away", retryAtMs: this.ports.nowMs() + delayMs });
    return new Promise((resolve) => {
      const cancel = this.ports.after(delayMs, resolve);
      this.endPause = () => {
        cancel();
        resolve();
      };
    });
  }
}

/** Why the daemon refuses, in its own words. */
async function words(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null);
  const { error } = (body ?? {}) as { readonly error?: unknown };
  return typeof error === "string" ? error : `the daemon answered ${response.status}`;
}
