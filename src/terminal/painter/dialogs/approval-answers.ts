// The answers of an approval and what each sends, for dialogs and plain lines alike. The cursor never starts on an
// answer that allows.
import type { PermissionParams, PermissionResult } from "../../../contract/asks.js";
import { dialogOptionNames } from "../../../contract/dialog-options.js";
import type { DialogParams } from "../../../contract/dialogs.js";
import { changesDiff } from "../../../session/file-diff.js";
import { offersAlways } from "../../../session/permission/dangerous-ask.js";
import type { Approval, ApprovalDetail } from "./approval-body.js";
import type { Choice } from "./choices.js";

export type ApprovalAnswer = Choice & {
  readonly outcome: { readonly type: "answered"; readonly value: unknown } | { readonly type: "cancelled" } | null;
  readonly withReason?: (reason: string) => unknown;
};

export interface ApprovalQuestion {
  readonly approval: Approval;
  readonly answers: readonly ApprovalAnswer[];
  readonly refusal: number;
  readonly toolCallId: string | undefined;
}

const UNSAID_DANGER = "the agent calls this dangerous";
const WHY_LABEL = "no, and say why";

export function confirmQuestion({ title, message, opts = {} }: DialogParams<"confirm">): ApprovalQuestion {
  const danger = opts.danger ?? (opts.danger_level === "danger" ? UNSAID_DANGER : "");
  const { command = "", diff = "", path = "" } = opts;
  return {
    approval: {
      title,
      message: message ?? "",
      command,
      diff,
      path,
      danger,
      rule: offersAlways(opts) ? (opts.rule ?? "") : "",
      details: confirmDetails(opts),
      performedBy: opts.performed_by,
    },
    answers: confirmAnswers(opts),
    refusal: offersAlways(opts) ? 2 : 1,
    toolCallId: opts.tool_call_id,
  };
}

function confirmAnswers(opts: ConfirmOptions): ApprovalAnswer[] {
  const { allow_remember, allow_reason, confirm_label, cancel_label, rule, scope, tool } = opts;
  const details = allow_remember === true || allow_reason === true;
  const answer = (label: string, value: unknown, detail = ""): ApprovalAnswer => ({
    label,
    detail,
    outcome: { type: "answered", value },
  });
  const subject = rule ?? tool ?? "";
  const always = subject === "" ? "always" : `always allow ${subject}`;
  const withReason = (reason: string) => (reason === "" ? { ok: false } : { ok: false, reason });
  return [
    answer(confirm_label ?? (tool === undefined ? "yes" : "allow once"), details ? { ok: true } : true),
    ...(offersAlways(opts) ? [answer(always, { ok: true, remember: true }, scope ?? "")] : []),
    answer(cancel_label ?? "no", details ? { ok: false } : false),
    ...(allow_reason === true ? [{ label: WHY_LABEL, detail: "", outcome: null, withReason }] : []),
  ];
}

type ConfirmOptions = NonNullable<DialogParams<"confirm">["opts"]>;

// Unknown options of a tool's approval may change what runs, so they are shown by name.
function confirmDetails(opts: ConfirmOptions): ApprovalDetail[] {
  const isApproval = [opts.tool, opts.command, opts.diff].some((field) => field !== undefined);
  if (!isApproval && (opts.danger ?? "") === "") return opts.details ?? [];
  const unknown = Object.entries(opts).filter(([name, value]) => !dialogOptionNames.has(name) && value !== undefined);
  const words = (value: unknown) => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
  return [...(opts.details ?? []), ...unknown.map(([name, value]) => ({ name, value: words(value) }))];
}

/** The agent's own list; without a refusal, a "no" that cancels is added. */
export function permissionQuestion(params: PermissionParams): ApprovalQuestion {
  const { title, message = "", command = "", path = "", danger = "", toolCallId } = params;
  const choices = onceBeforeAlways(params.choices);
  const no = choices.find(({ choice }) => choice === "reject_once");
  const first = choices.findIndex(({ choice }) => choice.startsWith("reject"));
  const withReason = (reason: string): PermissionResult => ({
    choiceId: no?.id ?? "",
    ...(reason === "" ? {} : { reason }),
  });
  return {
    approval: {
      title,
      message,
      command,
      diff: params.diff ?? changesDiff(params.changes ?? []),
      path,
      danger,
      rule: params.rule ?? "",
      details: params.details ?? [],
      performedBy: params.performedBy,
    },
    answers: [
      ...choices.map((choice) => permissionAnswer(choice, params)),
      ...(first < 0 ? [{ label: "no", detail: "", outcome: { type: "cancelled" } } as const] : []),
      ...(params.allowReason === true && no !== undefined
        ? [{ label: WHY_LABEL, detail: "", outcome: null, withReason }]
        : []),
    ],
    refusal: first < 0 ? choices.length : first,
    toolCallId,
  };
}

type PermissionChoice = PermissionParams["choices"][number];

function permissionAnswer(
  { id, label, choice, description }: PermissionChoice,
  { rule = "", scope = "" }: PermissionParams,
): ApprovalAnswer {
  const isAlways = choice === "allow_always";
  const value: PermissionResult = { choiceId: id };
  return {
    // The rule is part of the label, which is never cut.
    label: isAlways && rule !== "" ? `${label}: ${rule}` : label,
    detail: description ?? (isAlways ? scope : ""),
    outcome: { type: "answered", value },
  };
}

// The agent's order, except that "reject once" comes before "reject always": the cursor takes the first.
function onceBeforeAlways(choices: readonly PermissionChoice[]): PermissionChoice[] {
  const always = choices.findIndex(({ choice }) => choice === "reject_always");
  const once = choices.findIndex(({ choice }) => choice === "reject_once");
  const order = [...choices];
  if (always < 0 || once < always) return order;
  const [moved] = order.splice(once, 1);
  if (moved !== undefined) order.splice(always, 0, moved);
  return order;
}
