// The log over HTTP: a stream of server-sent events that can be resumed, or the newest lines as JSON. A stream is pulled by
// its client; nothing is buffered for a client that does not read.
import { type LogEntry, logEntrySchema } from "../../contract/daemon.js";
import { realTimers, type Timers } from "../../system/timers.js";
import type { Announcement, LogHub } from "../logs/log-hub.js";
import { HttpRefusal, jsonAnswer, pulledEvents, type RouteGroup, type RouteRequest } from "./route.js";

interface LogRoutes {
  readonly routes: RouteGroup;
  clientCount(): number;
}

const CLIENTS_MAX = 256;

/** How long a client waits before it reconnects. */
const RETRY_MS = 1_000;

export function logRoutes(hub: LogHub, heartbeatMs?: number): LogRoutes {
  const clients = new Set<LogReader>();

  function openStream(request: RouteRequest): Response {
    if (hub.isClosed || clients.size >= CLIENTS_MAX) throw new HttpRefusal(503, "no more log streams now");
    const wants = filterOf(request.url);
    const reader = new LogReader(hub, {
      fromSeq: startOf(request, hub),
      ...(heartbeatMs !== undefined && { heartbeatMs }),
      ...(wants && { wants }),
    });
    clients.add(reader);
    const leave = () => {
      reader.stop();
      clients.delete(reader);
    };
    request.signal.addEventListener("abort", leave, { once: true });
    return pulledEvents(`retry: ${RETRY_MS}\n\n`, () => reader.next(), leave);
  }

  const newest = (url: URL) => hub.newest(lineCount(url), filterOf(url) ?? (() => true));

  return {
    clientCount: () => clients.size,
    routes: [
      {
        method: "GET",
        path: "/logs",
        summary: "The log as server-sent events, from the line after Last-Event-ID on; or its newest lines as JSON",
        query: [
          { name: "lines", description: "Begin with this many of the newest lines; all that are kept otherwise" },
          { name: "handler", description: "Only lines of this handler" },
          { name: "tab", description: "Only lines of this tab" },
        ],
        answers: {
          200: { description: "Log lines and named events", contentType: "text/event-stream", schema: logEntrySchema },
          503: { description: "Too many streams, or the daemon is stopping" },
        },
        handle(request) {
          const accepted = request.headers.get("accept") ?? "";
          return /\bapplication\/json\b/.test(accepted) ? jsonAnswer(newest(request.url)) : openStream(request);
        },
      },
    ],
  };
}

// Without an id, or with one of another log, the client starts at the oldest line it may have.
function startOf({ headers, url }: RouteRequest, hub: LogHub): number {
  const seen = hub.numbers.seqOf(headers.get("last-event-id") ?? "");
  if (seen !== null && seen < hub.endSeq) return seen + 1;
  return Math.max(hub.firstSeq, hub.endSeq - lineCount(url));
}

function lineCount(url: URL): number {
  const given = url.searchParams.get("lines");
  if (given === null) return Number.POSITIVE_INFINITY;
  if (/^\d{1,9}$/.test(given)) return Number(given);
  throw new HttpRefusal(400, "lines has to be a whole number");
}

function filterOf(url: URL): ((entry: LogEntry) => boolean) | null {
  const handler = url.searchParams.get("handler");
  const tab = url.searchParams.get("tab");
  if (handler === null && tab === null) return null;
  return (entry) =>
    (handler ?? entry.handler_name) === entry.handler_name && (tab ?? entry.tab_title) === entry.tab_title;
}

// One client of the log stream: a position in the shared history. It returns the next server-sent events; without news it
// returns a comment now and then, so that both ends notice a dead connection.
//
//   id: 1700000000000000042          event: refresh               event: lost
//   data: {"id":"…","content":…}     data: {"handler_type":0}     data: {…,"lost":17}
export interface LogReaderOptions {
  /** The first line to send; lines no longer kept count as lost. */
  readonly fromSeq: number;
  readonly wants?: (entry: LogEntry) => boolean;
  readonly heartbeatMs?: number;
  readonly timers?: Timers;
}

const HEARTBEAT_MS_DEFAULT = 15_000;

/** One write: large enough for a flood, small enough to wait for a slow client. */
const BATCH_CHARS_MAX = 128 * 1024;

const HEARTBEAT = ": still here\n\n";

export class LogReader {
  private readonly hub: LogHub;
  private readonly wants: ((entry: LogEntry) => boolean) | null;
  private readonly heartbeatMs: number;
  private readonly timers: Timers;
  private readonly heard: Map<Announcement, number>;
  private seq: number;
  private stopped = false;
  private stopWaiting: () => void = () => undefined;

  constructor(hub: LogHub, options: LogReaderOptions) {
    this.hub = hub;
    this.wants = options.wants ?? null;
    this.heartbeatMs = options.heartbeatMs ?? HEARTBEAT_MS_DEFAULT;
    this.timers = options.timers ?? realTimers;
    this.heard = new Map(hub.announcements());
    this.seq = options.fromSeq;
  }

  /** The next events, or a heartbeat after a pause; null when the log was closed and everything was sent. */
  async next(): Promise<string | null> {
    const ready = this.take();
    if (ready !== "") return ready;
    if (this.hub.isClosed || this.stopped) return null;
    return (await this.newsOrPause()) === "pause" ? HEARTBEAT : this.next();
  }

  /** Ends a pending `next`. */
  stop(): void {
    this.stopped = true;
    this.stopWaiting();
  }

  private take(): string {
    return this.lossNotice() + this.announcements() + this.lines();
  }

  private lossNotice(): string {
    const lost = this.hub.firstSeq - this.seq;
    if (lost <= 0) return "";
    this.seq = this.hub.firstSeq;
    return `event: lost\ndata: ${JSON.stringify(this.hub.noticeOfLoss(lost))}\n\n`;
  }

  private announcements(): string {
    let text = "";
    for (const [name, count] of this.hub.announcements()) {
      if (this.heard.get(name) === count) continue;
      this.heard.set(name, count);
      text += `event: ${name}\ndata: {"handler_type":0}\n\n`;
    }
    return text;
  }

  private lines(): string {
    if (this.wants === null) {
      const { text, nextSeq } = this.hub.batchFrom(this.seq, BATCH_CHARS_MAX);
      this.seq = nextSeq;
      return text;
    }
    let text = "";
    while (this.seq < this.hub.endSeq && text.length < BATCH_CHARS_MAX) {
      const line = this.hub.lineAt(this.seq);
      this.seq += 1;
      if (line !== undefined && this.wants(line.entry)) text += line.frame;
    }
    return text;
  }

  private newsOrPause(): Promise<"news" | "pause"> {
    return new Promise((resolve) => {
      const settle = (why: "news" | "pause") => {
        cancelPause();
        forget();
        resolve(why);
      };
      const cancelPause = this.timers.after(this.heartbeatMs, () => settle("pause"));
      let forget: () => void = () => undefined;
      forget = this.hub.onNews(() => settle("news"));
      this.stopWaiting = () => settle("news");
    });
  }
}
