// The log over HTTP: a stream of server-sent events that can be resumed, or the newest lines as JSON. A stream is pulled by
// its client; nothing is buffered for a client that does not read.
import { type LogEntry, logEntrySchema } from "../../contract/daemon.js";
import type { LogHub } from "../logs/log-hub.js";
import { LogReader } from "../logs/log-reader.js";
import { HttpRefusal, jsonAnswer, type RouteGroup, type RouteRequest } from "./route.js";

export interface LogPorts {
  readonly hub: LogHub;
  readonly heartbeatMs?: number;
  readonly clientsMax?: number;
}

export interface LogRoutes {
  readonly routes: RouteGroup;
  clientCount(): number;
}

const CLIENTS_MAX = 256;

/** How long a client waits before it reconnects. */
const RETRY_MS = 1_000;

export function logRoutes({ hub, heartbeatMs = 15_000, clientsMax = CLIENTS_MAX }: LogPorts): LogRoutes {
  const clients = new Set<LogReader>();

  function openStream(request: RouteRequest): Response {
    if (hub.isClosed || clients.size >= clientsMax) throw new HttpRefusal(503, "no more log streams now");
    const wants = filterOf(request.url);
    const reader = new LogReader(hub, { fromSeq: startOf(request, hub), heartbeatMs, ...(wants && { wants }) });
    clients.add(reader);
    const leave = () => {
      reader.stop();
      clients.delete(reader);
    };
    request.signal.addEventListener("abort", leave, { once: true });
    return new Response(streamOf(reader, leave), {
      // With this header the response head is sent at once, not with the first line.
      headers: { "content-type": "text/event-stream", "transfer-encoding": "chunked", "x-accel-buffering": "no" },
    });
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

function streamOf(reader: LogReader, leave: () => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream(
    {
      start: (controller) => controller.enqueue(encoder.encode(`retry: ${RETRY_MS}\n\n`)),
      async pull(controller) {
        const text = await reader.next();
        if (text !== null) return controller.enqueue(encoder.encode(text));
        leave();
        controller.close();
      },
      cancel: leave,
    },
    // Nothing is read ahead; unread lines stay in the shared history.
    { highWaterMark: 0 },
  );
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
