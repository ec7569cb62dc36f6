// Several lines of text, in pi-tui's editor; Ctrl+G opens them in the user's own editor.
//
//   ▌ Release notes                    line 3 of 12
//   ▌ › A first line
//   ▌   and a second▏
//   ▌ enter send · shift+enter new line · ctrl+g editor · esc cancel
import { Editor } from "@earendil-works/pi-tui";
import { type TextRules, textProblem } from "../../session/ask-rules.js";
import type { KeyUse } from "../../session/typing-guard.js";
import { safeLines } from "../../text/safe.js";
import { ComponentHost, editorTheme, hostTui } from "../component-host.js";
import {
  cutAroundCursor,
  DIALOG_ROWS_DEFAULT,
  type DialogFrame,
  dialogFrame,
} from "../painter/dialogs/dialog-frame.js";
import { ALL_KEYS, canFulfil, enterProblem, enterUse, textHints } from "../painter/dialogs/dialog-keys.js";
import type { DialogHead } from "../painter/dialogs/dialog-rows.js";
import type { AskDialog, DialogOutcome, DialogParts } from "./ask-dialog.js";
import { isCancel, keyName, pastedText, pasteOf } from "./key-names.js";
import { marked, useOfField } from "./text-dialog.js";

export interface EditorDialogOptions {
  readonly head: Omit<DialogHead, "aside">;
  readonly preset: string;
  readonly rules: TextRules;
  readonly parts: DialogParts;
}

const MARK_CELLS = 2;
/** The share of the terminal's rows that pi-tui's editor takes. */
const EDITOR_SHARE = 0.3;

export class EditorDialog implements AskDialog {
  private readonly options: EditorDialogOptions;
  private readonly editor: Editor;
  private readonly host: ComponentHost;
  private rowsMax = DIALOG_ROWS_DEFAULT;
  private problem = "";
  private sent = false;

  constructor(options: EditorDialogOptions) {
    this.options = options;
    const { parts, preset } = options;
    const tui = hostTui({
      size: () => ({ columns: parts.tui.terminal.columns, rows: Math.ceil(this.rowsMax / EDITOR_SHARE) }),
      onRenderWanted: () => parts.tui.requestRender(),
    });
    this.editor = new Editor(tui, editorTheme(parts.look));
    this.editor.setText(harmless(preset));
    this.editor.onSubmit = () => {
      this.sent = true;
    };
    this.host = new ComponentHost(this.editor);
    this.host.focus = "focused";
  }

  frame(widthCells: number, rowsMax: number = DIALOG_ROWS_DEFAULT): DialogFrame {
    if (rowsMax !== this.rowsMax) this.host.refresh();
    this.rowsMax = rowsMax;
    const { head, parts } = this.options;
    const content = {
      head: { ...head, aside: this.place(rowsMax) || parts.aside() },
      list: (width: number, rows: number) =>
        cutAroundCursor(marked(this.host.frame(Math.max(2, width - MARK_CELLS)), parts), rows),
      problem: enterProblem(parts.keys?.() ?? ALL_KEYS, "an arrow key") || this.problem,
      hints: textHints(parts.keys?.() ?? ALL_KEYS, [
        "enter send",
        "esc cancel",
        "shift+enter new line",
        ...(this.hasOwnEditor ? ["ctrl+g editor"] : []),
      ]),
      wholeHint: "",
    };
    return dialogFrame(content, widthCells, rowsMax, parts.look);
  }

  use(sequence: string): KeyUse {
    const name = keyName(sequence);
    const { preset, parts } = this.options;
    const enter = enterUse(parts, preset === "" ? "empty" : "filled");
    return name === "ctrl+g" && this.hasOwnEditor ? "command" : useOfField(name, enter);
  }

  key(sequence: string): DialogOutcome {
    const name = keyName(sequence);
    if (isCancel(name)) return { type: "cancelled" };
    if (name === "ctrl+g" && this.hasOwnEditor) return { type: "external-editor", text: this.text };
    // The editor trims and clears the text on submit, so it is read before.
    const { text } = this;
    const problem = textProblem(text, this.options.rules) ?? "";
    const pasted = pastedText(sequence);
    if (name === "enter" && problem !== "" && !this.endsInBackslash()) {
      this.problem = problem;
      return null;
    }
    this.host.key(pasted === null ? sequence : pasteOf(harmless(pasted)));
    if (this.sent) return { type: "answered", value: text };
    if (this.problem !== "") this.problem = textProblem(this.text, this.options.rules) ?? "";
    return null;
  }

  replaceText(text: string): void {
    this.editor.setText(harmless(text));
    this.host.refresh();
  }

  private get hasOwnEditor(): boolean {
    return canFulfil(this.options.parts, "external-editor");
  }

  private get text(): string {
    const { preset } = this.options;
    const text = this.editor.getExpandedText();
    // Unchanged text is returned as it came; the editor shows tabs as spaces.
    return text === harmless(preset) ? preset : text;
  }

  // A backslash before Enter makes a new line, where Shift+Enter does not arrive.
  private endsInBackslash(): boolean {
    const { line, col } = this.editor.getCursor();
    return this.editor.getLines()[line]?.charAt(col - 1) === "\\";
  }

  private place(rowsMax: number): string {
    const lines = this.editor.getLines().length;
    return lines < rowsMax - 2 ? "" : `line ${this.editor.getCursor().line + 1} of ${lines}`;
  }
}

function harmless(text: string): string {
  return safeLines(text).join("\n") + (text.endsWith("\n") ? "\n" : "");
}
