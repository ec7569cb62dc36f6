// Files that the agent reads and writes through us. Reading is free: the agent has the person's own rights anyway. Writing
// has a gate: what the person did not allow in this turn is asked about first, with what would change, and never leaves
// the workspace unasked. Where a path really leads is looked up before anybody is asked.
import { type AcpRequestParams, acpErrorCodes } from "../../contract/acp.js";
import { wireErrorCodes } from "../../contract/errors.js";
import type { EffectResult } from "../dialect.js";
import type { FilePlace, FileText } from "./acp-effect.js";
import type { AcpContext } from "./context.js";
import { gateQuestion, spanOf } from "./gate.js";
import { absolutePath, shownPath } from "./paths.js";
import type { AgentRequest } from "./peer.js";
import type { Session } from "./session.js";

export function readFile(
  { hands, facts }: AcpContext,
  request: AgentRequest,
  params: AcpRequestParams<"fs/read_text_file">,
  session: Session,
): void {
  const path = absolutePath(params.path, session.cwd);
  const { line = null, limit = null } = params;
  hands.perform({ type: "file.read", path, line, limit }, (result) => {
    if (result.ok) request.answer({ content: (result.value as FileText).text });
    else if (result.code !== "ENOENT") request.refuse(wireErrorCodes.internal, result.message);
    else if (facts.habits.missingFile === "reads-empty") request.answer({ content: "" });
    else request.refuse(acpErrorCodes.notFound, `Resource not found: ${path}`);
  });
}

type Write = {
  readonly request: AgentRequest;
  readonly session: Session;
  readonly path: string;
  readonly content: string;
};

export function writeFile(
  context: AcpContext,
  request: AgentRequest,
  params: AcpRequestParams<"fs/write_text_file">,
  session: Session,
): void {
  const path = absolutePath(params.path, session.cwd);
  const write: Write = { request, session, path, content: params.content };
  context.hands.perform({ type: "file.inspect", path, workspace: session.cwd }, (result) => {
    if (!request.isOpen) return;
    if (!result.ok) request.refuse(wireErrorCodes.internal, result.message);
    else decide(context, write, result.value as FilePlace);
  });
}

function decide(context: AcpContext, write: Write, place: FilePlace): void {
  const { request, session, path } = write;
  if (session.turn === "stopping") request.refuse(acpErrorCodes.cancelled, "the turn was stopped");
  else if (session.allowances.mayWrite({ path, content: write.content, ...place })) carryOut(context, write, place);
  else askFirst(context, write, place);
}

function askFirst(context: AcpContext, write: Write, place: FilePlace): void {
  const { asks, facts } = context;
  const { request, session, path, content } = write;
  const shown = shownPath(place.realPath, session.cwd);
  const outside = {
    danger: `outside of the workspace${place.realPath === path ? "" : `: the path leads to ${place.realPath}`}`,
  };
  const question = gateQuestion({
    title: `edit ${shown}`,
    tool: "edit",
    message: `${facts.name} wants to write this file and did not ask before.`,
    path: place.realPath,
    changes: [{ path: place.realPath, oldText: place.oldText, newText: content }],
    ...(place.place === "inside" ? { always: "every write inside of the workspace" } : outside),
  });
  const askId = asks.raise({ sessionId: session.id, origin: { kind: "agent" }, question }, (answer) => {
    const span = spanOf(answer);
    if (span === "always") session.allowances.allowAlways("writes");
    if (span === "never") request.refuse(wireErrorCodes.internal, `the person did not allow writing ${path}`);
    else if (request.isOpen) carryOut(context, write, place);
  });
  request.whenTakenBack(() => asks.takenBack(askId));
}

function carryOut({ hands }: AcpContext, { request, path, content }: Write, place: FilePlace): void {
  const done = (result: EffectResult) => {
    if (result.ok) request.answer({});
    else request.refuse(wireErrorCodes.internal, result.message);
  };
  const { realPath, oldText } = place;
  hands.perform({ type: "file.write", path, realPath, content, oldText }, done);
}
