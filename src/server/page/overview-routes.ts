// The overview over HTTP: what waits for an answer and which sessions there are, as server-sent events that can be resumed.
import { overviewChangeSchema } from "../../contract/page.js";
import { PAGE_BEAT_MS, PAGE_PROTOCOL } from "../../contract/protocol-numbers.js";
import { ChangeReader, eventText } from "../../host/change-reader.js";
import type { Overview } from "../../host/overview.js";
import { realTimers, type Timers } from "../../system/timers.js";
import { callerName, HttpRefusal, pulledEvents, type RouteGroup, type RouteRequest } from "../http/route.js";

interface OverviewRouteOptions {
  readonly timers?: Timers;
  readonly heartbeatMs?: number | undefined;
}

const STREAMS_MAX = 256;
const RETRY_MS = 1_000;

export function overviewRoutes(overview: Overview, options: OverviewRouteOptions = {}): RouteGroup {
  let streams = 0;
  return [
    {
      method: "GET",
      path: "/overview",
      summary: "Every open ask and every session: a snapshot, or a continuation after Last-Event-ID; then every change",
      answers: {
        200: {
          description: "Lists of changes, and the named events hello, continuation and snapshot",
          contentType: "text/event-stream",
          schema: overviewChangeSchema,
        },
        503: { description: "Too many streams" },
      },
      handle(request) {
        if (streams >= STREAMS_MAX) throw new HttpRefusal(503, "no more streams now");
        streams += 1;
        return overviewStream(overview, request, {
          ...options,
          onLeft: () => {
            streams -= 1;
          },
        });
      },
    },
  ];
}

function overviewStream(
  overview: Overview,
  request: RouteRequest,
  { timers = realTimers, heartbeatMs = PAGE_BEAT_MS, onLeft }: OverviewRouteOptions & { onLeft(): void },
): Response {
  const reader = new ChangeReader({
    ...{ source: overview, snapshot: (_after, upTo) => overview.snapshotEvents(upTo) },
    lastEventId: request.headers.get("last-event-id"),
    view: callerName(request.caller, null),
    ...{ timers, heartbeatMs },
  });
  let isHere = true;
  const leave = () => {
    if (!isHere) return;
    isHere = false;
    reader.stop();
    onLeft();
  };
  request.signal.addEventListener("abort", leave, { once: true });
  if (request.signal.aborted) leave();
  const hello = { at_ms: overview.nowMs(), protocol: PAGE_PROTOCOL, epoch: overview.epoch };
  return pulledEvents(`retry: ${RETRY_MS}\n${eventText("hello", JSON.stringify(hello))}`, () => reader.next(), leave);
}
