// What codex wants from the person: approvals, answers to questions, what an MCP server asks. Each request is answered once,
// also one that is not known here; one that another client answered is withdrawn.

import type { Ask, PermissionParams } from "../../../contract/asks.js";
import { type CodexRequest, type CodexRequestMethod, codexRequestSchemas } from "../../../contract/codex.js";
import { wireErrorCodes } from "../../../contract/errors.js";
import type { JsonObject } from "../frames/json-frame.js";
import { whatIsWrong } from "../frames/schema-fault.js";
import type { AgentRequest } from "../json-rpc-peer.js";
import { type AskReply, askIdOf, type PendingAsks } from "../pending-asks.js";
import { raiseElicitation, roundsOf } from "../server-elicitation.js";
import type { StepBuilder } from "../step-builder.js";
import { changeParams, commandParams } from "./codex-approvals.js";
import { decided, decisionsIn, usualDecisions } from "./codex-decisions.js";
import { permissionsParams, permissionsReply } from "./codex-permissions.js";
import { questionsForm, questionsReply } from "./codex-questions.js";
import { isToolApproval, toolParams, toolReply } from "./codex-tool-approval.js";
import type { CodexTools } from "./codex-tools.js";

type Takers = {
  readonly [Method in CodexRequestMethod]: (request: AgentRequest, params: CodexRequest<Method>, nowMs: number) => void;
};

export class CodexRequests {
  /** Where codex works. */
  folder = "";
  private readonly out: StepBuilder;
  private readonly asks: PendingAsks;
  private readonly tools: CodexTools;

  private readonly takers: Takers = {
    "item/commandExecution/requestApproval": (request, params) => {
      const decisions = this.decisions(params.availableDecisions ?? usualDecisions);
      this.approve(request, commandParams(params, decisions, this.folder), (reply) => ({
        decision: decided(decisions, reply, "cancel"),
      }));
    },
    "item/fileChange/requestApproval": (request, params) => {
      const decisions = this.decisions(usualDecisions);
      const asked = changeParams(params, decisions, this.tools.patchesOf(params.itemId), this.folder);
      this.approve(request, asked, (reply) => ({ decision: decided(decisions, reply, "cancel") }));
    },
    "item/permissions/requestApproval": (request, params) =>
      this.approve(request, permissionsParams(params, this.folder), (reply) => permissionsReply(params, reply)),
    "item/tool/requestUserInput": (request, params, nowMs) => {
      const question = { kind: "form" as const, params: questionsForm(params) };
      const deadlineMs = params.autoResolutionMs === undefined ? null : nowMs + params.autoResolutionMs;
      this.raise(request, { origin: { kind: "agent" }, question, deadlineMs }, (reply) =>
        questionsReply(params, reply),
      );
    },
    "mcpServer/elicitation/request": (request, params) => this.elicit(request, params),
  };

  constructor(out: StepBuilder, asks: PendingAsks, tools: CodexTools) {
    this.out = out;
    this.asks = asks;
    this.tools = tools;
  }

  take(request: AgentRequest, nowMs: number): void {
    const { id, method, params } = request;
    if (!Object.hasOwn(codexRequestSchemas, method)) {
      this.out.unknown("request", method, { id, method, params });
      request.refuse(wireErrorCodes.unknownType, `Palaver does not know ${method.slice(0, 80)}`);
      return;
    }
    const known = method as CodexRequestMethod;
    const parsed = codexRequestSchemas[known].safeParse(params);
    if (parsed.success) {
      // The schema of this method accepted it, so that its taker takes it.
      (this.takers[known] as (request: AgentRequest, params: unknown, nowMs: number) => void)(
        request,
        parsed.data,
        nowMs,
      );
      return;
    }
    const fault = whatIsWrong(method, parsed.error, { id, method, params });
    this.out.tell({ type: "fault.reported", fault });
    request.refuse(wireErrorCodes.invalidField, fault.message);
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
      const call = this.tools.callOf(params.serverName, params._meta?.["tool_params"]);
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
