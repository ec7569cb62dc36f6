// Elicitations of the agent or of an MCP server behind it: a form, or an address to open. An address is shown in full and
// opened only after a yes; an invalid form answer is asked for again, with the problem.

import type { Ask } from "../../../contract/asks.js";
import { wireErrorCodes } from "../../../contract/errors.js";
import { objectOf } from "../../../contract/json-value.js";
import { plainWord } from "../../../contract/plain-word.js";
import { answersOf, type ElicitedForm, problemsWith, readForm } from "../elicited-form.js";
import type { AgentRequest } from "../json-rpc-peer.js";
import { isYes } from "../pending-asks.js";
import type { AskAnswer } from "./acp-asks.js";
import type { AcpRequestParams } from "./acp-frames.js";
import type { AcpContext } from "./context.js";
import type { Session } from "./session.js";

type Params = AcpRequestParams<"elicitation/create">;

export class Elicitations {
  private readonly context: AcpContext;
  /** The sessions of opened addresses that are not completed, by elicitation id. */
  private readonly opened = new Map<string, string | null>();

  constructor(context: AcpContext) {
    this.context = context;
  }

  create(request: AgentRequest, params: Params, session: Session | null): void {
    if (session?.turn === "stopping") {
      request.answer({ action: "cancel" });
      return;
    }
    const mode = params.mode ?? "form";
    if (mode === "url") this.askToOpen(request, params);
    else if (mode === "form") this.askForm(request, params);
    else request.refuse(wireErrorCodes.invalidField, `elicitation in the mode ${mode} is not supported`);
  }

  completed(elicitationId: unknown): void {
    const id = plainWord(elicitationId);
    const sessionId = this.opened.get(id);
    if (sessionId === undefined) return;
    this.opened.delete(id);
    this.context.out.notice(sessionId, "success", "what you did in the browser has arrived");
  }

  private askForm(request: AgentRequest, params: Params): void {
    const form = readForm(params.requestedSchema);
    if ("problem" in form) {
      request.refuse(wireErrorCodes.invalidField, form.problem);
      return;
    }
    this.ask(request, params, form, new Map());
  }

  private ask(request: AgentRequest, params: Params, form: ElicitedForm, problems: ReadonlyMap<string, string>): void {
    const fields = form.fields.map(({ field }) => {
      const problem = problems.get(field.name);
      return problem === undefined ? field : { ...field, error: problem, description: problem };
    });
    const question: Ask["question"] = { kind: "form", params: { title: params.message, fields } };
    this.raise(request, params, question, (answer) => {
      if (answer.kind === "cancelled") request.answer({ action: "cancel" });
      else if (answer.value === false) request.answer({ action: "decline" });
      else this.check(request, params, form, objectOf(answer.value));
    });
  }

  private check(request: AgentRequest, params: Params, form: ElicitedForm, given: Record<string, unknown>): void {
    const content = answersOf(form, given);
    const problems = problemsWith(form, content);
    if (problems.size === 0) request.answer({ action: "accept", content });
    else this.ask(request, params, form, problems);
  }

  private askToOpen(request: AgentRequest, params: Params): void {
    const url = params.url ?? "";
    if (!/^https?:\/\/[^\s]+$/i.test(url)) {
      request.refuse(wireErrorCodes.invalidField, "only http and https addresses can be opened");
      return;
    }
    const question: Ask["question"] = {
      kind: "confirm",
      params: {
        title: params.message,
        message: `opens ${url}`,
        opts: { confirm_label: "open it", cancel_label: "no" },
      },
    };
    this.raise(request, params, question, (answer) => {
      if (answer.kind === "cancelled") request.answer({ action: "cancel" });
      else if (isYes(answer.value)) this.open(request, params, url);
      else request.answer({ action: "decline" });
    });
  }

  private open(request: AgentRequest, { elicitationId, sessionId }: Params, url: string): void {
    const { effects, out } = this.context;
    if (elicitationId) this.opened.set(elicitationId, sessionId ?? null);
    request.answer({ action: "accept" });
    effects.perform({ type: "address.open", url }, (result) => {
      if (!result.ok) out.notice(sessionId ?? null, "warn", `no browser could be opened; the address is ${url}`);
    });
  }

  private raise(request: AgentRequest, params: Params, question: Ask["question"], settle: (answer: AskAnswer) => void) {
    const { asks } = this.context;
    const askId = asks.raise({ sessionId: params.sessionId ?? null, origin: originOf(params), question }, settle);
    request.whenTakenBack(() => asks.takenBack(askId));
  }
}

function originOf(params: Params): Ask["origin"] {
  const meta = objectOf(params["_meta"]);
  const name = [meta["serverName"], meta["mcpServerName"], meta["server"]].find((word) => typeof word === "string");
  if (typeof name === "string") return { kind: "mcp", name };
  return { kind: "agent" };
}
