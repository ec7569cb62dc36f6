// What codex wants from the user: approvals, answers to questions, what an MCP server asks. Each request is answered once; one
// that another client answered is withdrawn.

import type { Ask, PermissionParams } from "../../../contract/asks.js";
import { takeRequest } from "../frame-table.js";
import type { JsonObject } from "../frames/json-frame.js";
import type { AgentRequest } from "../json-rpc-peer.js";
import { type AskReply, askIdOf, type PendingAsks } from "../pending-asks.js";
import { questionAnswers, questionsForm } from "../question-form.js";
import { raiseElicitation, roundsOf } from "../server-elicitation.js";
import type { StepBuilder } from "../step-builder.js";
import {
  changeParams,
  commandParams,
  isToolApproval,
  permissionsParams,
  permissionsReply,
  toolParams,
  toolReply,
} from "./codex-approvals.js";
import { decided, decisionsIn, usualDecisions } from "./codex-decisions.js";
import { type CodexRequest, type CodexRequestMethod, codexRequestSchemas } from "./codex-frames.js";
import type { CodexItems } from "./codex-items.js";

type Takers = {
  readonly [Method in CodexRequestMethod]: (request: AgentRequest, params: CodexRequest<Method>) => void;
};

export class CodexRequests {
  /** Where codex works. */
  folder = "";
  private readonly out: StepBuilder;
  private readonly asks: PendingAsks;
  private readonly items: CodexItems;
  private nowMs = 0;

  private readonly takers: Takers = {
    "item/commandExecution/requestApproval": (request, params) => {
      const decisions = this.decisions(params.availableDecisions ?? usualDecisions);
      this.approve(request, commandParams(params, decisions, this.folder), (reply) => ({
        decision: decided(decisions, reply, "cancel"),
      }));
    },
    "item/fileChange/requestApproval": (request, params) => {
      const decisions = this.decisions(usualDecisions);
      const asked = changeParams(params, decisions, this.items.patchesOf(params.itemId), this.folder);
      this.approve(request, asked, (reply) => ({ decision: decided(decisions, reply, "cancel") }));
    },
    "item/permissions/requestApproval": (request, params) =>
      this.approve(request, permissionsParams(params, this.folder), (reply) => permissionsReply(params, reply)),
    "item/tool/requestUserInput": (request, params) => {
      const question = { kind: "form" as const, params: questionsForm(params.questions) };
      const deadlineMs = params.autoResolutionMs === undefined ? null : this.nowMs + params.autoResolutionMs;
      this.raise(request, { origin: { kind: "agent" }, question, deadlineMs }, (reply) => answersIn(params, reply));
    },
    "mcpServer/elicitation/request": (request, params) => this.elicit(request, params),
  };

  constructor(out: StepBuilder, asks: PendingAsks, items: CodexItems) {
    this.out = out;
    this.asks = asks;
    this.items = items;
  }

  take(request: AgentRequest, nowMs: number): void {
    this.nowMs = nowMs;
    takeRequest(codexRequestSchemas, this.takers, this.out, request);
  }

  private decisions(listed: readonly unknown[]) {
    return decisionsIn(listed, (word) => this.out.unknown("decision", word, { decision: word }));
  }

  private approve(request: AgentRequest, params: PermissionParams, reply: (given: AskReply) => JsonObject): void {
    const origin = { kind: "tool" as const, name: params.tool };
    this.raise(request, { origin, question: { kind: "permission", params }, deadlineMs: null }, reply);
  }

  private raise(
    request: AgentRequest,
    ask: Pick<Ask, "origin" | "question" | "deadlineMs">,
    reply: (given: AskReply) => JsonObject,
  ): void {
    const id = askIdOf(request.id);
    request.whenTakenBack(() => this.asks.withdraw(id, "agent_cancelled"));
    this.asks.raise({ id, ...ask }, (given) => request.answer(reply(given)));
  }

  private elicit(request: AgentRequest, params: CodexRequest<"mcpServer/elicitation/request">): void {
    if (isToolApproval(params)) {
      const call = this.items.callOf(params.serverName, params._meta?.["tool_params"]);
      this.approve(request, toolParams(params, call), (reply) => toolReply(params, reply));
      return;
    }
    const askId = askIdOf(request.id);
    request.whenTakenBack(() => {
      for (const id of roundsOf(askId)) this.asks.withdraw(id, "agent_cancelled");
    });
    const { message, mode, url, requestedSchema, serverName } = params;
    raiseElicitation(this.asks, {
      askId,
      request: { message, mode, url, requested_schema: requestedSchema, mcp_server_name: serverName },
      onProblem: (problem) => this.out.fault("invalidField", problem, request.params),
      send: (response) => request.answer({ content: null, _meta: null, ...response }),
    });
  }
}

/** Questions without an answer are left out: codex goes on without them. */
function answersIn({ questions }: CodexRequest<"item/tool/requestUserInput">, reply: AskReply): JsonObject {
  const answers = questionAnswers(questions, reply).flatMap(({ chosen, own }, place) => {
    const words = [...chosen, own].filter((word) => word.trim() !== "");
    return words.length === 0 ? [] : [[questions[place]?.id ?? "", { answers: words }]];
  });
  return { answers: Object.fromEntries(answers) };
}
