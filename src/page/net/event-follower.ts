// Follows server-sent events and reconnects after every interruption. A browser freezes a hidden tab and keeps dead sockets
// open, so silence is measured with the wall clock: a stream that was silent for too long is opened again, from the last event
// that was read.
//
//   connecting ──hello──► live ──silence, error, wake after sleep──► away ──pause──► connecting
//                                                                     └─ 401, 403; 404, 410 of a session ─► refused
//
// A browser opens few connections to one server, for all its tabs together. A stream without a place among them comes for a visit
// every few seconds: it reads what is new and leaves.
import { PAGE_BEAT_MS, PAGE_STALE_MS } from "../../contract/protocol-numbers.js";
import { type DroppedEvent, SseDecoder, type SseEvent } from "../../contract/sse-decoder.js";

export interface NetPorts {
  fetch(path: string, init: RequestInit): Promise<Response>;
  /** Runs once after the delay, unless the returned function is called before. */
  after(delayMs: number, run: () => void): () => void;
  /** The wall clock: it runs while the machine sleeps. */
  nowMs(): number;
  /** Asked before each connection. */
  streamPlace(): Promise<StreamPlace>;
}

/** How long a stream may stay connected. */
export type StreamPlace =
  | { readonly kind: "stay"; leave(): void }
  /** Until what is new was read; the next visit begins so much later. */
  | { readonly kind: "visit"; readonly pauseMs: number };

export type StreamState =
  /** `isAgain`: there was a connection before, and what is shown may be old. */
  | { readonly kind: "connecting"; readonly isAgain: boolean }
  | { readonly kind: "live" }
  | { readonly kind: "away"; readonly retryAtMs: number }
  /** This follower does not try again. */
  | {
      readonly kind: "refused";
      readonly status: number;
      readonly words: string;
      /** An end that is no fault. */
      readonly isExpected?: boolean;
    };

export interface FollowOptions {
  readonly path: string;
  /** Whether 404 and 410 mean that there is nothing left to follow. */
  readonly mayEnd: boolean;
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
/** A visit ends after this much silence; after more of it where an event may be incomplete. */
const VISIT_SILENCE_MS = 250;
const VISIT_GAP_MS = 3_000;
/** After so much work on events the browser gets to draw. */
const BUSY_MS_MAX = 12;
const REFUSED: ReadonlySet<number> = new Set([401, 403]);
const GONE: ReadonlySet<number> = new Set([404, 410]);

export class EventFollower {
  private readonly ports: NetPorts;
  private readonly options: FollowOptions;
  private readonly leaving = new AbortController();
  private attempt = new AbortController();
  private heardAtMs = 0;
  private pauseMs = PAUSE_MS_MIN;
  private endPause: () => void = () => undefined;
  private place: StreamPlace | null = null;
  private wasLive = false;
  /** The attempt ended as planned: what is shown is not old. */
  private isCalm = false;
  /** How long to wait after such an end. */
  private calmPauseMs = 0;

  constructor(ports: NetPorts, options: FollowOptions) {
    this.ports = ports;
    this.options = options;
  }

  /** Settles when the stream is stopped or refused. */
  async run(): Promise<void> {
    while (!this.leaving.signal.aborted) {
      const refusal = await this.attemptOnce();
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
    this.calmPauseMs = 0;
    this.endPause();
    if (this.ports.nowMs() - this.heardAtMs > WAKE_SILENCE_MS) this.attempt.abort();
  }

  /** Leaves the connection without an alarm; the next one begins when there is a place for it. */
  release(): void {
    if (this.place?.kind !== "stay") return;
    this.isCalm = this.wasLive;
    this.attempt.abort();
  }

  /** The browser has lost its network: the connection may be dead. */
  doubt(): void {
    this.attempt.abort();
  }

  private async attemptOnce(): Promise<Extract<StreamState, { kind: "refused" }> | null> {
    const place = await this.ports.streamPlace();
    this.place = place;
    this.calmPauseMs = place.kind === "visit" ? place.pauseMs : 0;
    try {
      return this.leaving.signal.aborted ? null : await this.readOnce();
    } finally {
      this.place = null;
      if (place.kind === "stay") place.leave();
    }
  }

  private async readOnce(): Promise<Extract<StreamState, { kind: "refused" }> | null> {
    this.attempt = new AbortController();
    const { signal } = this.attempt;
    if (!this.isCalm) this.options.onState({ kind: "connecting", isAgain: this.wasLive });
    this.isCalm = false;
    this.heardAtMs = this.ports.nowMs();
    const cancelWatch = this.watch(CONNECT_MS_MAX);
    try {
      const response = await this.open(signal);
      cancelWatch();
      const { status, body } = response;
      if (REFUSED.has(status) || (this.options.mayEnd && GONE.has(status)))
        return { kind: "refused", status, words: await words(response) };
      if (status === 200 && body !== null && isStream(response)) await this.read(body);
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
    let cancelVisit = this.endVisitAfter(VISIT_GAP_MS);
    try {
      let busyMs = 0;
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        this.heard();
        const startMs = this.ports.nowMs();
        const events = decoder.push(part.value);
        for (const event of events) if (dropped === null) this.options.onEvent(event);
        busyMs += Math.max(0, this.ports.nowMs() - startMs);
        cancelVisit();
        cancelVisit = this.endVisitAfter(events.length > 0 ? VISIT_SILENCE_MS : VISIT_GAP_MS);
        if (dropped !== null) {
          this.options.onDropped(dropped);
          return;
        }
        if (busyMs < BUSY_MS_MAX) continue;
        busyMs = 0;
        await this.wait(0);
      }
    } finally {
      cancelVisit();
      cancelWatch();
      void reader.cancel().catch(() => undefined);
    }
  }

  private heard(): void {
    this.heardAtMs = this.ports.nowMs();
    this.pauseMs = PAUSE_MS_MIN;
    this.wasLive = true;
    this.options.onState({ kind: "live" });
  }

  private endVisitAfter(silenceMs: number): () => void {
    if (this.place?.kind !== "visit") return () => undefined;
    return this.ports.after(silenceMs, () => {
      this.isCalm = true;
      this.attempt.abort();
    });
  }

  /** Ends the attempt when nothing was heard for so long. */
  private watch(silenceMs: number): () => void {
    let cancel: () => void = () => undefined;
    const look = () => {
      // A clock that was set back would make the silence endless.
      this.heardAtMs = Math.min(this.heardAtMs, this.ports.nowMs());
      const silentMs = this.ports.nowMs() - this.heardAtMs;
      if (silentMs >= silenceMs) this.attempt.abort();
      else cancel = this.ports.after(silenceMs - silentMs, look);
    };
    cancel = this.ports.after(silenceMs, look);
    return () => cancel();
  }

  private async pause(): Promise<void> {
    if (this.isCalm) return this.wait(this.calmPauseMs);
    const delayMs = this.pauseMs;
    this.pauseMs = Math.min(delayMs * 2, PAUSE_MS_MAX);
    this.options.onState({ kind: "away", retryAtMs: this.ports.nowMs() + delayMs });
    return this.wait(delayMs);
  }

  private wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.ports.after(delayMs, resolve);
      this.endPause = () => {
        cancel();
        resolve();
      };
    });
  }
}

/** A proxy may answer with a page of its own. */
function isStream({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("text/event-stream") === true;
}

/** Why the daemon refuses, in its own words. */
async function words(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null);
  const { error } = (body ?? {}) as { readonly error?: unknown };
  return typeof error === "string" ? error : `the daemon answered ${response.status}`;
}
