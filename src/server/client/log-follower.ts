// Follows the log of a daemon over interruptions: reconnects with growing pauses, resumes after the last line it saw, and
// delivers no line twice.

import { SseDecoder, type SseEvent } from "../../agents/dialects/frames/sse-decoder.js";
import { type LogEntry, logEntrySchema, refreshSignalSchema } from "../../contract/daemon.js";
import { realTimers, type Timers } from "../../system/timers.js";
import { type DaemonClient, DaemonRefusal, type LogOptions } from "./daemon-client.js";

export type LogNews =
  | { type: "line"; entry: LogEntry }
  /** This client was too slow; the entry is a message about it. */
  | { type: "lost"; entry: LogEntry }
  | { type: "refresh" }
  | { type: "asks" }
  | { type: "connected" }
  | { type: "disconnected"; retryInMs: number };

export interface FollowOptions {
  /** Called before each attempt, because a restarted daemon may have another address. Null: none runs. */
  readonly connect: () => Promise<DaemonClient | null>;
  readonly filter?: LogOptions;
  /** The stream waits for the promise, so that a slow output does not fill the memory. */
  readonly onNews: (news: LogNews) => void | Promise<void>;
  readonly signal: AbortSignal;
  readonly timers?: Timers;
}

const PAUSE_MS_MIN = 250;
const PAUSE_MS_MAX = 10_000;

/** A daemon sends something every fifteen seconds. */
const SILENCE_MS_MAX = 45_000;

/** Ends with the signal, or rejects when the daemon refuses the token. */
export async function followLogs(options: FollowOptions): Promise<void> {
  const { signal, timers = realTimers } = options;
  const place: Place = { lastId: null };
  let pauseMs = PAUSE_MS_MIN;
  while (!signal.aborted) {
    if ((await readOnce(options, place)) === "read") pauseMs = PAUSE_MS_MIN;
    if (signal.aborted) return;
    await options.onNews({ type: "disconnected", retryInMs: pauseMs });
    await pause(pauseMs, signal, timers);
    pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX);
  }
}

interface Place {
  lastId: string | null;
}

async function readOnce(options: FollowOptions, place: Place): Promise<"read" | "failed"> {
  const { connect, signal, onNews, filter = {}, timers = realTimers } = options;
  const silence = new AbortController();
  let cancelSilence = () => {};
  const postpone = () => {
    cancelSilence();
    cancelSilence = timers.after(SILENCE_MS_MAX, () => silence.abort());
  };
  let outcome: "read" | "failed" = "failed";
  try {
    const client = await connect();
    postpone();
    const stream = await client?.openLogStream(filter, place.lastId, AbortSignal.any([signal, silence.signal]));
    if (stream === undefined) return outcome;
    await onNews({ type: "connected" });
    const decoder = new SseDecoder();
    for await (const chunk of stream) {
      postpone();
      outcome = "read";
      for (const event of decoder.push(chunk)) {
        const news = newsOf(event, place);
        if (news !== null) await onNews(news);
      }
    }
  } catch (error) {
    if (error instanceof DaemonRefusal && (error.status === 401 || error.status === 403)) throw error;
  } finally {
    cancelSilence();
  }
  return outcome;
}

function newsOf({ name, data }: SseEvent, place: Place): LogNews | null {
  const value = parsed(data);
  if (name === "refresh" || (name === "message" && isBareRefresh(value))) return { type: "refresh" };
  if (name === "asks") return { type: "asks" };
  const { data: entry } = logEntrySchema.safeParse(value);
  if (entry === undefined) return null;
  if (name === "lost") return { type: "lost", entry };
  if (name !== "message" || !isNewer(entry.id, place.lastId)) return null;
  place.lastId = entry.id;
  return { type: "line", entry };
}

// Our ids grow, also over restarts; ids of other daemons are only unique.
function isNewer(id: string, lastId: string | null): boolean {
  if (lastId === null) return true;
  const areNumbers = /^\d+$/.test(id) && /^\d+$/.test(lastId);
  return areNumbers ? BigInt(id) > BigInt(lastId) : id !== lastId;
}

function isBareRefresh(value: unknown): boolean {
  return refreshSignalSchema.safeParse(value).success && !Object.hasOwn(value as object, "content");
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}

function pause(delayMs: number, signal: AbortSignal, timers: Timers): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      cancel();
      signal.removeEventListener("abort", settle);
      resolve();
    };
    const cancel = timers.after(delayMs, settle);
    signal.addEventListener("abort", settle, { once: true });
  });
}
