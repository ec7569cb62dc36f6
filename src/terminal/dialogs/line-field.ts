// One line to type into: pi-tui's input on our screen. What comes in by paste or as a default is made harmless first and
// never ends the line; a secret shows only that something is there.
import { Input } from "@earendil-works/pi-tui";
import { safeLine } from "../../text/safe.js";
import { textWidth } from "../../text/width.js";
import { ComponentHost } from "../component-host.js";
import type { DialogLook } from "../painter/dialogs/dialog-rows.js";
import { fitted } from "../painter/dialogs/dialog-rows.js";
import type { Frame } from "../painter/frame.js";
import { pastedText, pasteOf } from "./key-names.js";

export interface LineFieldOptions {
  readonly preset: string;
  /** Shown while it is empty. */
  readonly hint: string;
  readonly secret: "yes" | "no";
  readonly look: DialogLook;
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
    // What nobody touched goes back as it came, also where it could not be shown as it is.
    return value === safeLine(preset) ? preset : value;
  }

  replace(text: string): void {
    this.input.setValue(safeLine(text));
    this.host.key(END_KEY);
  }

  key(sequence: string): void {
    const pasted = pastedText(sequence);
    this.host.key(pasted === null ? sequence : pasteOf(safeLine(pasted.replace(/^[\r\n]+|[\r\n]+$/g, ""))));
    // Nobody can see where they are in a secret, so that the cursor stays at its end.
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

// The length is not given away beyond the field.
function masked(value: string, widthCells: number, { glyphs }: DialogLook): Frame {
  const isAscii = /^[\x20-\x7e]+$/.test(glyphs.live);
  const stars = (isAscii ? "*" : "•").repeat(Math.min(Array.from(value).length, Math.max(1, widthCells - 1)));
  return { rows: [stars], cursor: { row: 0, column: textWidth(stars) } };
}
