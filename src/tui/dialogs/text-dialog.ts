// Text from the person: one line, or many in an editor. A secret is masked while it is typed and shown nowhere else.
import { Editor, Input } from "@earendil-works/pi-tui";
import { type DialogHead, headRows, hintRow, withBar } from "../../screen/dialogs/dialog-rows.js";
import type { Frame } from "../../screen/frame.js";
import { textWidth } from "../../text/width.js";
import { editorTheme } from "../app/editor-theme.js";
import { ComponentHost } from "../component-host.js";
import type { AskDialog, DialogOutcome, DialogParts } from "./ask-dialog.js";
import { keyName } from "./key-names.js";

export interface TextDialogOptions {
  readonly head: Omit<DialogHead, "aside">;
  readonly lines: "one" | "many";
  readonly preset: string;
  readonly hint: string;
  readonly secret: "yes" | "no";
  readonly parts: DialogParts;
}

const BAR_CELLS = 2;
const MARK_CELLS = 2;

export class TextDialog implements AskDialog {
  private readonly options: TextDialogOptions;
  private readonly field: Input | Editor;
  private readonly host: ComponentHost;
  private sent: string | null = null;

  constructor(options: TextDialogOptions) {
    this.options = options;
    this.field =
      options.lines === "one"
        ? new Input({ prompt: "" })
        : new Editor(options.parts.tui, editorTheme(options.parts.look.style));
    if (this.field instanceof Input) this.field.setValue(options.preset);
    else this.field.setText(options.preset);
    this.field.onSubmit = (text) => {
      this.sent = text;
    };
    this.host = new ComponentHost(this.field);
    this.host.focus = "focused";
  }

  frame(widthCells: number): Frame {
    const { head, parts, lines } = this.options;
    const width = Math.max(8, widthCells - BAR_CELLS);
    const above = headRows({ ...head, aside: parts.aside() }, width, parts.look);
    const field = this.fieldFrame(width - MARK_CELLS);
    const hints = lines === "one" ? ["enter send", "esc cancel"] : ["enter send", "esc cancel", "shift+enter new line"];
    const mark = parts.look.style.paint("user", parts.look.glyphs.prompt);
    const rows = [
      ...above,
      ...field.rows.map((row, index) => (index === 0 ? `${mark} ${row}` : `  ${row}`)),
      hintRow(hints, width, parts.look),
    ];
    const { cursor } = field;
    const placed = cursor === null ? null : { row: above.length + cursor.row, column: cursor.column + MARK_CELLS };
    return withBar({ rows, cursor: placed }, head.danger, parts.look);
  }

  key(sequence: string): DialogOutcome {
    const name = keyName(sequence);
    if (name === "escape" || name === "ctrl+c") return { type: "cancelled" };
    this.host.key(sequence);
    return this.sent === null ? null : { type: "answered", value: this.sent };
  }

  private fieldFrame(widthCells: number): Frame {
    const { hint, secret, parts } = this.options;
    const value = this.field instanceof Input ? this.field.getValue() : this.field.getText();
    if (secret === "yes") return masked(value, widthCells);
    const frame = this.host.frame(widthCells);
    if (value !== "" || hint === "") return frame;
    return { rows: [parts.look.style.paint("dim", hint)], cursor: frame.cursor };
  }
}

// The length is not given away beyond the field, and the cursor is always at the end.
function masked(value: string, widthCells: number): Frame {
  const stars = "•".repeat(Math.min(Array.from(value).length, Math.max(1, widthCells - 1)));
  return { rows: [stars], cursor: { row: 0, column: textWidth(stars) } };
}
