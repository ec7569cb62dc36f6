// Follows the log of a daemon over every interruption: it comes back with growing pauses, names the last line it saw, and
// hands no line on twice. A change of state is heard by its name, and in the unnamed form that older daemons send.

import { SseDecoder, type SseEvent } from "../../agents/dialects/frames/sse-decoder.js";
import { type LogEntry, logEntrySchema, refreshSignalSchema } from "../../contract/daemon.js";
import { realTimers, type Timers } from "../../system/timers.js";
import { type DaemonClient, DaemonRefusal, type LogOptions } from "./daemon-client.js";

export type LogNews =
  | { type: "line"; entry: LogEntry }
  /** This client was too slow; the entry says it in words. */
  | { type: "lost"; entry: LogEntry }
  | { type: "refresh" }
  | { type: "asks" }
  | { type: "connected" }
  | { type: "disconnected"; retryInMs: number };

export interface FollowOptions {
  /** Asked before each attempt, because a daemon that was started again may be somewhere else. Null: not there now. */
  readonly connect: () => Promise<DaemonClient | null>;
  readonly wishes?: LogOptions;
  /** A promise holds the stream up until it settles, so that a slow output slows the reading and not the memory. */
  readonly onNews: (news: LogNews) => void | Promise<void>;
  readonly signal: AbortSignal;
  readonly timers?: Timers;
}

const PAUSE_MS_MIN = 250;
const PAUSE_MS_MAX = 10_000;

/** A daemon says something every fifteen seconds; one that is silent for three times as long is not there any more. */
const SILENCE_MS_MAX = 45_000;

/** Ends with the signal, or rejects when the daemon refuses us for good. */
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
  const { connect, signal, onNews, wishes = {}, timers = realTimers } = options;
  const silence = new AbortController();
  let forgetSilence = () => {};
  const hear = () => {
    forgetSilence();
    forgetSilence = timers.after(SILENCE_MS_MAX, () => silence.abort());
  };
  let outcome: "read" | "failed" = "failed";
  try {
    const client = await connect();
    hear();
    const stream = await client?.openLogStream(wishes, place.lastId, AbortSignal.any([signal, silence.signal]));
    if (stream === undefined) return outcome;
    await onNews({ type: "connected" });
    const decoder = new SseDecoder();
    for await (const chunk of stream) {
      hear();
      outcome = "read";
      for (const event of decoder.push(chunk)) {
        const news = newsOf(event, place);
        if (news !== null) await onNews(news);
      }
    }
  } catch (error) {
    if (error instanceof DaemonRefusal && (error.status === 401 || error.status === 403)) throw error;
  } finally {
    forgetSilence();
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

// Ids are numbers that grow, also over a restart of the daemon; other daemons' ids may be anything but the same twice.
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
