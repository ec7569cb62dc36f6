// Stands between a planned tool call and its run: the policy decides, and where it wants the user asked, the user sees
// what would happen before the question comes. Everything is flushed before the question, so that no dialog opens over a
// preview that is still on its way.
//
//   plan → policy → allow → rehearse ─────────────────────────────────────────→ run
//                 → ask   → rehearse → preview → ready → (flushed) → confirm → yes → run
//                                                                            → no  → the turn ends
//                                                                            → no, because … → the model hears it
//                 → deny  → the model hears why
//
// Policy comes before any look at the file. A rehearsal that fails tells the model why at once only where it may read the
// file; elsewhere the user is asked first, as about a call that works, so that neither the words nor a question that
// comes or stays away tell what is in the file.
import { type PermissionRequest as Question, type UI, UiError } from "../../sdk/exports.js";
import type { PermissionRequest } from "../../session/permission/request.js";
import { outsideApproval } from "../../session/sandbox/outside-approval.js";
import type { Sandbox } from "../../system/sandbox/sandbox.js";
import type { ToolCallBlock } from "../session/history.js";
import { type FailedInSandbox, type LeaveAnswer, ToolError, type ToolPlan } from "../tool.js";
import type { SessionPermissions } from "./session-permissions.js";

export type GatePorts = {
  readonly ui: Pick<UI, "hasUI" | "permission">;
  readonly policy: Pick<SessionPermissions, "decide" | "readDecision" | "suggest" | "remember">;
};

export type PlannedCall = { readonly call: ToolCallBlock; readonly plan: ToolPlan };

/** A planned call, and the dry run that completes its plan or rejects with a ToolError. */
export type RehearsedCall = PlannedCall & { rehearse(): Promise<ToolPlan> };

export type Verdict =
  /** `plan` is what may run. "silent": the model may not read the file, and hears only whether it worked. */
  | { readonly type: "allowed"; readonly plan: ToolPlan; readonly answer: "whole" | "silent" }
  /** `next` says whether the model is told and continues, or the turn is over. */
  | { readonly type: "denied"; readonly words: string; readonly next: "go on" | "end turn" };

export async function admit(call: RehearsedCall, ports: GatePorts): Promise<Verdict> {
  const request = requestOf(call);
  const { decision, because } = ports.policy.decide(request);
  if (decision === "deny") return denied(`Not allowed: ${because}.`, "go on");
  if (decision === "ask" && !ports.ui.hasUI) {
    return denied(`Not allowed: ${because}, and no one can be asked.`, "go on");
  }
  const mayKnow = request.access !== "write" || ports.policy.readDecision(request) === "allow";
  const plan = await rehearsed(call);
  if (typeof plan !== "string") {
    if (decision === "allow") return { type: "allowed", plan, answer: mayKnow ? "whole" : "silent" };
    return asked({ call: call.call, plan }, request, ports);
  }
  if (mayKnow) return denied(plan, "go on");
  if (decision === "allow") return denied(notWritten(request), "go on");
  const verdict = await asked({ call: call.call, plan: impossible(call.plan, plan) }, request, ports);
  return verdict.type === "allowed" ? denied(plan, "go on") : verdict;
}

/** All that a model hears when a file that it may not read could not be written. */
export function notWritten({ subject }: Pick<PermissionRequest, "subject">): string {
  return `${subject} was not written.`;
}

/** The completed plan, or in words why it cannot be done. */
async function rehearsed(call: RehearsedCall): Promise<ToolPlan | string> {
  try {
    return await call.rehearse();
  } catch (error) {
    if (error instanceof ToolError) return error.message;
    throw error;
  }
}

function impossible(plan: ToolPlan, why: string): ToolPlan {
  const summary = `Nothing would change. If you allow it, the agent is told why: ${why}`;
  return { ...plan, preview: { ...plan.preview, summary } };
}

async function asked({ call, plan }: PlannedCall, request: PermissionRequest, ports: GatePorts): Promise<Verdict> {
  const { policy } = ports;
  const rule = policy.suggest(request);
  try {
    const { ok, remember, reason } = await ports.ui.permission(questionOf({ call, plan }, rule));
    if (ok && remember && rule !== null) await policy.remember(rule);
    if (ok) return { type: "allowed", plan, answer: "whole" };
    if (reason === "") return denied("Denied by the user.", "end turn");
    return denied(`Denied by the user: ${reason}`, "go on");
  } catch (error) {
    if (!(error instanceof UiError)) throw error;
    return denied(`Not allowed: the user was asked, but ${error.message}.`, "end turn");
  }
}

export function requestOf({ call, plan }: PlannedCall): PermissionRequest {
  const { access, subject, reach, danger, reveals } = plan;
  return { tool: call.name, access, subject, reach, danger, ...(reveals === true ? { reveals } : {}) };
}

const TITLE_SUBJECT_CHARS_MAX = 60;

function titleOf(call: ToolCallBlock, { subject }: ToolPlan): string {
  const [line = "", ...more] = subject.split("\n");
  const cut = more.length > 0 || line.length > TITLE_SUBJECT_CHARS_MAX;
  return `${call.name} ${line.slice(0, TITLE_SUBJECT_CHARS_MAX)}${cut ? "…" : ""}`;
}

function messageOf({ danger, access, subject, preview }: ToolPlan): string {
  return [danger, access === "execute" ? subject : preview.summary].filter(Boolean).join("\n");
}

// The title names the call; what is approved goes along whole, so that the front end can show all of it.
function questionOf({ call, plan }: PlannedCall, rule: string | null): Question {
  const { danger, access, subject, preview } = plan;
  return {
    ...preview,
    tool: call.name,
    toolCallId: call.id,
    arguments: call.arguments,
    title: titleOf(call, plan),
    message: messageOf(plan),
    remember: rule !== null,
    ...(rule === null ? {} : { rule, scope: "this project" }),
    ...(danger === null ? {} : { danger }),
    ...(access === "execute" ? { command: subject } : {}),
  };
}

function denied(words: string, next: "go on" | "end turn"): Verdict {
  return { type: "denied", words, next };
}

export type SessionSandbox = {
  readonly box: Sandbox;
  /** "asked" only where a user can answer: a run without one must not end at a question that it can do without. */
  readonly exit: "asked" | "closed";
};

export type ExitPorts = Pick<GatePorts, "ui"> & { readonly sandbox?: SessionSandbox | undefined };

/** The way out of the sandbox for one command: a question of its own, answered for this command and never remembered. */
export async function askToLeave(
  { command, because }: FailedInSandbox,
  callId: string,
  { ui, sandbox }: ExitPorts,
): Promise<LeaveAnswer> {
  if (sandbox?.exit !== "asked" || !ui.hasUI) return { type: "unasked" };
  try {
    const { ok, reason } = await ui.permission({ ...outsideApproval(command, because), toolCallId: callId });
    return ok ? { type: "allowed" } : { type: "denied", words: reason };
  } catch (error) {
    if (!(error instanceof UiError)) throw error;
    return { type: "denied", words: "" };
  }
}
