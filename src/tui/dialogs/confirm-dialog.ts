// Yes or no, and where the agent allows it: always, or no with a reason. An approval of a tool call says "allow" instead of
// "yes", and shows the rule that "always" would add.
import type { DialogParams } from "../../contract/dialogs.js";
import type { WholeText } from "../../screen/dialogs/dialog-outcome.js";
import { type ApprovalAnswer, ApprovalDialog } from "./approval-dialog.js";
import type { AskDialog, DialogParts } from "./ask-dialog.js";

type ConfirmOptions = NonNullable<DialogParams<"confirm">["opts"]>;

/** When the agent says that something is dangerous, and not what. */
export const UNSAID_DANGER = "the agent calls this dangerous";

export function confirmDialog({ title, message, opts = {} }: DialogParams<"confirm">, parts: DialogParts): AskDialog {
  const isDangerous = opts.danger_level === "danger" || opts.danger !== undefined;
  const answers = answersOf(opts);
  return new ApprovalDialog({
    approval: {
      title,
      message: message ?? "",
      command: opts.command ?? "",
      diff: opts.diff ?? "",
      path: opts.path ?? "",
      danger: isDangerous ? (opts.danger ?? UNSAID_DANGER) : "",
    },
    danger: isDangerous ? "danger" : "normal",
    answers,
    cursor: opts.allow_remember === true ? 2 : 1,
    shownAbove: previewed(title, opts.tool_call_id, parts),
    parts,
  });
}

function answersOf(opts: ConfirmOptions): ApprovalAnswer[] {
  const { allow_remember, allow_reason, confirm_label, cancel_label, rule, scope, tool } = opts;
  const details = allow_remember === true || allow_reason === true;
  const answer = (label: string, value: unknown, detail = ""): ApprovalAnswer => ({
    label,
    detail,
    outcome: { type: "answered", value },
  });
  const always = answer(alwaysLabel(rule ?? tool), { ok: true, remember: true }, scope ?? "");
  const withReason = (reason: string) => (reason === "" ? { ok: false } : { ok: false, reason });
  return [
    answer(confirm_label ?? (tool === undefined ? "yes" : "allow once"), details ? { ok: true } : true),
    ...(allow_remember === true ? [always] : []),
    answer(cancel_label ?? "no", details ? { ok: false } : false),
    ...(allow_reason === true ? [{ ...answer("no, and say why", null), withReason }] : []),
  ];
}

/** "always allow edit in src/**", or only "always" when nobody says what. */
export function alwaysLabel(rule: string | undefined): string {
  return rule === undefined || rule === "" ? "always" : `always allow ${rule}`;
}

/** The preview of the tool call, when the transcript has it. */
export function previewed(title: string, toolCallId: string | undefined, parts: DialogParts): WholeText | null {
  const preview = toolCallId === undefined ? null : (parts.previewOf?.(toolCallId) ?? null);
  if (preview === null) return null;
  return { title, source: preview.diff, kind: "diff", ...(preview.path === null ? {} : { path: preview.path }) };
}
