// One line of text, checked against the agent's rules before it is sent; the field is pi-tui's input. A secret is
// masked while it is typed and shown nowhere else.
//
//   ▌ Name of the release
//   ▌ › 1.4▏
//   ▌ ✕ begin with a v
//   ▌ enter send · esc cancel
import { Editor, Input } from "@earendil-works/pi-tui";
import { type TextRules, textProblem } from "../../session/ask-rules.js";
import type { KeyUse } from "../../session/typing-guard.js";
import { safeLine, safeLines } from "../../text/safe.js";
import { textWidth } from "../../text/width.js";
import { ComponentHost, editorTheme, hostTui } from "../component-host.js";
import type { Appearance } from "../painter/blocks/glyphs.js";
import {
  cutAroundCursor,
  DIALOG_ROWS_DEFAULT,
  type DialogFrame,
  dialogFrame,
} from "../painter/dialogs/dialog-frame.js";
import {
  ALL_KEYS,
  canFulfil,
  enterProblem,
  enterUse,
  messageWhole,
  textHints,
  type WholeText,
} from "../painter/dialogs/dialog-keys.js";
import { type DialogHead, fitted } from "../painter/dialogs/dialog-rows.js";
import type { Frame } from "../painter/frame.js";
import type { AskDialog, DialogOutcome, DialogParts } from "./ask-dialog.js";
import { isCancel, keyName, pastedText, pasteOf } from "./key-names.js";

interface TextDialogOptions {
  readonly head: Omit<DialogHead, "aside">;
  readonly preset: string;
  readonly hint: string;
  readonly secret: "yes" | "no";
  readonly rules: TextRules;
  readonly escapeHint?: string;
  readonly parts: DialogParts;
}

const MARK_CELLS = 2;

export class TextDialog implements AskDialog {
  private readonly options: TextDialogOptions;
  private readonly field: LineField;
  private problem = "";

  constructor(options: TextDialogOptions) {
    this.options = options;
    const { preset, hint, secret, parts } = options;
    this.field = new LineField({ preset, hint, secret, look: parts.look });
  }

  frame(widthCells: number, rowsMax: number = DIALOG_ROWS_DEFAULT): DialogFrame {
    const { head, parts, escapeHint = "esc cancel" } = this.options;
    const content = {
      head: { ...head, aside: parts.aside() },
      list: (width: number) => marked(this.field.frame(width - MARK_CELLS), parts),
      problem: enterProblem(parts.keys?.() ?? ALL_KEYS, "an arrow key") || this.problem,
      hints: textHints(parts.keys?.() ?? ALL_KEYS, [
        "enter send",
        escapeHint,
        ...(this.whole() === null ? [] : ["ctrl+o full view"]),
      ]),
      wholeHint: this.whole() === null ? "" : "ctrl+o full view",
    };
    return dialogFrame(content, widthCells, rowsMax, parts.look);
  }

  use(sequence: string): KeyUse {
    const name = keyName(sequence);
    const { preset, parts } = this.options;
    const enter = enterUse(parts, preset === "" ? "empty" : "filled");
    return this.whole() !== null && name === "ctrl+o" ? "command" : useOfField(name, enter);
  }

  key(sequence: string): DialogOutcome {
    const name = keyName(sequence);
    if (isCancel(name)) return { type: "cancelled" };
    if (name === "ctrl+o" && this.whole() !== null) return { type: "whole" };
    if (name === "enter") return this.send();
    this.field.key(sequence);
    if (this.problem !== "") this.problem = this.check() ?? "";
    return null;
  }

  whole(): WholeText | null {
    return messageWhole(this.options.head, this.options.parts);
  }

  private send(): DialogOutcome {
    this.problem = this.check() ?? "";
    return this.problem === "" ? { type: "answered", value: this.field.text } : null;
  }

  private check(): string | null {
    return textProblem(this.field.text, this.options.rules);
  }
}

const MOVES: ReadonlySet<string> = new Set("up down left right home end tab shift+tab".split(" "));

/** What a key means to a question that is written into; `enter` says what Enter means there. */
export function useOfField(name: string | undefined, enter: "send" | "enter"): KeyUse {
  if (isCancel(name)) return "cancel";
  if (name === "enter") return enter;
  return enter === "enter" && MOVES.has(name ?? "") ? "move" : "text";
}

/** Puts the prompt sign before the first row. */
export function marked({ rows, cursor }: Frame, { look }: DialogParts): Frame {
  const mark = look.style.paint("user", look.glyphs.prompt);
  return {
    rows: rows.map((row, index) => (index === 0 ? `${mark} ${row}` : `  ${row}`)),
    cursor: cursor === null ? null : { row: cursor.row, column: cursor.column + MARK_CELLS },
  };
}

interface LineFieldOptions {
  readonly preset: string;
  readonly hint: string;
  readonly secret: "yes" | "no";
  readonly look: Appearance;
}

const END_KEY = "\x1b[F";

export class LineField {
  private readonly options: LineFieldOptions;
  private readonly input = new Input({ prompt: "" });
  private readonly host = new ComponentHost(this.input);

  constructor(options: LineFieldOptions) {
    this.options = options;
    this.replace(options.preset);
    this.host.focus = "focused";
  }

  get text(): string {
    const { preset } = this.options;
    const value = this.input.getValue();
    // An unchanged preset is returned as it came, also where it could not be shown as it is.
    return value === safeLine(preset) ? preset : value;
  }

  replace(text: string): void {
    this.input.setValue(safeLine(text));
    this.host.key(END_KEY);
  }

  key(sequence: string): void {
    const pasted = pastedText(sequence);
    this.host.key(pasted === null ? sequence : pasteOf(safeLine(pasted.replace(/^[\r\n]+|[\r\n]+$/g, ""))));
    // The position in a secret is invisible, so the cursor stays at the end.
    if (this.options.secret === "yes") this.host.key(END_KEY);
  }

  frame(widthCells: number): Frame {
    const { hint, secret, look } = this.options;
    const width = Math.max(2, widthCells);
    const value = this.input.getValue();
    if (secret === "yes" && value !== "") return masked(value, width, look);
    const frame = this.host.frame(width);
    if (value !== "" || hint === "") return frame;
    return { rows: [look.style.paint("dim", fitted(safeLine(hint), width, look.glyphs))], cursor: frame.cursor };
  }
}

// Shows no more of the length than fits the field.
function masked(value: string, widthCells: number, { glyphs }: Appearance): Frame {
  const isAscii = /^[\x20-\x7e]+$/.test(glyphs.live);
  const stars = (isAscii ? "*" : "•").repeat(Math.min(Array.from(value).length, Math.max(1, widthCells - 1)));
  return { rows: [stars], cursor: { row: 0, column: textWidth(stars) } };
}

// Several lines of text, in pi-tui's editor; Ctrl+G opens them in the user's own editor.
//
//   ▌ Release notes                    line 3 of 12
//   ▌ › A first line
//   ▌   and a second▏
//   ▌ enter send · shift+enter new line · ctrl+g editor · esc cancel

interface EditorDialogOptions {
  readonly head: Omit<DialogHead, "aside">;
  readonly preset: string;
  readonly rules: TextRules;
  readonly parts: DialogParts;
}

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
    if (name === "ctrl+s") return enter;
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
    const isSent = name === "ctrl+s" || (name === "enter" && !this.endsInBackslash());
    if (isSent && problem !== "") {
      this.problem = problem;
      return null;
    }
    if (name === "ctrl+s") return { type: "answered", value: text };
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
