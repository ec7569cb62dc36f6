// Hosted sessions over HTTP: which there are, starting and ending them, the changes of one, its transcript, and intents for it. They stand behind
// the same guard and in the same description as everything else of the daemon.
import {
  endSessionResultSchema,
  hostedSessionSchema,
  hostedSessionsSchema,
  startSessionParamsSchema,
} from "../../contract/hosted-sessions.js";
import type { LinesCommandType } from "../../contract/lines-commands.js";
import { SESSION_PROTOCOL } from "../../contract/protocol-numbers.js";
import {
  changeSchema,
  intentParamsSchema,
  intentResultSchema,
  type SessionIntent,
  transcriptPageSchema,
} from "../../contract/session-changes.js";
import { ChangeReader, sessionSnapshot } from "../../host/change-reader.js";
import type { HostedRefusal, HostedResult } from "../../host/checked-intents.js";
import { type ServedSession, type ServedSessions, StartRefusal } from "../../host/served-session.js";
import { QUEUE_FULL_WORDS } from "../../session/session-facts.js";
import { realTimers, steadyNowMs, type Timers } from "../../system/timers.js";
import type { Caller } from "../http/request-guard.js";
import {
  callerName,
  HttpRefusal,
  jsonAnswer,
  pulledEvents,
  type Route,
  type RouteGroup,
  type RouteRequest,
  readJsonBody,
  TextAnswer,
} from "../http/route.js";

type SessionRouteOptions = Partial<Pick<StreamPorts, "timers" | "heartbeatMs" | "nowMs">>;

const STREAMS_MAX = 256;
const HEARTBEAT_MS = 15_000;
const KEY_CHARS_MAX = 200;

const refusalStatus: Readonly<Record<StartRefusal["code"], number>> = {
  not_allowed: 403,
  unknown: 404,
  malformed: 400,
  too_many: 503,
  running: 409,
};

export function sessionRoutes(host: ServedSessions, options: SessionRouteOptions = {}): RouteGroup {
  return [
    listRoute(host),
    startRoute(host),
    changesRoute(host, options),
    transcriptRoute(host),
    intentsRoute(host),
    endRoute(host),
    goneRoute("GET", "/sessions/:id/events"),
    goneRoute("POST", "/sessions/:id/commands"),
  ];
}

function listRoute(host: ServedSessions): Route {
  return {
    method: "GET",
    path: "/sessions",
    summary: "Every hosted session, the newest first",
    answers: { 200: { description: "The sessions", schema: hostedSessionsSchema } },
    handle: () =>
      jsonAnswer(
        host
          .all()
          .map((session) => session.entry())
          .reverse(),
      ),
  };
}

function startRoute(host: ServedSessions): Route {
  return {
    method: "POST",
    path: "/sessions",
    summary: "Start an agent that the daemon's owner has named, or resume a session that has ended",
    body: { schema: startSessionParamsSchema },
    answers: {
      201: { description: "It is being started", schema: hostedSessionSchema },
      403: { description: "The owner does not allow this, or the Host or Origin is not the daemon's" },
      404: { description: "There is no such agent or session" },
      409: { description: "The session is already running" },
      503: { description: "Too many agents are already running" },
    },
    async handle(request) {
      const params = await readJsonBody(request, startSessionParamsSchema);
      const session = await host.start(params, startsFor(request.caller)).catch(inHttp);
      return jsonAnswer(session.entry(), 201);
    },
  };
}

function inHttp(error: unknown): never {
  if (error instanceof StartRefusal) throw new HttpRefusal(refusalStatus[error.code], error.message);
  throw error;
}

/** A paired device starts named agents only, whatever the owner may start. */
function startsFor({ kind }: Caller): "owner" | "device" {
  return kind === "owner" ? "owner" : "device";
}

function changesRoute(host: ServedSessions, options: SessionRouteOptions): Route {
  const { timers = realTimers, heartbeatMs = HEARTBEAT_MS, nowMs = steadyNowMs } = options;
  let streams = 0;
  return {
    method: "GET",
    path: "/sessions/:id/changes",
    access: "share",
    summary:
      "A session as server-sent events: a snapshot and the end of its transcript, or a continuation after Last-Event-ID; then every change",
    query: [
      { name: "name", description: "What the view is called where others see it" },
      { name: "tail", description: "Without Last-Event-ID: about how many characters of the transcript come first" },
    ],
    answers: {
      200: {
        description:
          "Lists of changes, and the named events hello, continuation, snapshot, history, caught-up and ended",
        contentType: "text/event-stream",
        schema: changeSchema,
      },
      404: { description: "There is no such session" },
      503: { description: "Too many streams" },
    },
    handle(request) {
      const session = sessionOf(host, request);
      if (streams >= STREAMS_MAX) throw new HttpRefusal(503, "no more streams now");
      streams += 1;
      const onLeft = () => {
        streams -= 1;
      };
      try {
        return sessionStream(session, request, { timers, heartbeatMs, nowMs, onLeft });
      } catch (error) {
        onLeft();
        throw error;
      }
    },
  };
}

function transcriptRoute(host: ServedSessions): Route {
  return {
    method: "GET",
    path: "/sessions/:id/transcript",
    access: "share",
    summary: "Part of a session's transcript, as closed blocks: the newest, or those before a number",
    query: [
      { name: "before", description: "The number that the part ends before: `earlier` of the part after it" },
      { name: "chars", description: "About how much" },
    ],
    answers: {
      200: { description: "The part", schema: transcriptPageSchema },
      404: { description: "There is no such session" },
    },
    async handle(request) {
      const { transcript, log } = sessionOf(host, request);
      const before = request.url.searchParams.get("before");
      if (before !== null && !/^\d{1,16}$/.test(before)) throw new HttpRefusal(400, "before has to be a whole number");
      const end = log.lastSeq + 1;
      const chars = charsWanted(request.url, "chars");
      const { lines, earlier } = await transcript.before(Math.min(Number(before ?? end), end), chars);
      const items = lines.map(({ text }) => text).join(",");
      return new TextAnswer(200, `{"items":[${items}],"earlier":${earlier}}`, { "content-type": "application/json" });
    },
  };
}

function intentsRoute(host: ServedSessions): Route {
  const memory = new CommandMemory();
  return {
    method: "POST",
    path: "/sessions/:id/intents",
    summary: "An intent of a view: a prompt, an answer, an abort; with an Idempotency-Key it takes effect once",
    query: [{ name: "by", description: "The name of the view, for the record and for the others" }],
    body: { schema: intentParamsSchema },
    answers: {
      200: { description: "It was accepted, or the agent has it already", schema: intentResultSchema },
      404: { description: "There is no such session, or no such ask" },
      409: {
        description: "The ask was settled before, and how; or too many messages are queued",
        schema: intentResultSchema,
      },
      410: { description: "The agent has ended" },
    },
    async handle(request) {
      const session = sessionOf(host, request);
      const { intent } = await readJsonBody(request, intentParamsSchema);
      refuseForeign(intent);
      const by = callerName(request.caller, request.url.searchParams.get("by"));
      const perform = async () => answerOf(await session.perform(intent, by));
      const { status, body } = await memory.once(keyOf(session, request), perform);
      return jsonAnswer(body, status);
    },
  };
}

/** Commands that have an intent of their own, or are the daemon's to send. */
const foreign: ReadonlySet<LinesCommandType> = new Set(["prompt", "ui_response", "initialize", "quit"]);

function refuseForeign(intent: SessionIntent): void {
  if (intent.type !== "command" || !foreign.has(intent.command.type)) return;
  throw new HttpRefusal(400, `${intent.command.type} is not sent as a command; submit, answer and cancel are intents`);
}

// Views of Palaver 0.1 look for these.
function goneRoute(method: "GET" | "POST", path: string): Route {
  const words = "this daemon serves /changes and /intents; attach with the Palaver version that started it";
  return {
    method,
    path,
    summary: "Gone since 0.2",
    answers: { 410: { description: "Always" } },
    handle: () => {
      throw new HttpRefusal(410, words);
    },
  };
}

function endRoute(host: ServedSessions): Route {
  return {
    method: "DELETE",
    path: "/sessions/:id",
    summary: "End the agent of a session; a session that has ended is deleted, with its transcript",
    answers: {
      200: { description: "The outcome", schema: endSessionResultSchema },
      403: { description: "It cannot be ended from here, or the Host or Origin is not the daemon's" },
      404: { description: "There is no such session" },
    },
    async handle({ pathParams }) {
      const state = await host.end(pathParams["id"] ?? "").catch(inHttp);
      if (state === null) throw new HttpRefusal(404, "there is no such session");
      return jsonAnswer({ state });
    },
  };
}

function sessionOf(host: ServedSessions, { pathParams }: RouteRequest): ServedSession {
  const session = host.find(pathParams["id"] ?? "");
  if (session === null) throw new HttpRefusal(404, "there is no such session");
  return session;
}

function keyOf({ id }: ServedSession, { headers }: RouteRequest): string | null {
  const key = headers.get("idempotency-key");
  if (key === null) return null;
  if (key.length > KEY_CHARS_MAX) throw new HttpRefusal(400, "the Idempotency-Key is too long");
  return `${id} ${key}`;
}

const refusalWords: Readonly<Record<HostedRefusal["why"], { status: number; error: string }>> = {
  late: { status: 409, error: "the ask was settled before" },
  "unknown ask": { status: 404, error: "there is no such ask" },
  unfit: { status: 400, error: "the answer does not match the question" },
  "queue full": { status: 409, error: QUEUE_FULL_WORDS },
  ended: { status: 410, error: "the agent of this session has ended" },
};

function answerOf(result: HostedResult): CommandAnswer {
  if (result.result !== "refused") return { status: 200, body: result };
  const { refusal } = result;
  const { why } = refusal;
  const { status, error } = refusalWords[why];
  const words = why === "unfit" ? refusal.problem : error;
  const outcome = why === "late" ? { outcome: refusal.outcome } : {};
  return { status, body: { result: "refused", why, error: words, ...outcome } };
}

// The answers to intents with an Idempotency-Key. A client whose connection broke sends its intent again under the same key and
// gets the same answer; the intent takes effect once.
interface CommandAnswer {
  readonly status: number;
  readonly body: unknown;
}

const REMEMBERED_MAX = 2_000;

class CommandMemory {
  private readonly answers = new Map<string, Promise<CommandAnswer>>();

  /** Performs it unless this name is known. Without a name it is performed every time. */
  once(name: string | null, perform: () => Promise<CommandAnswer>): Promise<CommandAnswer> {
    if (name === null) return perform();
    const known = this.answers.get(name);
    if (known !== undefined) return known;
    const answer = perform();
    this.answers.set(name, answer);
    const oldest = this.answers.keys().next().value;
    if (this.answers.size > REMEMBERED_MAX && oldest !== undefined) this.answers.delete(oldest);
    return answer;
  }
}

// The event stream of one view: a greeting, everything the view does not have yet, then each change, and the end of the agent.
// The client pulls it: nothing is prepared for a view that does not read.

interface StreamPorts {
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

function sessionStream(session: ServedSession, request: RouteRequest, ports: StreamPorts): Response {
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
function charsWanted({ searchParams }: URL, name: string): number {
  const given = searchParams.get(name);
  if (given === null) return PAGE_CHARS_DEFAULT;
  if (!/^\d{1,9}$/.test(given)) throw new HttpRefusal(400, `${name} has to be a whole number`);
  return Math.min(PAGE_CHARS_MAX, Math.max(PAGE_CHARS_MIN, Number(given)));
}
