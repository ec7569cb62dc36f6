// The fields of a form by kind: frame, keys and value. Text is typed into pi-tui's input.
import type { FormField } from "../../contract/dialogs.js";
import { countProblem, readNumber, textProblem } from "../../session/ask-rules.js";
import { safeLine } from "../../text/safe.js";
import { wrapRow } from "../../text/wrap.js";
import type { Appearance } from "../painter/blocks/glyphs.js";
import { fitted } from "../painter/dialogs/dialog-rows.js";
import type { Frame } from "../painter/frame.js";
import { keyName, typedText } from "./key-names.js";
import { LineField } from "./text-dialog.js";

/** The value, `undefined` when empty, and why it may not be sent. */
export interface FieldReading {
  readonly value: unknown;
  readonly problem: string | null;
}

export interface FieldView {
  readonly field: FormField;
  frame(widthCells: number, focus: "focused" | "blurred"): Frame;
  key(sequence: string): void;
  read(): FieldReading;
}

const NEEDED = "required";
const TICK_ROWS_MAX = 5;

export function fieldView(field: FormField, look: Appearance): FieldView {
  switch (field.kind) {
    case "text":
    case "secret":
    case "number":
      return new TypedField(field, look);
    case "confirm":
      return new ToggleField(field);
    case "select":
      return new PickField(field, look);
    case "multi_select":
      return new TickField(field, look);
  }
}

class TypedField implements FieldView {
  readonly field: FormField;
  private readonly line: LineField;

  constructor(field: FormField, look: Appearance) {
    this.field = field;
    const preset = typeof field.default === "string" || typeof field.default === "number" ? String(field.default) : "";
    const hint = field.placeholder ?? (field.kind === "number" ? "a number" : "");
    this.line = new LineField({ preset, hint, secret: field.kind === "secret" ? "yes" : "no", look });
  }

  frame(widthCells: number): Frame {
    return this.line.frame(widthCells);
  }

  key(sequence: string): void {
    this.line.key(sequence);
  }

  read(): FieldReading {
    const { text } = this.line;
    if (this.field.kind === "number") {
      const { value, problem } = readNumber(text, this.field);
      return { value, problem };
    }
    return { value: text === "" ? undefined : text, problem: textProblem(text, this.field) };
  }
}

class ToggleField implements FieldView {
  readonly field: FormField;
  private isOn: boolean;

  constructor(field: FormField) {
    this.field = field;
    this.isOn = field.default === true;
  }

  frame(): Frame {
    return { rows: [this.isOn ? "[x] yes" : "[ ] no"], cursor: null };
  }

  key(sequence: string): void {
    const name = keyName(sequence) ?? "";
    if (["space", "left", "right"].includes(name)) this.isOn = !this.isOn;
    else if (name === "y") this.isOn = true;
    else if (name === "n") this.isOn = false;
  }

  read(): FieldReading {
    return { value: this.isOn, problem: null };
  }
}

class PickField implements FieldView {
  readonly field: FormField;
  private readonly look: Appearance;
  /** -1 for none. */
  private chosen: number;

  constructor(field: FormField, look: Appearance) {
    this.field = field;
    this.look = look;
    this.chosen = (field.options ?? []).findIndex(({ value }) => value === field.default);
  }

  frame(widthCells: number, focus: "focused" | "blurred"): Frame {
    const { style, glyphs } = this.look;
    const options = this.field.options ?? [];
    const option = options[this.chosen];
    const name = option === undefined ? style.paint("dim", "nothing chosen") : safeLine(option.label);
    if (focus === "blurred") return { rows: [fitted(name, widthCells, glyphs)], cursor: null };
    const place = option === undefined ? `${options.length} to choose from` : `${this.chosen + 1} of ${options.length}`;
    const detail = [place, safeLine(option?.description ?? "")].filter(Boolean).join("  ");
    const rows = wrapRow(`< ${name} >  ${style.paint("dim", detail)}`, widthCells, { at: "words" });
    return { rows: rows.slice(0, 3), cursor: null };
  }

  key(sequence: string): void {
    const name = keyName(sequence) ?? "";
    const count = (this.field.options ?? []).length;
    if (count === 0) return;
    // An optional field has an empty place before the first option.
    const least = this.field.required === true ? 0 : -1;
    const places = count - least;
    if (name === "right" || name === "space") this.chosen = ((this.chosen + 1 - least) % places) + least;
    else if (name === "left" && this.chosen < 0) this.chosen = count - 1;
    else if (name === "left") this.chosen = ((this.chosen - 1 - least + places) % places) + least;
    else if (name === "home") this.chosen = Math.min(0, count - 1);
    else if (name === "end") this.chosen = count - 1;
    else this.jump(typedText(sequence));
  }

  read(): FieldReading {
    const value = this.field.options?.[this.chosen]?.value;
    return { value, problem: value === undefined && this.field.required === true ? "choose one" : null };
  }

  private jump(letter: string): void {
    const options = this.field.options ?? [];
    const begins = (index: number) => options[index]?.label.toLowerCase().startsWith(letter.toLowerCase());
    for (let step = 1; letter !== "" && step <= options.length; step += 1) {
      const index = (this.chosen + step) % options.length;
      if (!begins(index)) continue;
      this.chosen = index;
      return;
    }
  }
}

class TickField implements FieldView {
  readonly field: FormField;
  private readonly look: Appearance;
  private readonly ticked: Set<number>;
  private place = 0;

  constructor(field: FormField, look: Appearance) {
    this.field = field;
    this.look = look;
    const presets: readonly unknown[] = Array.isArray(field.default) ? field.default : [];
    this.ticked = new Set(this.options.flatMap(({ value }, index) => (presets.includes(value) ? [index] : [])));
  }

  frame(widthCells: number, focus: "focused" | "blurred"): Frame {
    const { style, glyphs } = this.look;
    if (focus === "blurred") {
      const names = this.options.flatMap(({ label }, index) => (this.ticked.has(index) ? [safeLine(label)] : []));
      const text = names.length === 0 ? style.paint("dim", "nothing chosen") : names.join(", ");
      return { rows: [fitted(text, widthCells, glyphs)], cursor: null };
    }
    const rows = this.options.map(({ label }, index) => {
      const box = `[${this.ticked.has(index) ? "x" : " "}] ${safeLine(label)}`;
      const isHere = index === this.place;
      const pointer = isHere ? `${style.paint("accent", glyphs.selected)} ` : "  ";
      return fitted(pointer + (isHere ? style.paint("bold", box) : box), widthCells, glyphs);
    });
    const from = Math.max(0, Math.min(this.place - TICK_ROWS_MAX + 2, rows.length - TICK_ROWS_MAX));
    return { rows: rows.slice(from, from + TICK_ROWS_MAX), cursor: { row: this.place - from, column: 3 } };
  }

  key(sequence: string): void {
    const name = keyName(sequence) ?? "";
    const count = this.options.length;
    if (count === 0) return;
    if (name === "right" || name === "down") this.place = (this.place + 1) % count;
    else if (name === "left" || name === "up") this.place = (this.place - 1 + count) % count;
    else if (name === "home") this.place = 0;
    else if (name === "end") this.place = count - 1;
    else if (name === "space" && !this.ticked.delete(this.place)) this.ticked.add(this.place);
  }

  read(): FieldReading {
    const value = this.options.flatMap((option, index) => (this.ticked.has(index) ? [option.value] : []));
    if (value.length === 0 && this.field.required !== true) return { value: undefined, problem: null };
    const problem = countProblem(value.length, this.field);
    return { value, problem: problem ?? (value.length === 0 ? NEEDED : null) };
  }

  private get options() {
    return this.field.options ?? [];
  }
}
