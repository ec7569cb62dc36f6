// A question before the person: what it looks like at a width, and what each key does to it. Which wire it came over does
// not matter here; the answer is a value, and a cancel is one too.
import type { TUI } from "@earendil-works/pi-tui";
import type { Ask } from "../../contract/asks.js";
import type { DialogHead, DialogLook } from "../../screen/dialogs/dialog-rows.js";
import type { Frame } from "../../screen/frame.js";
import { ChoiceDialog } from "./choice-dialog.js";
import { confirmDialog } from "./confirm-dialog.js";
import { TextDialog } from "./text-dialog.js";

/** What came of a key: an answer, a cancel, or nothing yet. */
export type DialogOutcome =
  | { readonly type: "answered"; readonly value: unknown }
  | { readonly type: "cancelled" }
  | null;

export interface AskDialog {
  frame(widthCells: number): Frame;
  key(sequence: string): DialogOutcome;
}

export interface DialogParts {
  readonly look: DialogLook;
  /** What pi-tui's components are constructed with. */
  readonly tui: TUI;
  /** Words at the right of the title: how many wait, who asks. */
  readonly aside: () => string;
}

/** null for a kind of question this front end cannot ask. */
export function openAskDialog(ask: Ask, parts: DialogParts): AskDialog | null {
  const { question } = ask;
  switch (question.kind) {
    case "select": {
      const { title, options, opts } = question.params;
      const preset = Math.max(
        0,
        options.findIndex(({ value }) => value === opts?.default),
      );
      return new ChoiceDialog({
        head: headOf(title, ""),
        choices: options.map(({ label, description, value }) => ({ label, detail: description ?? "", value })),
        typing: "filter",
        cursor: preset,
        parts,
      });
    }
    case "confirm":
      return confirmDialog(question.params, parts);
    case "input": {
      const { title, placeholder, opts } = question.params;
      const preset = typeof opts?.default === "string" ? opts.default : "";
      return new TextDialog({
        head: headOf(title, ""),
        lines: "one",
        preset,
        hint: placeholder ?? "",
        secret: opts?.secret === true ? "yes" : "no",
        parts,
      });
    }
    case "editor": {
      const { title, prefill } = question.params;
      return new TextDialog({
        head: headOf(title, ""),
        lines: "many",
        preset: prefill ?? "",
        hint: "",
        secret: "no",
        parts,
      });
    }
    case "form":
    case "permission":
      return null;
  }
}

export function headOf(
  title: string,
  message: string,
  danger: DialogHead["danger"] = "normal",
): Omit<DialogHead, "aside"> {
  return { title, message, danger };
}
