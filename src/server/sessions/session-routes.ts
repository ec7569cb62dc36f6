// Hosted sessions over HTTP: which there are, starting and ending them, the stream of one, and commands for it. They stand behind
// the same guard and in the same description as everything else of the daemon.
import * as z from "zod";
import type { AskOutcome } from "../../contract/asks.js";
import { type AnswerResult, answerResultSchema } from "../../contract/daemon.js";
import {
  commandResultSchema,
  endSessionResultSchema,
  hostedSessionSchema,
  hostedSessionsSchema,
  startSessionParamsSchema,
  transcriptPageSchema,
} from "../../contract/hosted-sessions.js";
import { linesCommandSchema } from "../../contract/lines-commands.js";
import { sessionEventSchema } from "../../contract/session-events.js";
import { type CommandAnswer, CommandMemory } from "../../host/command-memory.js";
import { BEGINNING_LOST } from "../../host/history-reader.js";
import type { CommandVerdict, HostedSession } from "../../host/hosted-session.js";
import { objectOf } from "../../host/kept-item.js";
import { type SessionHost, StartRefusal } from "../../host/session-host.js";
import { pageBefore } from "../../host/transcript-page.js";
import { steadyNowMs } from "../../system/steady-clock.js";
import { realTimers } from "../../system/timers.js";
import {
  HttpRefusal,
  jsonAnswer,
  type Route,
  type RouteGroup,
  type RouteRequest,
  readJsonBody,
  TextAnswer,
} from "../http/route.js";
import { charsWanted, type StreamPorts, sessionStream } from "./session-stream.js";

export interface SessionRouteOptions extends Partial<Pick<StreamPorts, "timers" | "heartbeatMs" | "nowMs">> {
  readonly streamsMax?: number;
}

const STREAMS_MAX = 256;
const HEARTBEAT_MS = 15_000;
const KEY_CHARS_MAX = 200;
const PAGE_CHARS_DEFAULT = 256 * 1024;

const json = ["application/json"];

const refusalStatus: Readonly<Record<StartRefusal["code"], number>> = {
  not_allowed: 403,
  unknown: 404,
  malformed: 400,
  too_many: 503,
  running: 409,
};

export function sessionRoutes(host: SessionHost, options: SessionRouteOptions = {}): RouteGroup {
  return [
    listRoute(host),
    startRoute(host),
    eventsRoute(host, options),
    transcriptRoute(host),
    commandsRoute(host),
    endRoute(host),
  ];
}

function listRoute(host: SessionHost): Route {
  return {
    method: "GET",
    path: "/sessions",
    summary: "Every hosted session, the newest first",
    answers: { 200: { description: "The sessions", schema: hostedSessionsSchema } },
    handle: () => jsonAnswer(host.list()),
  };
}

function startRoute(host: SessionHost): Route {
  return {
    method: "POST",
    path: "/sessions",
    summary: "Start an agent that the daemon's owner has named, or go on with a session that has ended",
    body: { schema: startSessionParamsSchema, contentTypes: json, required: true },
    answers: {
      201: { description: "It is being started", schema: hostedSessionSchema },
      403: { description: "The owner does not allow this, or the Host or Origin is not the daemon's" },
      404: { description: "There is no such agent or session" },
      409: { description: "The session runs already" },
      413: { description: "The body is too large" },
      503: { description: "Too many agents run already" },
    },
    async handle(request) {
      const params = await readJsonBody(request, startSessionParamsSchema);
      try {
        return jsonAnswer((await host.start(params)).entry(), 201);
      } catch (error) {
        if (error instanceof StartRefusal) throw new HttpRefusal(refusalStatus[error.code], error.message);
        throw error;
      }
    },
  };
}

function eventsRoute(host: SessionHost, options: SessionRouteOptions): Route {
  const { timers = realTimers, heartbeatMs = HEARTBEAT_MS, nowMs = steadyNowMs, streamsMax = STREAMS_MAX } = options;
  let streams = 0;
  return {
    method: "GET",
    path: "/sessions/:id/events",
    summary:
      "What happens in a session as server-sent events: first all that came after Last-Event-ID, condensed, then live",
    query: [
      { name: "front_end", description: "The id of the front end, for answers to its own commands" },
      { name: "name", description: "What the front end is called" },
      { name: "tail", description: "Without Last-Event-ID: only the end of the transcript, about so many characters" },
    ],
    answers: {
      200: {
        description: "Session events, and the named events hello, earlier, settled, caught-up and ended",
        contentType: "text/event-stream",
        schema: sessionEventSchema,
      },
      404: { description: "There is no such session" },
      503: { description: "Too many streams" },
    },
    async handle(request) {
      const session = sessionOf(host, request);
      if (streams >= streamsMax) throw new HttpRefusal(503, "no more streams now");
      streams += 1;
      const onLeft = () => {
        streams -= 1;
      };
      try {
        return await sessionStream(session, request, { timers, heartbeatMs, nowMs, onLeft });
      } catch (error) {
        onLeft();
        throw error;
      }
    },
  };
}

function transcriptRoute(host: SessionHost): Route {
  return {
    method: "GET",
    path: "/sessions/:id/transcript",
    summary: "A piece of what was said in a session, the newest unless it is said before what; each can be read alone",
    query: [
      { name: "before", description: "The number that the piece ends before: `earlier` of the piece after it" },
      { name: "chars", description: "About how much" },
    ],
    answers: {
      200: { description: "The piece", schema: transcriptPageSchema },
      404: { description: "There is no such session" },
    },
    async handle(request) {
      const { memory } = sessionOf(host, request);
      const before = request.url.searchParams.get("before");
      if (before !== null && !/^\d{1,16}$/.test(before)) throw new HttpRefusal(400, "before has to be a whole number");
      const chars = charsWanted(request.url, "chars") ?? PAGE_CHARS_DEFAULT;
      const { history } = memory;
      const page = await pageBefore(Math.min(Number(before ?? history.endSeq), history.endSeq), chars, memory);
      const lost = page.beginning === "lost" ? [`{"seq":0,"event":${JSON.stringify(BEGINNING_LOST)}}`] : [];
      const items = [...lost, ...page.items.map(objectOf)].join(",");
      return new TextAnswer(200, `{"items":[${items}],"earlier":${page.earlier}}`, {
        "content-type": "application/json",
      });
    },
  };
}

function commandsRoute(host: SessionHost): Route {
  const memory = new CommandMemory();
  return {
    method: "POST",
    path: "/sessions/:id/commands",
    summary:
      "A command of the lines wire for the agent: a prompt, an answer, an abort; named by Idempotency-Key it happens once",
    query: [
      { name: "front_end", description: "The id of the front end that sends it" },
      { name: "by", description: "Who sends it, for the record and for the others" },
    ],
    body: { schema: linesCommandSchema, contentTypes: json, required: true },
    answers: {
      200: {
        description: "It was taken, or this answer settled the ask",
        schema: z.union([commandResultSchema, answerResultSchema]),
      },
      404: { description: "There is no such session, or no such ask" },
      409: { description: "The ask was settled before, and how", schema: answerResultSchema },
      410: { description: "The agent has ended" },
      413: { description: "The body is too large" },
      503: { description: "Too many prompts wait already" },
    },
    async handle(request) {
      const session = sessionOf(host, request);
      const command = await readJsonBody(request, linesCommandSchema);
      const { searchParams } = request.url;
      const sender = {
        frontEnd: searchParams.get("front_end") ?? "",
        by: searchParams.get("by")?.slice(0, 80) || "http",
      };
      const { status, body } = memory.once(keyOf(session, request), () => answerOf(session.perform(command, sender)));
      return jsonAnswer(body, status);
    },
  };
}

function endRoute(host: SessionHost): Route {
  return {
    method: "DELETE",
    path: "/sessions/:id",
    summary: "End the agent of a session; one that has ended is forgotten, with its transcript",
    answers: {
      200: { description: "What became of it", schema: endSessionResultSchema },
      404: { description: "There is no such session" },
    },
    async handle({ pathParams }) {
      const state = await host.end(pathParams["id"] ?? "");
      if (state === null) throw new HttpRefusal(404, "there is no such session");
      return jsonAnswer({ state });
    },
  };
}

function sessionOf(host: SessionHost, { pathParams }: RouteRequest): HostedSession {
  const session = host.find(pathParams["id"] ?? "");
  if (session === null) throw new HttpRefusal(404, "there is no such session");
  return session;
}

function keyOf({ id }: HostedSession, { headers }: RouteRequest): string | null {
  const key = headers.get("idempotency-key");
  if (key === null) return null;
  if (key.length > KEY_CHARS_MAX) throw new HttpRefusal(400, "the Idempotency-Key is too long");
  return `${id} ${key}`;
}

function answerOf(outcome: CommandVerdict): CommandAnswer {
  if (outcome.kind === "accepted") return { status: 200, body: { accepted: "yes" } };
  if (outcome.kind === "gone") return refused(410, "the agent of this session has ended");
  if (outcome.kind === "overloaded") return refused(503, "too many prompts wait already");
  const { verdict } = outcome;
  switch (verdict.kind) {
    case "accepted":
      return { status: 200, body: resultOf(verdict.outcome) };
    case "late":
      return { status: 409, body: resultOf(verdict.outcome) };
    case "unfit":
      return refused(400, verdict.problem);
    case "unknown":
      return refused(404, "there is no such ask");
  }
}

function refused(status: number, error: string): CommandAnswer {
  return { status, body: { error } };
}

function resultOf(outcome: AskOutcome): AnswerResult {
  const { kind } = outcome;
  if (kind === "withdrawn") return { outcome: kind, reason: outcome.reason };
  return kind === "expired" ? { outcome: kind } : { outcome: kind, by: outcome.by };
}
