// The answers of an approval and what each sends, for dialogs and plain lines alike. Each letter means the same in every
// approval: y once, a always, n no, r no with a reason; an answer that is missing leaves its letter unused. The cursor
// never starts on an answer that allows.
import type { PermissionParams, PermissionResult } from "../contract/asks.js";
import { dialogOptionNames } from "../contract/dialog-option-names.js";
import type { DialogParams } from "../contract/dialogs.js";
import { type Approval, type ApprovalDetail, withoutCommand } from "./approval.js";
import { offersAlways } from "./ask-facts.js";
import { changesDiff } from "./file-diff.js";

export type ApprovalAnswer = {
  readonly key: "y" | "a" | "n" | "r" | "";
  readonly label: string;
  readonly detail: string;
  /** Whether it lets the agent do it. */
  readonly effect: "allows" | "refuses";
  readonly outcome: { readonly type: "answered"; readonly value: unknown } | { readonly type: "cancelled" } | null;
  readonly withReason?: (reason: string) => unknown;
  /** Who gets the reason: the agent with its "no", or the agent later, with the next prompt. */
  readonly reason?: "by the agent" | "as next prompt";
};

export interface ApprovalQuestion {
  readonly approval: Approval;
  readonly answers: readonly ApprovalAnswer[];
  readonly refusal: number;
  /** Whether a yes has an effect, or only answers. */
  readonly subject: "effect" | "answer";
}

const UNSAID_DANGER = "the agent calls this dangerous";

/** Where a conversation continues beside the question, a reason that the agent cannot take is the next prompt. */
export type Conversation = "running" | undefined;

function reasonAnswer(
  taken: "by the agent" | "as next prompt",
  withReason: (reason: string) => unknown,
): ApprovalAnswer {
  return {
    key: "r",
    label: "no, with a reason",
    detail: "",
    effect: "refuses",
    outcome: null,
    withReason,
    reason: taken,
  };
}

export function confirmQuestion(
  { title, message, opts = {} }: DialogParams<"confirm">,
  conversation?: Conversation,
): ApprovalQuestion {
  const danger = opts.danger ?? (opts.danger_level === "danger" ? UNSAID_DANGER : "");
  const { command = "", diff = "", path = "" } = opts;
  return {
    approval: {
      title: withoutCommand(title, command),
      message: message ?? "",
      command,
      diff,
      path,
      danger,
      rule: offersAlways(opts) ? (opts.rule ?? "") : "",
      details: confirmDetails(opts),
      performedBy: opts.performed_by,
    },
    ...withRefusal(confirmAnswers(opts, conversation)),
    subject: isApproved(opts) ? "effect" : "answer",
  };
}

function withRefusal(answers: readonly ApprovalAnswer[]): Pick<ApprovalQuestion, "answers" | "refusal"> {
  return { answers, refusal: answers.findIndex(({ key }) => key === "n") };
}

function confirmAnswers(opts: ConfirmOptions, conversation: Conversation): ApprovalAnswer[] {
  const { allow_remember, allow_reason, confirm_label, cancel_label, rule, scope, tool } = opts;
  const details = allow_remember === true || allow_reason === true;
  const answer = (key: ApprovalAnswer["key"], label: string, value: unknown, detail = ""): ApprovalAnswer => ({
    ...{ key, label, detail },
    effect: key === "n" ? "refuses" : "allows",
    outcome: { type: "answered", value },
  });
  const subject = rule ?? tool ?? "";
  const always = subject === "" ? "always" : `always allow ${subject}`;
  const withReason = (reason: string) => (reason === "" ? { ok: false } : { ok: false, reason });
  const queued = (reason: string) => (reason === "" && !details ? false : withReason(reason));
  const isQueued = conversation === "running" && isApproved(opts);
  return [
    answer("y", confirm_label ?? (tool === undefined ? "yes" : "allow once"), details ? { ok: true } : true),
    ...(offersAlways(opts) ? [answer("a", always, { ok: true, remember: true }, scope ?? "")] : []),
    answer("n", cancel_label ?? "no", details ? { ok: false } : false),
    ...(allow_reason === true
      ? [reasonAnswer("by the agent", withReason)]
      : isQueued
        ? [reasonAnswer("as next prompt", queued)]
        : []),
  ];
}

function isApproved(opts: ConfirmOptions): boolean {
  return [opts.tool, opts.command, opts.diff].some((field) => field !== undefined);
}

type ConfirmOptions = NonNullable<DialogParams<"confirm">["opts"]>;

// Unknown options of a tool's approval may change what runs, so they are shown by name.
function confirmDetails(opts: ConfirmOptions): ApprovalDetail[] {
  if (!isApproved(opts) && (opts.danger ?? "") === "") return opts.details ?? [];
  const unknown = Object.entries(opts).filter(([name, value]) => !dialogOptionNames.has(name) && value !== undefined);
  const words = (value: unknown) => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
  return [...(opts.details ?? []), ...unknown.map(([name, value]) => ({ name, value: words(value) }))];
}

/** The agent's own list in our order; without a refusal, a "no" that cancels is added. */
export function permissionQuestion(params: PermissionParams, conversation?: Conversation): ApprovalQuestion {
  const { title, message = "", command = "", path = "", danger = "" } = params;
  return {
    approval: {
      title: withoutCommand(title, command),
      message,
      command,
      diff: params.diff ?? changesDiff(params.changes ?? []),
      path,
      danger,
      rule: params.rule ?? "",
      details: params.details ?? [],
      performedBy: params.performedBy,
      messageIs: params.markdown === true ? "markdown" : "text",
    },
    ...withRefusal(permissionAnswers(params, conversation)),
    subject: "effect",
  };
}

function permissionAnswers(params: PermissionParams, conversation: Conversation): ApprovalAnswer[] {
  const ofKind = (kind: PermissionChoice["choice"], letter: ApprovalAnswer["key"]) =>
    params.choices
      .filter(({ choice }) => choice === kind)
      .map((choice, at) => permissionAnswer(choice, params, at === 0 ? letter : ""));
  const no = params.choices.find(({ choice }) => choice === "reject_once");
  const reason = (words: string): PermissionResult => ({
    choiceId: no?.id ?? "",
    ...(words === "" ? {} : { reason: words }),
  });
  const isTaken = params.allowReason === true;
  const takesReason = no !== undefined && (isTaken || conversation === "running");
  return [
    ...ofKind("allow_once", "y"),
    ...ofKind("allow_always", "a"),
    ...ofKind("reject_once", "n"),
    ...(no === undefined
      ? [{ key: "n", label: "no", detail: "", effect: "refuses", outcome: { type: "cancelled" } } as const]
      : []),
    ...(takesReason ? [reasonAnswer(isTaken ? "by the agent" : "as next prompt", reason)] : []),
    ...ofKind("reject_always", ""),
  ];
}

type PermissionChoice = PermissionParams["choices"][number];

function permissionAnswer(
  { id, label, choice, description }: PermissionChoice,
  { rule = "", scope = "" }: PermissionParams,
  key: ApprovalAnswer["key"],
): ApprovalAnswer {
  const isAlways = choice === "allow_always";
  const value: PermissionResult = { choiceId: id };
  return {
    key,
    // The rule is part of the label, which is never cut.
    label: isAlways && rule !== "" ? `${label}: ${rule}` : label,
    detail: description ?? (isAlways ? scope : ""),
    effect: choice === "allow_once" || isAlways ? "allows" : "refuses",
    outcome: { type: "answered", value },
  };
}
