// The session of a daemon, seen from a view elsewhere. Its server-sent events are followed over every interruption: with growing
// pauses, each time from the place that was reached, until the signal aborts or the daemon refuses for good. Intents are sent one
// after the other and each exactly once: each carries a key of its own, so that it can be sent again when the connection broke
// before the answer came.

import { randomUUID } from "node:crypto";
import { FRAME_BYTES_MAX } from "../../contract/limits.js";
import { type IntentResult, intentResultSchema, type SessionIntent } from "../../contract/session-changes.js";
import { type DroppedEvent, SseDecoder, type SseEvent } from "../../contract/sse-decoder.js";
import { pause, type Timers } from "../../system/timers.js";
import type { DaemonAddress } from "./daemon-proof.js";
import {
  askDaemon,
  askDaemonForJson,
  DaemonUnproven,
  type JsonAnswer,
  jsonAnswerOf,
  refusalWords,
} from "./daemon-request.js";

export interface FollowerPorts {
  /** Where the daemon is now; null when it is not there. */
  address(): Promise<DaemonAddress | null>;
  /** Whether the daemon may be elsewhere later, so that a stranger at this address is not the end. */
  readonly search: "once" | "again";
  readonly path: string;
  readonly after: Timers["after"];
  readonly signal: AbortSignal;
  /** The id of the last event that need not come again; null at the beginning. */
  lastId(): string | null;
  onEvent(event: SseEvent): void;
  /** An event was too long to be read; the stream is opened again after it. */
  onDropped(event: DroppedEvent): void;
  onAway(retryInMs: number): void;
  /** There will be no other attempt; the words are for the user. */
  onRefused(words: string): void;
}

/** A daemon writes something every fifteen seconds; one that is silent for three times as long is gone. */
const SILENCE_MS_MAX = 45_000;

/** Answers that will not change by asking again, and what they mean to a user. */
const finalAnswers: ReadonlyMap<number, string> = new Map([
  [401, "the daemon refuses the token"],
  [403, "the daemon refuses this address"],
]);

const NOT_FOUND = 404;
const NO_SUCH_SESSION = "there is no such session";

/** What a view says to a daemon that does not speak its protocol. */
export const OTHER_VERSION = "the daemon runs another version of Palaver; run palaver stop, then start it again";

export async function followEvents(ports: FollowerPorts): Promise<void> {
  const pauses = new GrowingPause(ports.after, ports.signal);
  while (!ports.signal.aborted) {
    if ((await readOnce(ports)) === "read") pauses.reset();
    if (ports.signal.aborted) return;
    ports.onAway(pauses.nextMs);
    await pauses.wait();
  }
}

async function readOnce(ports: FollowerPorts): Promise<"read" | "failed"> {
  const silence = new AbortController();
  let cancelSilence = () => {};
  const hear = () => {
    cancelSilence();
    cancelSilence = ports.after(SILENCE_MS_MAX, () => silence.abort());
  };
  try {
    hear();
    const stream = await openStream(ports, AbortSignal.any([ports.signal, silence.signal]));
    if (stream === null) return "failed";
    let dropped: DroppedEvent | null = null;
    const onDropped = (event: DroppedEvent) => {
      dropped ??= event;
    };
    const decoder = new SseDecoder({ eventCharsMax: FRAME_BYTES_MAX, onDropped });
    for await (const chunk of stream) {
      hear();
      for (const event of decoder.push(chunk)) if (!ports.signal.aborted && dropped === null) ports.onEvent(event);
      if (dropped === null) continue;
      ports.onDropped(dropped);
      break;
    }
    return "read";
  } catch (error) {
    // Interrupted, or not there; either way there will be another attempt, unless there is only this one address.
    if (error instanceof DaemonUnproven && ports.search === "once")
      ports.onRefused("the daemon does not accept the token");
    return "failed";
  } finally {
    cancelSilence();
  }
}

async function openStream(ports: FollowerPorts, signal: AbortSignal): Promise<AsyncIterable<Uint8Array> | null> {
  const address = await ports.address();
  if (address === null) return null;
  const lastId = ports.lastId();
  const place: Record<string, string> = lastId === null ? {} : { "last-event-id": lastId };
  const headers = { accept: "text/event-stream", ...place };
  const answer = await askDaemon(address, ports.path, { headers, signal });
  if (answer.statusCode === 200) return answer;
  const { status, body } = await jsonAnswerOf(answer);
  if (status === NOT_FOUND) {
    // A daemon of 0.1 has the session, and no such route.
    const isGone = refusalWords({ status, body }) === NO_SUCH_SESSION;
    ports.onRefused(isGone ? "the daemon no longer has this session" : OTHER_VERSION);
  }
  const words = finalAnswers.get(status);
  if (words !== undefined) ports.onRefused(words);
  return null;
}

const PAUSE_MS_MIN = 250;
const PAUSE_MS_MAX = 10_000;

/** The pauses between attempts to reach a daemon: short at first, longer each time, over at once when the signal aborts. */
export class GrowingPause {
  private readonly timers: Timers;
  private readonly signal: AbortSignal;
  private delayMs = PAUSE_MS_MIN;

  constructor(after: Timers["after"], signal: AbortSignal) {
    this.timers = { after };
    this.signal = signal;
  }

  get nextMs(): number {
    return this.delayMs;
  }

  /** The daemon was reached: the next pause is a short one again. */
  reset(): void {
    this.delayMs = PAUSE_MS_MIN;
  }

  async wait(): Promise<void> {
    const { delayMs } = this;
    this.delayMs = Math.min(delayMs * 2, PAUSE_MS_MAX);
    await pause(this.timers, delayMs, this.signal);
  }
}

interface SenderPorts {
  /** Null when the daemon is not there now. */
  address(): Promise<DaemonAddress | null>;
  /** The path of the intents with the view's name. */
  readonly path: string;
  readonly after: Timers["after"];
  readonly signal: AbortSignal;
  /** The daemon does not do it; `why` when it says so in its own words. */
  onRefused(intent: SessionIntent, why: IntentResult["why"], words: string): void;
}

/** More than this is not typed while a daemon is away. */
const WAITING_MAX = 200;
const ANSWER_MS_MAX = 10_000;

interface Waiting {
  readonly key: string;
  readonly intent: SessionIntent;
}

export class IntentSender {
  private readonly ports: SenderPorts;
  private readonly waiting: Waiting[] = [];
  private sending: Promise<void> | null = null;

  constructor(ports: SenderPorts) {
    this.ports = ports;
  }

  /** False when too many are waiting, and after the signal has aborted. */
  send(intent: SessionIntent): boolean {
    if (this.waiting.length >= WAITING_MAX || this.ports.signal.aborted) return false;
    this.waiting.push({ key: randomUUID(), intent });
    this.sending ??= this.drain();
    return true;
  }

  /** Resolves when none is waiting. */
  async drained(): Promise<void> {
    while (this.sending !== null) await this.sending;
  }

  private async drain(): Promise<void> {
    const pauses = new GrowingPause(this.ports.after, this.ports.signal);
    for (let [next] = this.waiting; next !== undefined && !this.ports.signal.aborted; [next] = this.waiting) {
      const answer = await this.attempt(next);
      if (answer === null) {
        await pauses.wait();
        continue;
      }
      pauses.reset();
      this.waiting.shift();
      if (answer.status < 300) continue;
      const { data } = intentResultSchema.safeParse(answer.body);
      this.ports.onRefused(next.intent, data?.why, refusalWords(answer));
    }
    this.sending = null;
  }

  /** Null when there was no answer, so that it has to be sent again. */
  private async attempt({ key, intent }: Waiting): Promise<JsonAnswer | null> {
    const { path, signal } = this.ports;
    try {
      const address = await this.ports.address();
      if (address === null) return null;
      return await askDaemonForJson(address, path, {
        method: "POST",
        headers: { "idempotency-key": key },
        body: { intent },
        signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS_MAX)]),
      });
    } catch {
      return null;
    }
  }
}
