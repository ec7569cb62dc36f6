// What an agent may ask of us, by method: checks the params, finds the session, and hands the request to the part that
// answers it. A method nobody knows, or params that make no sense, are refused here.

import {
  type AcpRequestMethod,
  type AcpRequestParams,
  acpErrorCodes,
  acpRequestSchemas,
} from "../../../contract/acp.js";
import { wireErrorCodes } from "../../../contract/errors.js";
import { objectOf } from "../../../contract/json-value.js";
import { problemOf } from "../../../contract/schema-problem.js";
import type { AgentRequest } from "../json-rpc-peer.js";
import type { AcpContext } from "./context.js";
import type { Elicitations } from "./elicitation.js";
import { readFile, writeFile } from "./file-requests.js";
import { askPermission } from "./permissions.js";
import type { Session } from "./session.js";
import type { SessionDesk } from "./session-opening.js";
import { withTextIds } from "./session-updates.js";
import type { Terminals } from "./terminals.js";

type Handlers = {
  readonly [Method in AcpRequestMethod]: (request: AgentRequest, params: AcpRequestParams<Method>) => void;
};

export class AgentRequests {
  private readonly context: AcpContext;
  private readonly desk: SessionDesk;
  private readonly handlers: Handlers;

  constructor(context: AcpContext, desk: SessionDesk, terminals: Terminals, elicitations: Elicitations) {
    this.context = context;
    this.desk = desk;
    this.handlers = {
      "session/request_permission": this.inSession((...args) => askPermission(context, ...args)),
      "fs/read_text_file": this.inSession((...args) => readFile(context, ...args)),
      "fs/write_text_file": this.inSession((...args) => writeFile(context, ...args)),
      "terminal/create": this.inSession((...args) => terminals.create(...args)),
      "terminal/output": this.inSession((request, params) => terminals.output(request, params)),
      "terminal/wait_for_exit": this.inSession((request, params) => terminals.waitForExit(request, params)),
      "terminal/kill": this.inSession((request, params) => terminals.kill(request, params)),
      "terminal/release": this.inSession((request, params) => terminals.release(request, params)),
      "elicitation/create": (request, params) => elicitations.create(request, params, this.sessionOf(params.sessionId)),
    };
  }

  take(request: AgentRequest): void {
    const { method, params } = request;
    const isBoxed = this.context.options.command.place === "sandbox" && /^(?:fs|terminal)\//.test(method);
    if (isBoxed)
      request.refuse(wireErrorCodes.unknownType, "you run in a sandbox: read, write and run things yourself");
    else if (isKnown(method)) this.handle(method, request);
    else {
      this.context.out.unknown("request", method, params);
      request.refuse(wireErrorCodes.unknownType, `Method not found: ${method}`);
    }
  }

  private handle<Method extends AcpRequestMethod>(method: Method, request: AgentRequest): void {
    const { toolCall, ...others } = request.params;
    const params = toolCall === undefined ? others : { ...others, toolCall: withTextIds(objectOf(toolCall)) };
    const parsed = acpRequestSchemas[method].safeParse(params);
    if (parsed.success) {
      this.handlers[method](request, parsed.data as AcpRequestParams<Method>);
      return;
    }
    const { where, what } = problemOf(parsed.error);
    request.refuse(wireErrorCodes.invalidField, [where, what].filter(Boolean).join(": "));
  }

  // A question may belong to no session; the one that is open is not meant then.
  private sessionOf(id: string | null | undefined): Session | null {
    return id ? this.desk.find(id) : null;
  }

  private inSession<Params extends { sessionId: string }>(
    run: (request: AgentRequest, params: Params, session: Session) => void,
  ): (request: AgentRequest, params: Params) => void {
    return (request, params) => {
      const session = this.desk.find(params.sessionId);
      if (session !== null) run(request, params, session);
      else request.refuse(acpErrorCodes.notFound, `there is no session ${params.sessionId}`);
    };
  }
}

function isKnown(method: string): method is AcpRequestMethod {
  return Object.hasOwn(acpRequestSchemas, method);
}
