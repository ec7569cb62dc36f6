// The stream of one front end as a response: who this is, everything it does not know yet, then whatever happens, and the end of
// the agent. It is pulled by its client: nothing is prepared for somebody who does not read. A front end that comes for the
// first time may ask for the end of the transcript alone, and is told where the rest of it is.
import { randomUUID } from "node:crypto";
import { HistoryReader, placeOf, type ReaderPlace } from "../../host/history-reader.js";
import type { HostedSession } from "../../host/hosted-session.js";
import { frameOf } from "../../host/kept-item.js";
import { pageBefore } from "../../host/transcript-page.js";
import type { Timers } from "../../system/timers.js";
import { HttpRefusal, type RouteRequest } from "../http/route.js";

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
const PAGE_CHARS_MIN = 1_024;
const PAGE_CHARS_MAX = 4 * 1024 * 1024;

export async function sessionStream(
  session: HostedSession,
  request: RouteRequest,
  ports: StreamPorts,
): Promise<Response> {
  const { searchParams } = request.url;
  const frontEnd = searchParams.get("front_end") || randomUUID();
  const { history, file, bell } = session.memory;
  const { timers, heartbeatMs } = ports;
  const begin = await beginningOf(session, request);
  const reader = new HistoryReader({ history, file, bell, place: begin.place, frontEnd, timers, heartbeatMs });
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
  if (request.signal.aborted) leave();
  const hello = { session: session.entry(), at_ms: ports.nowMs() };
  const head = `retry: ${RETRY_MS}\nevent: hello\ndata: ${JSON.stringify(hello)}\n\n${begin.head}`;
  return new Response(streamOf(head, reader, session, leave), {
    headers: { "content-type": "text/event-stream", "transfer-encoding": "chunked", "x-accel-buffering": "no" },
  });
}

/** How much of a transcript a client wants, from its query; null when it does not say. */
export function charsWanted({ searchParams }: URL, name: string): number | null {
  const given = searchParams.get(name);
  if (given === null) return null;
  if (!/^\d{1,9}$/.test(given)) throw new HttpRefusal(400, `${name} has to be a whole number`);
  return Math.min(PAGE_CHARS_MAX, Math.max(PAGE_CHARS_MIN, Number(given)));
}

// Whoever names a place goes on there, whatever else he wants.
async function beginningOf(
  session: HostedSession,
  request: RouteRequest,
): Promise<{ readonly place: ReaderPlace; readonly head: string }> {
  const { history } = session.memory;
  const lastEventId = request.headers.get("last-event-id");
  const tail = charsWanted(request.url, "tail");
  const place = placeOf(lastEventId);
  if (tail === null || lastEventId !== null) return { place, head: "" };
  const { items, earlier } = await pageBefore(history.endSeq, tail, session.memory);
  const [first] = items;
  if (first === undefined || earlier === null) return { place, head: "" };
  const standing = history.standingBefore(first.seq).map(frameOf).join("");
  const told = `event: earlier\ndata: ${JSON.stringify({ before: first.seq })}\n\n`;
  return { place: { seq: first.seq - 1, since: 0 }, head: told + standing };
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
