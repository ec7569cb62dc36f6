// Follows a stream of server-sent events of a daemon over every interruption: with growing pauses, each time from the place that
// was reached. It ends when its signal does, or when the daemon refuses it for good.
import { FRAME_BYTES_MAX } from "../../contract/limits.js";
import { type DroppedEvent, SseDecoder, type SseEvent } from "../dialects/frames/sse-decoder.js";
import { askDaemon, type DaemonAddress, DaemonUnproven, jsonAnswerOf, refusalWords } from "./daemon-request.js";
import { type After, GrowingPause } from "./growing-pause.js";

export interface FollowerPorts {
  /** Where the daemon is now; null when it is not there. */
  address(): Promise<DaemonAddress | null>;
  /** Whether the daemon may be elsewhere later, so that a stranger at this address is not the end. */
  readonly search: "once" | "again";
  readonly path: string;
  readonly after: After;
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

/** A daemon says something every fifteen seconds; one that is silent for three times as long is not there any more. */
const SILENCE_MS_MAX = 45_000;

/** Answers that will not change by asking again, and what they mean to a user. */
const finalAnswers: ReadonlyMap<number, string> = new Map([
  [401, "the daemon refuses the token"],
  [403, "the daemon refuses this address"],
]);

const NOT_FOUND = 404;
const NO_SUCH_SESSION = "there is no such session";

/** What a view says to a daemon that does not speak its protocol. */
export const OTHER_VERSION = "the daemon has another version of Palaver; palaver stop, then start it again";

export async function followEvents(ports: FollowerPorts): Promise<void> {
  const pause = new GrowingPause(ports.after, ports.signal);
  while (!ports.signal.aborted) {
    if ((await readOnce(ports)) === "read") pause.reset();
    if (ports.signal.aborted) return;
    ports.onAway(pause.nextMs);
    await pause.wait();
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
      ports.onRefused("the daemon does not know the token");
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
    ports.onRefused(isGone ? "the daemon does not have this session any more" : OTHER_VERSION);
  }
  const words = finalAnswers.get(status);
  if (words !== undefined) ports.onRefused(words);
  return null;
}
