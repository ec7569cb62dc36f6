// A line that is typed on an append-only terminal: letters are echoed where they fall, the last one can be taken back, and
// whatever cannot be shown that way is said again on a new line. There is no way to move inside of the line; who wants that
// has an editor.
import { safeLine, safeLines } from "../../text/safe.js";
import { graphemes, textWidth } from "../../text/width.js";

/** A paste of more is told by its size. */
const ECHOED_UNITS_MAX = 400;
const TEXT_UNITS_MAX = 1024 * 1024;

export class LineEditor {
  text = "";
  /** "masked" for a secret. */
  echo: "plain" | "masked" = "plain";
  columns: number;
  private label = "";
  /** Cells since the line began, by which one knows where the terminal broke it. */
  private cells = 0;

  constructor(columns: number) {
    this.columns = columns;
  }

  get isEmpty(): boolean {
    return this.text === "";
  }

  /** What stands on the terminal for it; empty when nothing is typed. */
  get shown(): string {
    return this.isEmpty ? "" : this.label + this.picture(this.text);
  }

  /** The bytes that show the text at the end of the line. `label` is said once, before the first letter. */
  type(text: string, label: string): string {
    const fits = text.slice(0, Math.max(0, TEXT_UNITS_MAX - this.text.length));
    const opening = this.begin(label);
    this.text += fits;
    const picture = this.picture(fits);
    this.cells += textWidth(picture);
    return opening + picture;
  }

  /** The bytes that take the last character back. */
  backspace(): string {
    const last = graphemes(this.text.split("\n").at(-1) ?? "").at(-1);
    if (this.isEmpty) return "";
    const before = this.text;
    this.text = last === undefined ? before.slice(0, -1) : before.slice(0, -last.length);
    const cells = last === undefined ? 0 : textWidth(this.picture(last));
    const column = this.cells % Math.max(1, this.columns);
    // At the start of a row "\b" cannot go back to the one above.
    if (last === undefined || column < cells || column === 0 || !isOnOneRow(before)) return this.again();
    this.cells -= cells;
    return "\b".repeat(cells) + " ".repeat(cells) + "\b".repeat(cells);
  }

  /** Another text instead; it is said on a new line. */
  replace(text: string, label: string): string {
    this.text = "";
    this.label = "";
    return text === "" ? "" : this.type(text, label);
  }

  /** The text as it is, on a new line. */
  again(): string {
    if (this.isEmpty) return "";
    const { label, text } = this;
    return `\r\n${this.replace(text, label)}`;
  }

  take(): string {
    const { text } = this;
    this.text = "";
    this.label = "";
    this.cells = 0;
    return text;
  }

  private begin(label: string): string {
    if (!this.isEmpty) return "";
    this.label = label;
    this.cells = textWidth(label);
    return label;
  }

  private picture(text: string): string {
    if (this.echo === "masked") return "*".repeat(graphemes(text).length);
    const lines = text.split("\n");
    if (text.length > ECHOED_UNITS_MAX) {
      const size = lines.length > 1 ? `${lines.length} lines` : `${text.length} characters`;
      return `(${size}: ${safeLine(text.slice(0, 40))} and more)`;
    }
    return lines.map((line) => safeLines(line)[0] ?? "").join("\r\n");
  }
}

function isOnOneRow(text: string): boolean {
  return text.length <= ECHOED_UNITS_MAX && !text.includes("\n");
}
