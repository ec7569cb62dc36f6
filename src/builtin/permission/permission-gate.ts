// Stands between a planned tool call and its run: the policy decides, and where it wants the person asked, the person sees
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
// file; elsewhere the person is asked first, as about a call that works, so that neither the words nor a question that
// comes or stays away tell what is in the file.
import type { AgentEvent, PermissionPreview } from "../../contract/agent-events.js";
import type { DialogParams, DialogResult } from "../../contract/dialogs.js";
import { UiError } from "../../sdk/ui-error.js";
import type { PermissionDecision, PermissionRequest, PermissionVerdict } from "../../session/permission/request.js";
import type { Questions } from "../questions.js";
import type { ToolCallBlock } from "../session/history.js";
import { type ReadSubject, ToolError, type ToolPlan } from "../tool.js";
import { legacyPreflight } from "./legacy-preflight.js";

/** The policy of one session, with what its person chose to remember. */
export interface PermissionDesk {
  decide(request: PermissionRequest): PermissionVerdict;
  /** What it says to reading one file, whichever tool wants to. */
  readDecision(file: ReadSubject): PermissionDecision;
  /** The rule that "always" would add; null when there should be none. */
  suggest(request: PermissionRequest): string | null;
  remember(rule: string): Promise<void>;
}

export type GatePorts = {
  /** Resolves when the front end has kept up. */
  emit(event: AgentEvent): Promise<void>;
  readonly questions: Questions;
  readonly policy: PermissionDesk;
  /** Whether the front end understands permission events; the old texts are sent otherwise. */
  readonly preflight: "events" | "texts";
};

export type PlannedCall = { readonly call: ToolCallBlock; readonly plan: ToolPlan };

/** A planned call, and the dry run that completes its plan or rejects with a ToolError. */
export type RehearsedCall = PlannedCall & { rehearse(): Promise<ToolPlan> };

export type Verdict =
  /** `plan` is what may run. "silent": the model may not read the file, and hears only whether it worked. */
  | { readonly type: "allowed"; readonly plan: ToolPlan; readonly answer: "whole" | "silent" }
  /** `next` says whether the model hears of it and goes on, or the turn is over. */
  | { readonly type: "denied"; readonly words: string; readonly next: "go on" | "end turn" };

export async function admit(call: RehearsedCall, ports: GatePorts, signal: AbortSignal): Promise<Verdict> {
  const request = requestOf(call);
  const { decision, because } = ports.policy.decide(request);
  if (decision === "deny") return denied(`Not allowed: ${because}.`, "go on");
  if (decision === "ask" && !ports.questions.hasUI) {
    return denied(`Not allowed: ${because}, and nobody is there to be asked.`, "go on");
  }
  const mayKnow = request.access !== "write" || ports.policy.readDecision(request) === "allow";
  const plan = await rehearsed(call);
  if (typeof plan !== "string") {
    if (decision === "allow") return { type: "allowed", plan, answer: mayKnow ? "whole" : "silent" };
    return asked({ call: call.call, plan }, request, ports, signal);
  }
  if (mayKnow) return denied(plan, "go on");
  if (decision === "allow") return denied(notWritten(request), "go on");
  const verdict = await asked({ call: call.call, plan: impossible(call.plan, plan) }, request, ports, signal);
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

async function asked(
  planned: PlannedCall,
  request: PermissionRequest,
  ports: GatePorts,
  signal: AbortSignal,
): Promise<Verdict> {
  await preflight(planned, ports);
  const rule = ports.policy.suggest(request);
  try {
    const answer = await ports.questions.ask("confirm", confirmation(planned, rule), { signal });
    return await judged(answer, rule, planned.plan, ports.policy);
  } catch (error) {
    if (!(error instanceof UiError)) throw error;
    return denied(`Not allowed: the person was asked, but ${error.message}.`, "end turn");
  }
}

export function requestOf({ call, plan }: PlannedCall): PermissionRequest {
  const { access, subject, reach, danger, reveals } = plan;
  return { tool: call.name, access, subject, reach, danger, ...(reveals === true ? { reveals } : {}) };
}

async function preflight({ call, plan }: PlannedCall, { emit, preflight: style }: GatePorts): Promise<void> {
  const preview = previewOf(call, plan);
  const events: AgentEvent[] =
    style === "texts"
      ? legacyPreflight(call, preview)
      : [
          { type: "permission.preview", data: [preview] },
          { type: "permission.ready", data: [{ tool: call.name, tool_call_id: call.id }] },
        ];
  for (const event of events) await emit(event);
}

function previewOf(call: ToolCallBlock, { preview }: ToolPlan): PermissionPreview {
  return {
    tool: call.name,
    tool_call_id: call.id,
    ...(preview.filePath === undefined ? {} : { file_path: preview.filePath }),
    ...(preview.language === undefined ? {} : { language: preview.language }),
    ...(preview.diff === undefined ? {} : { diff: preview.diff }),
    ...(preview.summary === undefined ? {} : { summary: preview.summary }),
    ...(preview.truncated === undefined ? {} : { truncated: preview.truncated }),
  };
}

const TITLE_SUBJECT_CHARS_MAX = 60;

// The title names the call; what is approved goes along whole, so that the front end can show all of it.
function confirmation({ call, plan }: PlannedCall, rule: string | null): DialogParams<"confirm"> {
  const [line = "", ...more] = plan.subject.split("\n");
  const cut = more.length > 0 || line.length > TITLE_SUBJECT_CHARS_MAX;
  return {
    title: `${call.name} ${line.slice(0, TITLE_SUBJECT_CHARS_MAX)}${cut ? "…" : ""}`,
    message: [plan.danger, plan.access === "execute" ? plan.subject : plan.preview.summary].filter(Boolean).join("\n"),
    opts: {
      tool: call.name,
      tool_call_id: call.id,
      allow_remember: rule !== null,
      allow_reason: true,
      danger_level: plan.danger === null ? "normal" : "danger",
      ...(rule === null ? {} : { rule, scope: "this project" }),
      ...(plan.danger === null ? {} : { danger: plan.danger }),
      ...(plan.access === "execute" ? { command: plan.subject } : {}),
      ...(plan.preview.diff === undefined ? {} : { diff: plan.preview.diff }),
      ...(plan.preview.filePath === undefined ? {} : { path: plan.preview.filePath }),
    },
  };
}

async function judged(
  answer: DialogResult<"confirm">,
  rule: string | null,
  plan: ToolPlan,
  policy: PermissionDesk,
): Promise<Verdict> {
  const {
    ok,
    remember = false,
    reason = null,
  } = typeof answer === "object" && answer !== null ? answer : { ok: answer };
  if (ok === true) {
    if (remember && rule !== null) await policy.remember(rule);
    return { type: "allowed", plan, answer: "whole" };
  }
  const why = reason?.trim() ?? "";
  if (why === "") return denied("The person did not allow this.", "end turn");
  return denied(`The person did not allow this and said: ${why}`, "go on");
}

function denied(words: string, next: "go on" | "end turn"): Verdict {
  return { type: "denied", words, next };
}
