// The stream of one view as a response: who this is, everything it does not know yet, then every change, and the end of the agent.
// It is pulled by its client: nothing is prepared for a view that does not read.
import { SESSION_PROTOCOL } from "../../contract/protocol-numbers.js";
import { ChangeReader, sessionSnapshot } from "../../host/change-reader.js";
import type { ServedSession } from "../../host/served-session.js";
import type { Timers } from "../../system/timers.js";
import { callerName, HttpRefusal, pulledEvents, type RouteRequest } from "../http/route.js";

export interface StreamPorts {
  readonly timers: Timers;
  readonly heartbeatMs: number;
  nowMs(): number;
  /** The view is gone. */
  onLeft(): void;
}

/** How long a client should wait before it comes back. */
const RETRY_MS = 1_000;
const PAGE_CHARS_MIN = 1_024;
const PAGE_CHARS_MAX = 4 * 1024 * 1024;
const PAGE_CHARS_DEFAULT = 256 * 1024;

export function sessionStream(session: ServedSession, request: RouteRequest, ports: StreamPorts): Response {
  const { timers, heartbeatMs } = ports;
  const view = callerName(request.caller, request.url.searchParams.get("name"));
  const lastEventId = request.headers.get("last-event-id");
  const tailChars = charsWanted(request.url, "tail");
  const reader = new ChangeReader({
    ...{ source: session, snapshot: sessionSnapshot(session, tailChars) },
    ...{ lastEventId, view, timers, heartbeatMs },
  });
  // A view that comes back before its old connection was noticed to be dead has two for a while.
  const visit = Symbol(view);
  session.views.set(visit, view);
  let isHere = true;
  const leave = () => {
    if (!isHere) return;
    isHere = false;
    reader.stop();
    session.views.delete(visit);
    ports.onLeft();
  };
  request.signal.addEventListener("abort", leave, { once: true });
  if (request.signal.aborted) leave();
  const hello = { session: session.entry(), at_ms: ports.nowMs(), protocol: SESSION_PROTOCOL };
  const head = `retry: ${RETRY_MS}\nevent: hello\ndata: ${JSON.stringify(hello)}\n\n`;
  let isEnded = false;
  const next = async () => {
    const text = isEnded ? null : await reader.next();
    const { end } = session;
    if (text !== null || isEnded || end === null) return text;
    isEnded = true;
    return `event: ended\ndata: ${JSON.stringify(end)}\n\n`;
  };
  return pulledEvents(head, next, leave);
}

/** How much of a transcript a client wants, from its query. */
export function charsWanted({ searchParams }: URL, name: string): number {
  const given = searchParams.get(name);
  if (given === null) return PAGE_CHARS_DEFAULT;
  if (!/^\d{1,9}$/.test(given)) throw new HttpRefusal(400, `${name} has to be a whole number`);
  return Math.min(PAGE_CHARS_MAX, Math.max(PAGE_CHARS_MIN, Number(given)));
}
