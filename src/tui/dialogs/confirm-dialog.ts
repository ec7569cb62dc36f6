// Yes or no, and where the agent allows it: always, or no with a reason. The cursor waits on "no": nobody approves by
// pressing Enter once too often.
import type { DialogParams } from "../../contract/dialogs.js";
import type { Frame } from "../../screen/frame.js";
import { type AskDialog, type DialogOutcome, type DialogParts, headOf } from "./ask-dialog.js";
import { ChoiceDialog, type ValuedChoice } from "./choice-dialog.js";
import { TextDialog } from "./text-dialog.js";

/** Chosen to say why; the dialog goes on with the reason. */
const WITH_REASON = Symbol("with a reason");

export function confirmDialog({ title, message, opts = {} }: DialogParams<"confirm">, parts: DialogParts): AskDialog {
  const details = opts.allow_remember === true || opts.allow_reason === true;
  const rule = opts.rule ?? opts.tool ?? "";
  const choices: ValuedChoice[] = [
    {
      label: opts.confirm_label ?? (opts.tool === undefined ? "yes" : "allow once"),
      detail: "",
      value: details ? { ok: true } : true,
    },
    ...(opts.allow_remember === true ? [{ label: "always", detail: rule, value: { ok: true, remember: true } }] : []),
    { label: opts.cancel_label ?? "no", detail: "", value: details ? { ok: false } : false },
    ...(opts.allow_reason === true ? [{ label: "no, and say why", detail: "", value: WITH_REASON }] : []),
  ];
  const danger = opts.danger_level === "danger" ? "danger" : "normal";
  const head = headOf(title, message ?? "", danger);
  const no = opts.allow_remember === true ? 2 : 1;
  return new ConfirmDialog(
    new ChoiceDialog({ head, choices, typing: "numbers", cursor: no, parts }),
    () =>
      new TextDialog({
        head: headOf(`${title}: why not?`, "", danger),
        lines: "one",
        preset: "",
        hint: "",
        secret: "no",
        parts,
      }),
  );
}

class ConfirmDialog implements AskDialog {
  private readonly choice: AskDialog;
  private readonly openReason: () => AskDialog;
  private reason: AskDialog | null = null;

  constructor(choice: AskDialog, openReason: () => AskDialog) {
    this.choice = choice;
    this.openReason = openReason;
  }

  frame(widthCells: number): Frame {
    return (this.reason ?? this.choice).frame(widthCells);
  }

  key(sequence: string): DialogOutcome {
    if (this.reason === null) return this.choose(this.choice.key(sequence));
    const outcome = this.reason.key(sequence);
    // Esc in the reason goes back to the choice; nothing was decided yet.
    if (outcome?.type === "cancelled") this.reason = null;
    return outcome?.type === "answered" ? { type: "answered", value: { ok: false, reason: outcome.value } } : null;
  }

  private choose(outcome: DialogOutcome): DialogOutcome {
    if (outcome?.type !== "answered" || outcome.value !== WITH_REASON) return outcome;
    this.reason = this.openReason();
    return null;
  }
}
