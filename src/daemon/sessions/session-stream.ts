// The stream of one front end as a response: who this is, everything it does not know yet, then whatever happens, and the end of
// the agent. It is pulled by its client: nothing is prepared for somebody who does not read.
import { randomUUID } from "node:crypto";
import type { Timers } from "../../ui/timers.js";
import type { RouteRequest } from "../http/route.js";
import { HistoryReader, placeOf } from "./history-reader.js";
import type { HostedSession } from "./hosted-session.js";

export interface StreamPorts {
  readonly timers: Timers;
  readonly heartbeatMs: number;
  nowMs(): number;
  /** The front end is gone. */
  onLeft(): void;
}

/** How long a client should wait before it comes back. */
const RETRY_MS = 1_000;
const NAME_CHARS_MAX = 80;

export function sessionStream(session: HostedSession, request: RouteRequest, ports: StreamPorts): Response {
  const { searchParams } = request.url;
  const frontEnd = searchParams.get("front_end") || randomUUID();
  const { history, file, bell } = session;
  const { timers, heartbeatMs } = ports;
  const place = placeOf(request.headers.get("last-event-id"));
  const reader = new HistoryReader({ history, file, bell, place, frontEnd, timers, heartbeatMs });
  // A front end that comes back before its old connection was noticed to be dead has two for a while.
  const visit = Symbol(frontEnd);
  session.frontEnds.set(visit, (searchParams.get("name") ?? "").slice(0, NAME_CHARS_MAX) || "http");
  let isHere = true;
  const leave = () => {
    if (!isHere) return;
    isHere = false;
    reader.stop();
    session.frontEnds.delete(visit);
    ports.onLeft();
  };
  request.signal.addEventListener("abort", leave, { once: true });
  const hello = { session: session.entry(), at_ms: ports.nowMs() };
  const head = `retry: ${RETRY_MS}\nevent: hello\ndata: ${JSON.stringify(hello)}\n\n`;
  return new Response(streamOf(head, reader, session, leave), {
    headers: { "content-type": "text/event-stream", "transfer-encoding": "chunked", "x-accel-buffering": "no" },
  });
}

function streamOf(
  head: string,
  reader: HistoryReader,
  session: HostedSession,
  leave: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream(
    {
      start: (controller) => controller.enqueue(encoder.encode(head)),
      async pull(controller) {
        const text = await reader.next();
        if (text !== null) return controller.enqueue(encoder.encode(text));
        const { end } = session;
        if (end !== null) controller.enqueue(encoder.encode(`event: ended\ndata: ${JSON.stringify(end)}\n\n`));
        leave();
        controller.close();
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
}
