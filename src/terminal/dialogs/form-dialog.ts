// Several fields at once. Tab and Shift+Tab move, Enter moves on and sends from the last field, Ctrl+S and Ctrl+Enter
// send from anywhere. A problem stands under its field, and the first such field gets the focus.
import type { DialogParams } from "../../contract/dialogs.js";
import type { KeyUse } from "../../session/typing-guard.js";
import { DIALOG_ROWS_DEFAULT, type DialogFrame, dialogFrame } from "../painter/dialogs/dialog-frame.js";
import {
  ALL_KEYS,
  enterProblem,
  enterUse,
  messageWhole,
  textHints,
  type WholeText,
} from "../painter/dialogs/dialog-keys.js";
import { formRows } from "../painter/dialogs/form-rows.js";
import type { AskDialog, DialogOutcome, DialogParts } from "./ask-dialog.js";
import { type FieldView, fieldView } from "./form-fields.js";
import { isCancel, keyName } from "./key-names.js";
import { useOfField } from "./text-dialog.js";

/** More than the fields of any form have. */
const FORM_ROWS_MAX = 10_000;

export class FormDialog implements AskDialog {
  private readonly params: DialogParams<"form">;
  private readonly parts: DialogParts;
  private readonly views: readonly FieldView[];
  private readonly problems: string[];
  private focus = 0;

  constructor(params: DialogParams<"form">, parts: DialogParts) {
    this.params = params;
    this.parts = parts;
    this.views = params.fields.map((field) => fieldView(field, parts.look));
    this.problems = this.views.map(() => "");
  }

  frame(columns: number, rowsMax: number = DIALOG_ROWS_DEFAULT): DialogFrame {
    const { look } = this.parts;
    const { title } = this.params;
    const message = this.params.message ?? "";
    const fields = this.views.map((view, index) => ({
      field: view.field,
      frame: (width: number) => view.frame(width, index === this.focus ? "focused" : "blurred"),
      problem: this.problems[index] ?? "",
    }));
    const list = (widthCells: number, rows: number) =>
      formRows(fields, this.focus, { widthCells, rowsMax: rows, look });
    const content = {
      head: { title, message, aside: this.parts.aside(), danger: "normal" as const },
      list,
      labels: (widthCells: number) => list(widthCells, FORM_ROWS_MAX).rows.length,
      problem: enterProblem(this.parts.keys?.() ?? ALL_KEYS, "tab"),
      hints: textHints(this.parts.keys?.() ?? ALL_KEYS, this.hints()),
      wholeHint: this.whole() === null ? "" : "ctrl+o full view",
    };
    return dialogFrame(content, columns, rowsMax, look);
  }

  use(sequence: string): KeyUse {
    const name = keyName(sequence);
    if (name === "ctrl+o" && this.whole() !== null) return "command";
    const enter = enterUse(this.parts, this.isPreset ? "filled" : "empty");
    return name === "ctrl+s" || name === "ctrl+enter" ? enter : useOfField(name, enter);
  }

  private get isPreset(): boolean {
    return this.params.fields.some(({ default: preset }) => preset !== undefined && preset !== "" && preset !== false);
  }

  key(sequence: string): DialogOutcome {
    const name = keyName(sequence);
    if (isCancel(name)) return { type: "cancelled" };
    if (name === "ctrl+o" && this.whole() !== null) return { type: "whole" };
    if (name === "ctrl+s" || name === "ctrl+enter") return this.send();
    if (name === "enter") return this.isLast ? this.send() : this.leave(1);
    const step = this.stepOf(name);
    if (step !== 0) return this.leave(step);
    this.views[this.focus]?.key(sequence);
    if (this.problems[this.focus] !== "") this.check(this.focus);
    return null;
  }

  whole(): WholeText | null {
    return messageWhole({ title: this.params.title, message: this.params.message ?? "" }, this.parts);
  }

  private get isLast(): boolean {
    return this.focus >= this.views.length - 1;
  }

  // In a field with a list, arrows move in that list.
  private stepOf(name: string | undefined): number {
    const hasList = this.views[this.focus]?.field.kind === "multi_select";
    if (name === "tab" || (name === "down" && !hasList)) return 1;
    return name === "shift+tab" || (name === "up" && !hasList) ? -1 : 0;
  }

  // A missing value is reported only on send: the user may come back to it.
  private leave(step: number): DialogOutcome {
    if (this.views[this.focus]?.read().value !== undefined) this.check(this.focus);
    this.focus = (this.focus + step + this.views.length) % Math.max(1, this.views.length);
    return null;
  }

  private check(index: number): string {
    const problem = this.views[index]?.read().problem ?? "";
    this.problems[index] = problem;
    return problem;
  }

  private send(): DialogOutcome {
    const wrong = this.views.flatMap((_, index) => (this.check(index) === "" ? [] : [index]));
    const [first] = wrong;
    if (first !== undefined) {
      this.focus = first;
      return null;
    }
    const entries = this.views.map((view) => [view.field.name, view.read().value] as const);
    return { type: "answered", value: Object.fromEntries(entries.filter(([, value]) => value !== undefined)) };
  }

  private hints(): string[] {
    const kind = this.views[this.focus]?.field.kind;
    const own = kind === "select" ? ["←→ change"] : kind === "multi_select" ? ["space select"] : [];
    const toggle = kind === "confirm" ? ["space change"] : [];
    const send = this.isLast ? "enter send" : "ctrl+s send";
    return [send, "esc cancel", ...(this.views.length > 1 ? ["tab next"] : []), ...own, ...toggle];
  }
}
