// Files that the agent reads and writes through us. Reading inside the workspace is free, unless the name says that the file
// holds a secret. Every other read, and every write, needs a grant or is asked about first. Where a path really leads is
// looked up before anything is decided, and what was decided about is what is read or written.
import { type AcpRequestParams, acpErrorCodes } from "../../../contract/acp.js";
import { wireErrorCodes } from "../../../contract/errors.js";
import type { EffectResult } from "../dialect.js";
import type { AgentRequest } from "../json-rpc-peer.js";
import type { FilePlace, FileText, PathPlace } from "./acp-effect.js";
import type { AcpContext } from "./context.js";
import { askFirst, type GatedEffect } from "./gate.js";
import { absolutePath, shownPath, tidyPath } from "./paths.js";
import type { Session } from "./session.js";

type FileRequest<Params> = {
  readonly context: AcpContext;
  readonly request: AgentRequest;
  readonly session: Session;
  readonly path: string;
  readonly params: Params;
};

type Read = FileRequest<AcpRequestParams<"fs/read_text_file">>;
type Write = FileRequest<AcpRequestParams<"fs/write_text_file">>;

export function readFile(context: AcpContext, request: AgentRequest, params: Read["params"], session: Session): void {
  const path = absolutePath(params.path, session.cwd);
  const read: Read = { context, request, session, path, params };
  context.hands.perform({ type: "path.locate", path, workspace: session.cwd }, (result) => {
    if (!request.isOpen) return;
    if (!result.ok) request.refuse(wireErrorCodes.internal, result.message);
    else decideRead(read, result.value as PathPlace);
  });
}

/** What the agent may know about the workspace without a question. */
function isFree({ place, looksSecret }: PathPlace): boolean {
  return place === "inside" && !looksSecret;
}

// A file that is not there is not asked about: agents look for their own files in many places.
function decideRead(read: Read, place: PathPlace): void {
  const { context, request, session, path } = read;
  if (session.turn === "stopping") request.refuse(acpErrorCodes.cancelled, "the turn was stopped");
  else if (isFree(place) || !place.exists || session.grants.takeRead(place)) carryOutRead(read, place);
  else {
    const always = "reading this file";
    const effect: GatedEffect = { tool: "read", always, ...whereOf(path, place) };
    const onAllowed = (span: "once" | "always") => {
      if (span === "always") session.grants.repeat(place);
      carryOutRead(read, place);
    };
    askFirst(context, { request, session, effect, onAllowed });
  }
}

function carryOutRead({ context, request, path, params }: Read, { realPath }: PathPlace): void {
  const { line = null, limit = null } = params;
  context.hands.perform({ type: "file.read", path, realPath, line, limit }, (result) => {
    if (result.ok) request.answer({ content: (result.value as FileText).text });
    else if (result.code !== "ENOENT") request.refuse(wireErrorCodes.internal, result.message);
    else if (context.facts.habits.missingFile === "reads-empty") request.answer({ content: "" });
    else request.refuse(acpErrorCodes.notFound, `Resource not found: ${path}`);
  });
}

export function writeFile(context: AcpContext, request: AgentRequest, params: Write["params"], session: Session): void {
  const path = absolutePath(params.path, session.cwd);
  const write: Write = { context, request, session, path, params };
  context.hands.perform({ type: "file.inspect", path, workspace: session.cwd }, (result) => {
    if (!request.isOpen) return;
    if (!result.ok) request.refuse(wireErrorCodes.internal, result.message);
    else decideWrite(write, result.value as FilePlace);
  });
}

function decideWrite(write: Write, place: FilePlace): void {
  const { context, request, session, path, params } = write;
  const { realPath, oldText } = place;
  if (session.turn === "stopping") request.refuse(acpErrorCodes.cancelled, "the turn was stopped");
  else if (session.grants.takeWrite(place, params.content)) carryOutWrite(write, place);
  // Some agents write a file themselves and then have us write the same once more: nothing would change.
  else if (isFree(place) && place.isText && oldText === params.content) request.answer({});
  else {
    const changes = [{ path: realPath, oldText, newText: params.content }];
    const effect: GatedEffect = { tool: "edit", changes, ...whereOf(path, place) };
    askFirst(context, { request, session, effect, onAllowed: () => carryOutWrite(write, place) });
  }
}

function carryOutWrite({ context, request, path, params }: Write, { realPath, oldText }: FilePlace): void {
  const done = (result: EffectResult) => {
    if (result.ok) request.answer({});
    else request.refuse(wireErrorCodes.internal, result.message);
  };
  context.hands.perform({ type: "file.write", path, realPath, content: params.content, oldText }, done);
}

/** The real file is what is asked about; the name by which the agent reached it is told beside it. */
function whereOf(
  path: string,
  place: PathPlace | FilePlace,
): Pick<GatedEffect, "about" | "path" | "danger" | "details"> {
  const { realPath } = place;
  const isDirect = tidyPath(realPath) === path;
  const dangers = [
    ...(place.place === "outside" ? ["outside of the workspace"] : []),
    ...(place.looksSecret ? ["it looks like a secret"] : []),
    ...("isText" in place && !place.isText ? ["what it holds now is not UTF-8 text and cannot be shown whole"] : []),
  ];
  return {
    about: shownPath(realPath, place.workspace),
    path: realPath,
    details: isDirect ? [] : [{ name: "reached through", value: path }],
    ...(dangers.length === 0 ? {} : { danger: dangers.join("; ") }),
  };
}
