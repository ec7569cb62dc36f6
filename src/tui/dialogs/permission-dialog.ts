// A permission with the agent's own list of answers. Whatever that list is, the cursor begins on a refusal, and where the
// agent offers none there is a "no" that cancels.
import type { PermissionParams, PermissionResult } from "../../contract/asks.js";
import { changesDiff } from "../../screen/blocks/changes-diff.js";
import { type ApprovalAnswer, ApprovalDialog } from "./approval-dialog.js";
import type { AskDialog, DialogParts } from "./ask-dialog.js";
import { previewed } from "./confirm-dialog.js";

const NO: ApprovalAnswer = { label: "no", detail: "", outcome: { type: "cancelled" } };

export function permissionDialog(params: PermissionParams, parts: DialogParts): AskDialog {
  const { title, message = "", command = "", path = "", danger = "", toolCallId } = params;
  const answers = permissionAnswers(params);
  return new ApprovalDialog({
    approval: { title, message, command, diff: params.diff ?? changesDiff(params.changes ?? []), path, danger },
    danger: danger === "" ? "normal" : "danger",
    answers,
    cursor: answers.findIndex(({ isRefusal }) => isRefusal),
    shownAbove: previewed(title, toolCallId, parts),
    parts,
  });
}

function permissionAnswers(params: PermissionParams): (ApprovalAnswer & { readonly isRefusal: boolean })[] {
  const { choices, rule = "", scope = "", allowReason } = params;
  const own = choices.map(({ id, label, choice, description }) => {
    const isAlways = choice === "allow_always";
    // What is allowed for good belongs to the answer itself, which is never cut.
    const name = isAlways && rule !== "" ? `${label}: ${rule}` : label;
    const detail = description ?? (isAlways ? scope : "");
    const value: PermissionResult = { choiceId: id };
    const isRefusal = choice === "reject_once" || choice === "reject_always";
    return { label: name, detail, outcome: { type: "answered" as const, value }, isRefusal };
  });
  const refusal = choices.find(({ choice }) => choice === "reject_once");
  const withReason = (reason: string): PermissionResult =>
    reason === "" ? { choiceId: refusal?.id ?? "" } : { choiceId: refusal?.id ?? "", reason };
  return [
    ...preferringOnce(own, choices),
    ...(own.some(({ isRefusal }) => isRefusal) ? [] : [{ ...NO, isRefusal: true }]),
    ...(allowReason === true && refusal !== undefined
      ? [{ label: "no, and say why", detail: "", outcome: null, withReason, isRefusal: false }]
      : []),
  ];
}

// The order is the agent's, except that a refusal for good never stands before one for this time: the cursor takes the first.
function preferringOnce<Answer>(answers: readonly Answer[], choices: PermissionParams["choices"]): Answer[] {
  const always = choices.findIndex(({ choice }) => choice === "reject_always");
  const once = choices.findIndex(({ choice }) => choice === "reject_once");
  if (always < 0 || once < 0 || once < always) return [...answers];
  const order = [...answers];
  const [moved] = order.splice(once, 1);
  if (moved !== undefined) order.splice(always, 0, moved);
  return order;
}
