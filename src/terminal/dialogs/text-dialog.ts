// One line of text, checked against the agent's rules before it is sent; the field is pi-tui's input. A secret is
// masked while it is typed and shown nowhere else.
//
//   ▌ Name of the release
//   ▌ › 1.4▏
//   ▌ ✕ begin with a v
//   ▌ enter send · esc cancel
import { Input } from "@earendil-works/pi-tui";
import { type TextRules, textProblem } from "../../session/ask-rules.js";
import type { KeyUse } from "../../session/typing-guard.js";
import { safeLine } from "../../text/safe.js";
import { textWidth } from "../../text/width.js";
import { ComponentHost } from "../component-host.js";
import type { Appearance } from "../painter/blocks/glyphs.js";
import { DIALOG_ROWS_DEFAULT, type DialogFrame, dialogFrame } from "../painter/dialogs/dialog-frame.js";
import {
  ALL_KEYS,
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
