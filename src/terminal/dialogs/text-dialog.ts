// One line of text from the person, checked against the agent's rules before it is sent. A secret is masked while it is
// typed and shown nowhere else.
//
//   ▌ Name of the release
//   ▌ › 1.4▏
//   ▌ ✕ begin with a v
//   ▌ enter send · esc cancel
import { type TextRules, textProblem } from "../../session/ask-rules.js";
import type { KeyUse } from "../../session/typing-guard.js";
import { DIALOG_ROWS_DEFAULT, dialogFrame } from "../painter/dialogs/dialog-frame.js";
import { ALL_KEYS, enterProblem, textHints } from "../painter/dialogs/dialog-keys.js";
import type { WholeText } from "../painter/dialogs/dialog-outcome.js";
import { type DialogHead, messageRows } from "../painter/dialogs/dialog-rows.js";
import type { Frame } from "../painter/frame.js";
import { type AskDialog, type DialogOutcome, type DialogParts, enterUse } from "./ask-dialog.js";
import { isCancel, keyName } from "./key-names.js";
import { LineField } from "./line-field.js";
import { messageWhole } from "./message-whole.js";

export interface TextDialogOptions {
  readonly head: Omit<DialogHead, "aside">;
  readonly preset: string;
  readonly hint: string;
  readonly secret: "yes" | "no";
  readonly rules: TextRules;
  /** What Esc does, in words; it cancels unless told. */
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

  frame(widthCells: number, rowsMax: number = DIALOG_ROWS_DEFAULT): Frame {
    const { head, parts, escapeHint = "esc cancel" } = this.options;
    const content = {
      head: { ...head, aside: parts.aside() },
      body: (width: number) => ({ rows: messageRows(head.message, width), beyond: 0 }),
      list: (width: number) => marked(this.field.frame(width - MARK_CELLS), parts),
      problem: enterProblem(parts.keys?.() ?? ALL_KEYS, "an arrow key") || this.problem,
      hints: textHints(parts.keys?.() ?? ALL_KEYS, [
        "enter send",
        escapeHint,
        ...(this.whole() === null ? [] : ["ctrl+o all of it"]),
      ]),
      wholeHint: this.whole() === null ? "" : "ctrl+o all of it",
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

/** The sign of the person in front of what they type. */
export function marked({ rows, cursor }: Frame, { look }: DialogParts): Frame {
  const mark = look.style.paint("user", look.glyphs.prompt);
  return {
    rows: rows.map((row, index) => (index === 0 ? `${mark} ${row}` : `  ${row}`)),
    cursor: cursor === null ? null : { row: cursor.row, column: cursor.column + MARK_CELLS },
  };
}
