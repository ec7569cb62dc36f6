// The dialog of an ask: its frame at a size, and what each key does. The answer is a value, and so is a cancel.
import type { TUI } from "@earendil-works/pi-tui";
import type { Ask } from "../../contract/asks.js";
import type { DialogParams } from "../../contract/dialogs.js";
import { type Conversation, confirmQuestion, permissionQuestion } from "../../session/approval-answers.js";
import type { KeyUse } from "../../session/typing-guard.js";
import type { Appearance } from "../painter/blocks/glyphs.js";
import type { DialogFrame } from "../painter/dialogs/dialog-frame.js";
import type { DialogKeys, DialogOutcome, DialogRequest, WholeText } from "../painter/dialogs/dialog-keys.js";
import type { FindFilesAt } from "../painter/dialogs/file-finder.js";
import type { RichRows } from "../painter/dialogs/rich-rows.js";
import { ApprovalDialog } from "./approval-dialog.js";
import { ChoiceDialog } from "./choice-dialog.js";
import { FilesDialog } from "./files-dialog.js";
import { FormDialog } from "./form-dialog.js";
import { EditorDialog, TextDialog } from "./text-dialog.js";

export type { DialogOutcome } from "../painter/dialogs/dialog-keys.js";

export interface AskDialog {
  /** Changes when something to be approved comes into sight. */
  readonly shows?: string;
  /** What this key would do; changes nothing. */
  use(sequence: string): KeyUse;
  /** At most `rowsMax` rows; what does not fit is windowed or cut, and says so. */
  frame(widthCells: number, rowsMax?: number): DialogFrame;
  key(sequence: string): DialogOutcome;
  /** The composer got a key: a moved selection no longer counts. */
  letGo?(): void;
  /** What the outcome "whole" opens; null when everything is shown. */
  whole?(): WholeText | null;
  replaceText?(text: string): void;
}

export interface DialogParts {
  readonly look: Appearance;
  /** Missing where no approval comes with a diff or with Markdown. */
  readonly rich?: RichRows | undefined;
  readonly tui: TUI;
  /** "user": a script of the user's own asks, and Enter alone takes the default that it set. Never for an agent's question. */
  readonly author?: "user";
  /** Which keys count now; all by default. */
  readonly keys?: () => DialogKeys;
  /** Where the agent works. */
  readonly folder?: string;
  /** Finds the files of a folder; missing where none can be listed. */
  readonly files?: FindFilesAt;
  /** Words beside the title: how many wait, who asks. */
  readonly aside: () => string;
  /** Requests that the view can fulfil, all by default; keys for others do nothing and are not named. */
  readonly fulfils?: readonly DialogRequest["type"][];
  /**
   * Whether "y" and "n" move the cursor to their answers, where nothing is approved and nothing is dangerous. Only without a
   * composer, which would get the letters.
   */
  readonly letters?: "lead";
  /** A conversation continues beside the question: a reason may be its next prompt, and Esc twice stops the agent. */
  readonly conversation?: Conversation;
}

export function openAskDialog(ask: Ask, parts: DialogParts): AskDialog {
  const { question } = ask;
  switch (question.kind) {
    case "select":
      return selectDialog(question.params, parts);
    case "confirm":
      return new ApprovalDialog(confirmQuestion(question.params, parts.conversation), parts);
    case "input":
      return inputDialog(question.params, parts);
    case "editor": {
      const { title, message, prefill, opts = {} } = question.params;
      const head = { title, message: message ?? "", danger: "normal" } as const;
      return new EditorDialog({ head, preset: prefill ?? "", rules: opts, parts });
    }
    case "form":
      return new FormDialog(question.params, parts);
    case "files":
      return new FilesDialog(question.params, parts);
    case "permission":
      return new ApprovalDialog(permissionQuestion(question.params, parts.conversation), parts);
  }
}

function selectDialog({ title, message, options, opts = {} }: DialogParams<"select">, parts: DialogParts): AskDialog {
  const presets: readonly unknown[] = Array.isArray(opts.default) ? opts.default : [opts.default];
  const chosen = options.flatMap(({ value }, index) => (presets.includes(value) ? [index] : []));
  return new ChoiceDialog({
    head: { title, message: message ?? "", danger: "normal" },
    choices: options.map(({ label, description, value }) => ({
      ...{ label, detail: description ?? "", value },
      // It leads to another question, such as "in my own words…".
      ...(label.endsWith("…") ? { stays: "always" as const } : {}),
    })),
    cursor: chosen[0] ?? 0,
    preset: chosen.length > 0 ? "asked" : "none",
    ...(opts.multiple === true ? { many: { ticked: chosen, min: opts.min, max: opts.max } } : {}),
    parts,
  });
}

function inputDialog({ title, message, placeholder, opts = {} }: DialogParams<"input">, parts: DialogParts): AskDialog {
  return new TextDialog({
    head: { title, message: message ?? "", danger: "normal" },
    preset: typeof opts.default === "string" ? opts.default : "",
    hint: placeholder ?? "",
    secret: opts.secret === true ? "yes" : "no",
    rules: opts,
    parts,
  });
}
