// Elicitations of the agent or of an MCP server behind it: a form, or an address to open. An address is shown in full and
// opened only after a yes.

import type { Ask } from "../../../contract/asks.js";
import { wireErrorCodes } from "../../../contract/errors.js";
import { objectOf } from "../../../contract/json-value.js";
import { plainWord } from "../../../contract/plain-word.js";
import { readForm } from "../elicited-form.js";
import type { AgentRequest } from "../json-rpc-peer.js";
import type { Reply } from "../pending-asks.js";
import { askForm, confirmAction } from "../server-elicitation.js";
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
    const mode = params.mode ?? "form";
    if (session?.turn === "stopping") request.answer({ action: "cancel" });
    else if (mode === "url") this.askToOpen(request, params);
    else if (mode === "form") this.askForm(request, params);
    else request.refuse(wireErrorCodes.invalidField, `elicitation in the mode ${mode} is not supported`);
  }

  completed(elicitationId: unknown): void {
    const id = plainWord(elicitationId);
    const sessionId = this.opened.get(id);
    if (sessionId === undefined) return;
    this.opened.delete(id);
    this.context.out.notice(sessionId, "success", "the step in the browser is complete");
  }

  private askForm(request: AgentRequest, params: Params): void {
    const form = readForm(params.requestedSchema);
    if ("problem" in form) request.refuse(wireErrorCodes.invalidField, form.problem);
    else {
      const raise = (question: Ask["question"], _round: number, reply: Reply) =>
        this.raise(request, params, question, reply);
      askForm({ title: params.message, form, raise, send: (response) => request.answer(response) });
    }
  }

  private askToOpen(request: AgentRequest, params: Params): void {
    const { message: title } = params;
    const url = params.url ?? "";
    if (!/^https?:\/\/[^\s]+$/i.test(url)) {
      request.refuse(wireErrorCodes.invalidField, "only http and https addresses can be opened");
      return;
    }
    const opts = { confirm_label: "open it", cancel_label: "no" };
    this.raise(request, params, { kind: "confirm", params: { title, message: `opens ${url}`, opts } }, (reply) => {
      const action = confirmAction(reply);
      request.answer({ action });
      if (action === "accept") this.open(params, url);
    });
  }

  private open({ elicitationId, sessionId }: Params, url: string): void {
    const { effects, out } = this.context;
    if (elicitationId) this.opened.set(elicitationId, sessionId ?? null);
    effects.perform({ type: "address.open", url }, (result) => {
      if (!result.ok) out.notice(sessionId ?? null, "warn", `no browser could be opened; the address is ${url}`);
    });
  }

  private raise(request: AgentRequest, params: Params, question: Ask["question"], reply: Reply): void {
    const { sessionId = null } = params;
    this.context.asks.question({ sessionId, origin: originOf(params), question, request }, reply);
  }
}

function originOf(params: Params): Ask["origin"] {
  const meta = objectOf(params["_meta"]);
  const name = [meta["serverName"], meta["mcpServerName"], meta["server"]].find((word) => typeof word === "string");
  return typeof name === "string" ? { kind: "mcp", name } : { kind: "agent" };
}
