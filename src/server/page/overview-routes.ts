// The page's routes besides files and sessions: open asks and the list of sessions as resumable server-sent events, and what a
// new session and a prompt need.
import {
  fileNamesSchema,
  overviewChangeSchema,
  type StartableAgent,
  startableAgentsSchema,
} from "../../contract/page.js";
import { PAGE_BEAT_MS, PAGE_PROTOCOL } from "../../contract/protocol-numbers.js";
import { ChangeReader, eventText } from "../../host/change-reader.js";
import type { Overview } from "../../host/overview.js";
import type { ServedSessions } from "../../host/served-session.js";
import { realTimers, type Timers } from "../../system/timers.js";
import {
  callerName,
  HttpRefusal,
  jsonAnswer,
  pulledEvents,
  type RouteGroup,
  type RouteRequest,
} from "../http/route.js";

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

// What the page needs to start and feed a session: the agents that can be started by name, and the files below a session's folder.

interface StartRoutePorts {
  readonly sessions: Pick<ServedSessions, "find">;
  /** Agents by name, the installed ones first. */
  agents(): readonly StartableAgent[];
  /** The best fits below the folder, the best first. */
  findFiles(folder: string, query: string, countMax: number): Promise<readonly string[]>;
}

const FILES_MAX = 50;
const QUERY_CHARS_MAX = 500;

export function startRoutes({ sessions, agents, findFiles }: StartRoutePorts): RouteGroup {
  return [
    {
      method: "GET",
      path: "/agents",
      summary: "The agents that can be started by name",
      answers: { 200: { description: "The agents, the installed ones first", schema: startableAgentsSchema } },
      handle: () => jsonAnswer(agents()),
    },
    {
      method: "GET",
      path: "/sessions/:id/files",
      summary: "Files and folders below the session's folder that fit a few letters, the best first",
      query: [{ name: "query", description: "The letters; without them, what is near" }],
      answers: {
        200: { description: "Paths below the folder; folders end in a slash", schema: fileNamesSchema },
        404: { description: "There is no such session" },
      },
      async handle({ pathParams, url }) {
        const session = sessions.find(pathParams["id"] ?? "");
        if (session === null) throw new HttpRefusal(404, "there is no such session");
        const query = (url.searchParams.get("query") ?? "").slice(0, QUERY_CHARS_MAX);
        return jsonAnswer({ files: await findFiles(session.entry().cwd, query, FILES_MAX) });
      },
    },
  ];
}
