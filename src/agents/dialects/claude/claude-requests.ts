// What Claude wants from the person: to use a tool, to have its questions answered, to pass on what an MCP server asks.
// A request it makes is answered once, also one that nobody here knows; one it takes back is not.
import {
  type ClaudeFrame,
  type ClaudeToolRequest,
  claudeElicitationSchema,
  claudeQuestionsSchema,
  claudeToolRequestSchema,
} from "../../../contract/claude.js";
import type { JsonObject } from "../frames/json-frame.js";
import type { PendingAsks } from "../pending-asks.js";
import { raiseElicitation, roundsOf } from "../server-elicitation.js";
import type { StepBuilder } from "../step-builder.js";
import { permissionParams, permissionReply } from "./claude-permission.js";
import { questionsForm, questionsReply } from "./claude-questions.js";
import type { ControlChannel } from "./control-channel.js";

export class ClaudeRequests {
  private readonly out: StepBuilder;
  private readonly asks: PendingAsks;
  private readonly control: ControlChannel;
  /** Asks about pages to visit, by the id under which the server says that the visit is over. */
  private readonly visits = new Map<string, string>();

  constructor(out: StepBuilder, asks: PendingAsks, control: ControlChannel) {
    this.out = out;
    this.asks = asks;
    this.control = control;
  }

  take({ request_id, request }: ClaudeFrame<"control_request">): void {
    if (roundsOf(request_id).some((askId) => this.asks.has(askId))) {
      this.asks.refuseTwice(request_id);
      this.control.refuse(request_id, "a request with this id is already open");
      return;
    }
    const tool = request.subtype === "can_use_tool" ? claudeToolRequestSchema.safeParse(request) : null;
    if (tool?.success) this.askForTool(request_id, tool.data);
    else if (request.subtype === "elicitation") this.elicit(request_id, request);
    else {
      this.out.unknown("request", request.subtype, request);
      this.control.refuse(request_id, `Palaver does not know ${request.subtype.slice(0, 80)}`);
    }
  }

  /** Claude does not need the answer any more. */
  cancel({ request_id }: ClaudeFrame<"control_cancel_request">): void {
    for (const askId of roundsOf(request_id)) this.asks.withdraw(askId, "agent_cancelled");
  }

  /** The server knows by itself that the person was there: the question has its answer. */
  endVisit(elicitationId: string): void {
    const askId = this.visits.get(elicitationId);
    this.visits.delete(elicitationId);
    const isOpen = askId !== undefined && this.asks.withdraw(askId, "agent_cancelled");
    if (isOpen) this.control.answer(askId, { action: "accept" });
  }

  private askForTool(id: string, request: ClaudeToolRequest): void {
    const { tool_name, display_name, mcp_server, input } = request;
    const questions =
      tool_name === "AskUserQuestion" ? claudeQuestionsSchema.safeParse(input.questions).data : undefined;
    if (questions !== undefined && questions.length > 0) {
      const question = { kind: "form" as const, params: questionsForm(questions) };
      this.asks.raise({ id, origin: { kind: "agent" }, deadlineMs: null, question }, (answer) =>
        this.control.answer(id, questionsReply(input, questions, answer)),
      );
      return;
    }
    const kind = mcp_server === undefined ? ("tool" as const) : ("mcp" as const);
    const origin = { kind, name: mcp_server?.name ?? display_name ?? tool_name };
    const question = { kind: "permission" as const, params: permissionParams(request) };
    this.asks.raise({ id, origin, deadlineMs: null, question }, (answer) =>
      this.control.answer(id, permissionReply(request, answer)),
    );
  }

  private elicit(id: string, frame: JsonObject): void {
    const request = claudeElicitationSchema.parse(frame);
    const visit = request.elicitation_id;
    if (visit !== undefined) this.visits.set(visit, id);
    raiseElicitation(this.asks, {
      askId: id,
      request,
      onProblem: (problem) => this.out.fault("invalidField", problem, frame),
      send: (response) => {
        if (visit !== undefined) this.visits.delete(visit);
        this.control.answer(id, response);
      },
    });
  }
}
