// Asks over HTTP: list and answer the open ones, and post new ones. The first answer wins; later ones get its outcome.

import { randomBytes } from "node:crypto";
import type { Ask, AskOutcome } from "../../contract/asks.js";
import {
  type AnswerParams,
  type AnswerResult,
  answerParamsSchema,
  answerResultSchema,
  asksSchema,
} from "../../contract/daemon.js";
import { type PostedAskParams, postedAskParamsSchema, settledEventSchema } from "../../contract/posted-asks.js";
import type { AskAnswer, AskPort } from "../../host/asks/ask-port.js";
import type { AskRegistry } from "../../host/asks/ask-registry.js";
import type { Elsewhere } from "../../host/asks/team.js";
import { withDanger } from "../../session/permission/dangerous-ask.js";
import { realTimers, type Timers } from "../../system/timers.js";
import {
  callerName,
  HttpRefusal,
  jsonAnswer,
  type RouteGroup,
  readJsonBody,
  streamAnswer,
  TextAnswer,
} from "./route.js";

/** Deadlines are sent in wall-clock time, which front ends on this machine share. */
export function askRoutes(
  asks: AskPort,
  { wallMs = Date.now, elsewhere }: { wallMs?: () => number; elsewhere?: Elsewhere | undefined } = {},
): RouteGroup {
  return [
    {
      method: "GET",
      path: "/asks",
      summary: "Every open ask, oldest first",
      answers: { 200: { description: "The open asks", schema: asksSchema } },
      handle: () =>
        jsonAnswer(asks.openAsks().map(onWallClock(asks.nowMs === undefined ? 0 : wallMs() - asks.nowMs()))),
    },
    {
      method: "POST",
      path: "/asks/:id/answer",
      summary: "Answer an ask, or cancel it",
      body: { schema: answerParamsSchema },
      answers: {
        200: { description: "This answer settled it", schema: answerResultSchema },
        404: { description: "There is no such ask" },
        409: { description: "It was settled before, and how", schema: answerResultSchema },
      },
      async handle(request) {
        const params = await readJsonBody(request, answerParamsSchema);
        const [id, answer] = [request.pathParams["id"] ?? "", answerOf(params)];
        const own = asks.answer(id, answer, callerName(request.caller, params.by));
        const verdict = own.kind === "unknown" && elsewhere !== undefined ? await elsewhere.answer(id, answer) : own;
        switch (verdict.kind) {
          case "accepted":
            return jsonAnswer(resultOf(verdict.outcome));
          case "late":
            return jsonAnswer(resultOf(verdict.outcome), 409);
          case "unfit":
            throw new HttpRefusal(400, verdict.problem);
          case "unknown":
            throw new HttpRefusal(404, "there is no such ask");
        }
      },
    },
    {
      method: "POST",
      path: "/asks/:id/shown",
      summary: "A view has shown an ask to its user; an unknown id is ignored",
      answers: { 204: { description: "It is in the record of the ask" } },
      handle(request) {
        const id = request.pathParams["id"] ?? "";
        asks.shown(id);
        elsewhere?.shown(id);
        return new TextAnswer(204, "");
      },
    },
  ];
}

function onWallClock(shiftMs: number): (ask: Ask) => Ask {
  return (ask) => (ask.deadlineMs === null ? ask : { ...ask, deadlineMs: Math.round(ask.deadlineMs + shiftMs) });
}

function answerOf(params: AnswerParams): AskAnswer {
  const hasValue = params.value !== undefined;
  if (hasValue === (params.cancel === true)) throw new HttpRefusal(400, "send a value, or cancel: true");
  return hasValue ? { value: params.value } : "cancel";
}

function resultOf(outcome: AskOutcome): AnswerResult {
  const { kind } = outcome;
  if (kind === "withdrawn") return { outcome: kind, reason: outcome.reason };
  return kind === "expired" ? { outcome: kind } : { outcome: kind, by: outcome.by };
}

interface PostedAskPorts {
  readonly registry: Pick<AskRegistry, "ask" | "askerLeft" | "withdraw" | "nowMs">;
  readonly timers?: Timers;
  readonly heartbeatMs?: number;
}

const HEARTBEAT_MS = 15_000;

export function postedAskRoutes(ports: PostedAskPorts): RouteGroup {
  return [
    {
      method: "POST",
      path: "/asks",
      access: "owner",
      summary:
        "Ask the users of this daemon; the answer comes on the stream, and a disconnect withdraws the ask unless it returns",
      body: { schema: postedAskParamsSchema },
      answers: {
        200: {
          description: "The events asked and settled",
          contentType: "text/event-stream",
          schema: settledEventSchema,
        },
      },
      async handle(request) {
        const params = await readJsonBody(request, postedAskParamsSchema);
        const posted = new PostedAsk(params, ports);
        request.signal.addEventListener("abort", () => posted.left(), { once: true });
        return streamAnswer(posted.stream());
      },
    },
    {
      method: "DELETE",
      path: "/asks/:id",
      access: "owner",
      summary: "Take back an ask that was posted with an id of its own",
      answers: { 204: { description: "It is not open any more" } },
      handle(request) {
        const { registry } = ports;
        const askId = request.pathParams["id"] ?? "";
        registry.withdraw({ type: "withdraw", askId, reason: "agent_cancelled", atMs: registry.nowMs() });
        return new TextAnswer(204, "");
      },
    },
  ];
}

class PostedAsk {
  private readonly id: string;
  private readonly ports: PostedAskPorts;
  private readonly settled: Promise<AskOutcome>;
  private cancelBeat: () => void = () => undefined;

  constructor(params: PostedAskParams, ports: PostedAskPorts) {
    const { question, origin, timeout_ms, history = "here", id = `p${randomBytes(4).toString("hex")}` } = params;
    this.ports = ports;
    this.id = id;
    const deadlineMs = timeout_ms === undefined ? null : this.nowMs + timeout_ms;
    const about = { id: this.id, sessionId: null, turnId: null, origin: origin ?? ({ kind: "agent" } as const) };
    const ask = withDanger({ ...about, question, deadlineMs }, { folder: process.cwd() });
    const asker = params.id === undefined ? "ends" : params.returns === true ? "returns" : "reconnects";
    this.settled = ports.registry.ask(ask, { history, asker });
  }

  /** The program hung up. */
  left(): void {
    this.cancelBeat();
    this.ports.registry.askerLeft(this.id, this.settled);
  }

  stream(): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder();
    return new ReadableStream({
      start: (controller) => {
        const say = (text: string) => controller.enqueue(encoder.encode(text));
        say(event("asked", { id: this.id }));
        // No heartbeats pile up for a client that does not read.
        this.beat(() => (controller.desiredSize ?? 0) > 0 && say(": waiting\n\n"));
        void this.settled.then((outcome) => {
          this.cancelBeat();
          try {
            say(event("settled", outcome));
            controller.close();
          } catch {
            // The connection closed first, which withdrew the ask.
          }
        });
      },
      cancel: () => this.left(),
    });
  }

  private get nowMs(): number {
    return this.ports.registry.nowMs();
  }

  private beat(say: () => void): void {
    const { timers = realTimers, heartbeatMs = HEARTBEAT_MS } = this.ports;
    this.cancelBeat = timers.after(heartbeatMs, () => {
      say();
      this.beat(say);
    });
  }
}

function event(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
