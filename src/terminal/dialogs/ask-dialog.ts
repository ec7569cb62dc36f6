// A question before the person: what it looks like at a size, and what each key does to it. Which wire it came over does
// not matter here; the answer is a value, and a cancel is one too.
import type { TUI } from "@earendil-works/pi-tui";
import type { Ask } from "../../contract/asks.js";
import type { DialogParams } from "../../contract/dialogs.js";
import type { KeyUse } from "../../session/typing-guard.js";
import { confirmQuestion, permissionQuestion } from "../painter/dialogs/approval-answers.js";
import type { DialogKeys } from "../painter/dialogs/dialog-keys.js";
import type { DialogOutcome, DialogRequest, WholeText } from "../painter/dialogs/dialog-outcome.js";
import type { DialogLook } from "../painter/dialogs/dialog-rows.js";
import type { Frame } from "../painter/frame.js";
import { ApprovalDialog } from "./approval-dialog.js";
import { ChoiceDialog } from "./choice-dialog.js";
import { EditorDialog } from "./editor-dialog.js";
import { FormDialog } from "./form-dialog.js";
import { TextDialog } from "./text-dialog.js";

export type { DialogOutcome } from "../painter/dialogs/dialog-outcome.js";

export interface AskDialog {
  /** What this key means to it; asking changes nothing. */
  use(sequence: string): KeyUse;
  /** No more rows than `rowsMax`, which is half of a small window unless told; what does not fit is windowed or cut with words. */
  frame(widthCells: number, rowsMax?: number): Frame;
  key(sequence: string): DialogOutcome;
  /** The composer got a key, and the selection that was moved before does not count any more. */
  letGo?(): void;
  /** What to show for the outcome "whole"; null when the dialog shows everything itself. */
  whole?(): WholeText | null;
  /** What came back for the outcome "external-editor". */
  replaceText?(text: string): void;
}

export interface DialogParts {
  readonly look: DialogLook;
  /** What pi-tui's components are constructed with. */
  readonly tui: TUI;
  /** Which of its keys count now; all of them unless told. */
  readonly keys?: () => DialogKeys;
  /** Words at the right of the title: how many wait, who asks. */
  readonly aside: () => string;
  /** Which wishes whoever shows the dialog can fulfil, all unless told; keys for the others do nothing and are not named. */
  readonly fulfils?: readonly DialogRequest["type"][];
  /**
   * Whether "y" and "n" lead the cursor of a plain yes-or-no question to their answers, for Enter to take. Only where there
   * is no composer: beside one a letter is typed for it.
   */
  readonly letters?: "lead";
  /** The preview of a tool call that the transcript has shown, so that the dialog need not show it again but can open it. */
  readonly previewOf?: (toolCallId: string) => { readonly diff: string; readonly path: string | null } | null;
}

export function openAskDialog(ask: Ask, parts: DialogParts): AskDialog {
  const { question } = ask;
  switch (question.kind) {
    case "select":
      return selectDialog(question.params, parts);
    case "confirm":
      return new ApprovalDialog(confirmQuestion(question.params), parts);
    case "input":
      return inputDialog(question.params, parts);
    case "editor": {
      const { title, message, prefill, opts = {} } = question.params;
      const head = { title, message: message ?? "", danger: "normal" } as const;
      return new EditorDialog({ head, preset: prefill ?? "", rules: opts, parts });
    }
    case "form":
      return new FormDialog(question.params, parts);
    case "permission":
      return new ApprovalDialog(permissionQuestion(question.params), parts);
  }
}

function selectDialog({ title, message, options, opts = {} }: DialogParams<"select">, parts: DialogParts): AskDialog {
  const presets: readonly unknown[] = Array.isArray(opts.default) ? opts.default : [opts.default];
  const chosen = options.flatMap(({ value }, index) => (presets.includes(value) ? [index] : []));
  return new ChoiceDialog({
    head: { title, message: message ?? "", danger: "normal" },
    choices: options.map(({ label, description, value }) => ({ label, detail: description ?? "", value })),
    cursor: chosen[0] ?? 0,
    preset: chosen.length > 0 ? "asked" : "none",
    ...(opts.multi === true ? { many: { ticked: chosen, min: opts.min, max: opts.max } } : {}),
    parts,
  });
}

function inputDialog({ title, message, placeholder, opts = {} }: DialogParams<"input">, parts: DialogParts): AskDialog {
  const isSecret = opts.secret === true;
  return new TextDialog({
    head: { title, message: message ?? "", danger: "normal" },
    preset: typeof opts.default === "string" ? opts.default : "",
    hint: placeholder ?? "",
    secret: isSecret ? "yes" : "no",
    rules: opts,
    parts,
  });
}
