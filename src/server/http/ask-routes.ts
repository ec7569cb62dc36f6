// Open asks over HTTP, for front ends elsewhere and for scripts: what is asked, and the answer to it. The first answer wins; a
// second one is told what was first.
import type { Ask, AskOutcome } from "../../contract/asks.js";
import {
  type AnswerParams,
  type AnswerResult,
  answerParamsSchema,
  answerResultSchema,
  asksSchema,
} from "../../contract/daemon.js";
import type { AskAnswer, AskPort } from "../../host/asks/ask-port.js";
import { readJsonBody } from "./json-body.js";
import { HttpRefusal, jsonAnswer, type RouteGroup } from "./route.js";

const SOMEBODY = "http";

/** Deadlines are sent as moments on the wall clock of this moment, which front ends on this machine share. */
export function askRoutes(asks: AskPort, wallMs: () => number = Date.now): RouteGroup {
  return [
    {
      method: "GET",
      path: "/asks",
      summary: "Every ask that waits for an answer, oldest first",
      answers: { 200: { description: "The open asks", schema: asksSchema } },
      handle: () =>
        jsonAnswer(asks.openAsks().map(onWallClock(asks.nowMs === undefined ? 0 : wallMs() - asks.nowMs()))),
    },
    {
      method: "POST",
      path: "/asks/:id/answer",
      summary: "Answer an ask, or cancel it",
      body: { schema: answerParamsSchema, contentTypes: ["application/json"], required: true },
      answers: {
        200: { description: "This answer settled it", schema: answerResultSchema },
        404: { description: "There is no such ask" },
        409: { description: "It was settled before, and how", schema: answerResultSchema },
        413: { description: "The body is too large" },
      },
      async handle(request) {
        const params = await readJsonBody(request, answerParamsSchema);
        const verdict = asks.answer(request.pathParams["id"] ?? "", answerOf(params), params.by ?? SOMEBODY);
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
