// Requests of the agent: checks the params, finds the session, and calls the part that answers. File requests are answered
// here: reading inside the workspace is free unless the name looks secret; any other read, and every write, needs a grant or
// an approval. A path is resolved before the decision, and the resolved file is the one that is read or written.

import { wireErrorCodes } from "../../../contract/errors.js";
import { objectOf } from "../../../contract/json-value.js";
import { problemOf } from "../../../contract/schema-problem.js";
import { filled } from "../frames/lenient-field.js";
import type { AgentRequest } from "../json-rpc-peer.js";
import type { FilePlace, FileText, PathPlace } from "./acp-effect.js";
import { type AcpRequestMethod, type AcpRequestParams, acpErrorCodes, acpRequestSchemas } from "./acp-frames.js";
import type { AcpContext } from "./context.js";
import type { Elicitations } from "./elicitation.js";
import { askFirst, type GatedEffect } from "./gate.js";
import { absolutePath, shownPath, tidyPath } from "./paths.js";
import { askPermission } from "./permissions.js";
import type { Session } from "./session.js";
import type { SessionRegistry } from "./session-registry.js";
import { withTextIds } from "./session-updates.js";
import type { Terminals } from "./terminals.js";

type Handlers = {
  readonly [Method in AcpRequestMethod]: (request: AgentRequest, params: AcpRequestParams<Method>) => void;
};

export class AgentRequests {
  private readonly context: AcpContext;
  private readonly registry: SessionRegistry;
  private readonly handlers: Handlers;

  constructor(context: AcpContext, registry: SessionRegistry, terminals: Terminals, elicitations: Elicitations) {
    this.context = context;
    this.registry = registry;
    this.handlers = {
      "session/request_permission": this.inSession((...args) => askPermission(context, ...args)),
      "fs/read_text_file": this.inSession((request, params, session) => {
        const path = absolutePath(params.path, session.cwd);
        lookFirst<PathPlace>("path.locate", { context, request, session, path, params }, decideRead);
      }),
      "fs/write_text_file": this.inSession((request, params, session) => {
        const path = absolutePath(params.path, session.cwd);
        lookFirst<FilePlace, Write>("file.inspect", { context, request, session, path, params }, decideWrite);
      }),
      "terminal/create": this.inSession((...args) => terminals.create(...args)),
      "terminal/output": this.inSession((request, params) => terminals.use("output", request, params)),
      "terminal/wait_for_exit": this.inSession((request, params) => terminals.use("wait", request, params)),
      "terminal/kill": this.inSession((request, params) => terminals.use("kill", request, params)),
      "terminal/release": this.inSession((request, params) => terminals.use("release", request, params)),
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

  // An elicitation without a session id belongs to no session, not to the active one.
  private sessionOf(id: string | null | undefined): Session | null {
    return id ? this.registry.find(id) : null;
  }

  private inSession<Params extends { sessionId: string }>(
    run: (request: AgentRequest, params: Params, session: Session) => void,
  ): (request: AgentRequest, params: Params) => void {
    return (request, params) => {
      const session = this.registry.find(params.sessionId);
      if (session !== null) run(request, params, session);
      else request.refuse(acpErrorCodes.notFound, `there is no session ${params.sessionId}`);
    };
  }
}

function isKnown(method: string): method is AcpRequestMethod {
  return Object.hasOwn(acpRequestSchemas, method);
}

type FileRequest<Params> = {
  readonly context: AcpContext;
  readonly request: AgentRequest;
  readonly session: Session;
  readonly path: string;
  readonly params: Params;
};

type Read = FileRequest<AcpRequestParams<"fs/read_text_file">>;
type Write = FileRequest<AcpRequestParams<"fs/write_text_file">>;

/** Resolves the path, then decides. */
function lookFirst<Place extends PathPlace, Asked extends Read | Write = Read>(
  type: "path.locate" | "file.inspect",
  asked: Asked,
  decide: (asked: Asked, place: Place) => void,
): void {
  const { context, request, session, path } = asked;
  context.effects.perform({ type, path, workspace: session.cwd }, (result) => {
    if (!request.isOpen) return;
    if (!result.ok) request.refuse(wireErrorCodes.internal, result.message);
    else if (session.turn === "stopping") request.refuse(acpErrorCodes.cancelled, "the turn was stopped");
    else decide(asked, result.value as Place);
  });
}

/** What may be read without an approval. */
function isFree({ place, looksSecret }: PathPlace): boolean {
  return place === "inside" && !looksSecret;
}

// A missing file needs no approval: agents look for their own files in many places.
function decideRead(read: Read, place: PathPlace): void {
  const { context, request, session, path } = read;
  if (isFree(place) || !place.exists || session.grants.takeRead(place)) carryOutRead(read, place);
  else {
    const effect: GatedEffect = { tool: "read", always: "reading this file", ...whereOf(path, place) };
    const onAllowed = (span: "once" | "always") => {
      if (span === "always") session.grants.repeat(place);
      carryOutRead(read, place);
    };
    askFirst(context, { request, session, effect, onAllowed });
  }
}

function carryOutRead({ context, request, path, params }: Read, { realPath }: PathPlace): void {
  const { line = null, limit = null } = params;
  context.effects.perform({ type: "file.read", path, realPath, line, limit }, (result) => {
    if (result.ok) request.answer({ content: (result.value as FileText).text });
    else if (result.code !== "ENOENT") request.refuse(wireErrorCodes.internal, result.message);
    else if (context.facts.habits.missingFile === "reads-empty") request.answer({ content: "" });
    else request.refuse(acpErrorCodes.notFound, `Resource not found: ${path}`);
  });
}

function decideWrite(write: Write, place: FilePlace): void {
  const { context, request, session, path, params } = write;
  const { realPath, oldText } = place;
  if (session.grants.takeWrite(place, params.content)) carryOutWrite(write, place);
  // Some agents write a file themselves and then ask us to write the same content: nothing changes.
  else if (isFree(place) && place.isText && oldText === params.content) request.answer({});
  else {
    const changes = [{ path: realPath, oldText, newText: params.content }];
    const effect: GatedEffect = { tool: "edit", changes, ...whereOf(path, place) };
    askFirst(context, { request, session, effect, onAllowed: () => carryOutWrite(write, place) });
  }
}

function carryOutWrite({ context, request, path, params }: Write, { realPath, oldText }: FilePlace): void {
  context.effects.perform({ type: "file.write", path, realPath, content: params.content, oldText }, (result) => {
    if (result.ok) request.answer({});
    else request.refuse(wireErrorCodes.internal, result.message);
  });
}

/** The approval is about the real file; the path that the agent used is shown beside it. */
function whereOf(
  path: string,
  place: PathPlace | FilePlace,
): Pick<GatedEffect, "about" | "path" | "danger" | "details"> {
  const { realPath } = place;
  const isDirect = tidyPath(realPath) === path;
  const dangers = [
    ...(place.place === "outside" ? ["outside the workspace"] : []),
    ...(place.looksSecret ? ["it looks like a secret"] : []),
    ...("isText" in place && !place.isText
      ? ["its current content is not UTF-8 text and cannot be shown in full"]
      : []),
  ];
  return {
    about: shownPath(realPath, place.workspace),
    path: realPath,
    details: isDirect ? [] : [{ name: "reached through", value: path }],
    ...filled({ danger: dangers.join("; ") }),
  };
}
