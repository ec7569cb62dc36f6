// Follows the log of a daemon over interruptions: reconnects with growing pauses, resumes after the last line it saw, and
// delivers no line twice.

import { GrowingPause } from "../../agents/remote/daemon-stream.js";
import { type LogEntry, logEntrySchema, refreshSignalSchema } from "../../contract/daemon.js";
import { parsedJson } from "../../contract/json-value.js";
import { SseDecoder, type SseEvent } from "../../contract/sse-decoder.js";
import { isNewerLine } from "../../session/attach/log-state.js";
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

/** A daemon sends something every fifteen seconds. */
const SILENCE_MS_MAX = 45_000;

/** Ends with the signal, or rejects when the daemon refuses the token. */
export async function followLogs(options: FollowOptions): Promise<void> {
  const { signal, timers = realTimers } = options;
  const place: Place = { lastId: null };
  const pause = new GrowingPause(timers.after, signal);
  while (!signal.aborted) {
    if ((await readOnce(options, place)) === "read") pause.reset();
    if (signal.aborted) return;
    await options.onNews({ type: "disconnected", retryInMs: pause.nextMs });
    await pause.wait();
  }
}

interface Place {
  lastId: string | null;
}

async function readOnce(options: FollowOptions, place: Place): Promise<"read" | "failed"> {
  const { connect, signal, onNews, filter = {}, timers = realTimers } = options;
  const silence = new SilenceWatch(timers, signal);
  let outcome: "read" | "failed" = "failed";
  try {
    const client = await connect();
    silence.heard();
    const stream = await client?.openLogStream(filter, place.lastId, silence.signal);
    if (stream === undefined) return outcome;
    await onNews({ type: "connected" });
    const decoder = new SseDecoder();
    for await (const chunk of stream) {
      silence.heard();
      outcome = "read";
      for (const event of decoder.push(chunk)) {
        const news = newsOf(event, place);
        if (news !== null) await onNews(news);
      }
    }
  } catch (error) {
    if (error instanceof DaemonRefusal && (error.status === 401 || error.status === 403)) throw error;
  } finally {
    silence.end();
  }
  return outcome;
}

function newsOf({ name, data }: SseEvent, place: Place): LogNews | null {
  const value = parsedJson(data);
  if (name === "refresh" || (name === "message" && isBareRefresh(value))) return { type: "refresh" };
  if (name === "asks") return { type: "asks" };
  const { data: entry } = logEntrySchema.safeParse(value);
  if (entry === undefined) return null;
  if (name === "lost") return { type: "lost", entry };
  if (name !== "message" || !isNewerLine(entry.id, place.lastId)) return null;
  place.lastId = entry.id;
  return { type: "line", entry };
}

function isBareRefresh(value: unknown): boolean {
  return refreshSignalSchema.safeParse(value).success && !Object.hasOwn(value as object, "content");
}

/** Aborts with `abort`, or after too long a silence. */
export class SilenceWatch {
  readonly signal: AbortSignal;
  private readonly timers: Timers;
  private readonly silence = new AbortController();
  private cancel: () => void = () => undefined;

  constructor(timers: Timers, abort: AbortSignal) {
    this.timers = timers;
    this.signal = AbortSignal.any([abort, this.silence.signal]);
  }

  heard(): void {
    this.cancel();
    this.cancel = this.timers.after(SILENCE_MS_MAX, () => this.silence.abort());
  }

  end(): void {
    this.cancel();
    this.silence.abort();
  }
}
