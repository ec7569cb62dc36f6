// Several fields at once. Tab and Shift+Tab move, Enter moves on and sends from the last field, Ctrl+S and Ctrl+Enter
// send from anywhere. A problem stands under its field, and the first such field gets the focus.
import type { DialogParams, FormField } from "../../contract/dialogs.js";
import { countProblem, readNumber, textProblem } from "../../session/ask-rules.js";
import type { KeyUse } from "../../session/typing-guard.js";
import { safeLine } from "../../text/safe.js";
import { textWidth } from "../../text/width.js";
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
import { fitted } from "../painter/dialogs/dialog-rows.js";
import { formRows } from "../painter/dialogs/form-rows.js";
import type { Frame } from "../painter/frame.js";
import type { AskDialog, DialogOutcome, DialogParts } from "./ask-dialog.js";
import { isCancel, keyName, typedText } from "./key-names.js";
import { LineField, useOfField } from "./text-dialog.js";

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
    const hasList = LISTS.has(this.views[this.focus]?.field.kind ?? "text");
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
    const own = kind === "select" ? ["↑↓ choose"] : kind === "multi_select" ? ["space select"] : [];
    const toggle = kind === "confirm" ? ["space change"] : [];
    const send = this.isLast ? "enter send" : "ctrl+s send";
    return [send, "esc cancel", ...(this.views.length > 1 ? ["tab next"] : []), ...own, ...toggle];
  }
}

// The fields of a form by kind: frame, keys and value. Text is typed into pi-tui's input.

/** The value, `undefined` when empty, and why it may not be sent. */
interface FieldReading {
  readonly value: unknown;
  readonly problem: string | null;
}

interface FieldView {
  readonly field: FormField;
  frame(widthCells: number, focus: "focused" | "blurred"): Frame;
  key(sequence: string): void;
  read(): FieldReading;
}

const NEEDED = "required";
const OPTION_ROWS_MAX = 5;
const OPTION_LABEL_CELLS_MAX = 24;
const LISTS: ReadonlySet<FormField["kind"]> = new Set(["select", "multi_select"]);

function fieldView(field: FormField, look: Appearance): FieldView {
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

type OptionText = { readonly label: string; readonly detail: string };

/** Labels, with their descriptions in a column behind them. */
function optionTexts(options: NonNullable<FormField["options"]>, { style }: Appearance): OptionText[] {
  const labels = options.map(({ label }) => safeLine(label));
  const widest = Math.min(OPTION_LABEL_CELLS_MAX, Math.max(0, ...labels.map(textWidth)));
  return options.map(({ description }, index) => {
    const label = labels[index] ?? "";
    const gap = " ".repeat(Math.max(0, widest - textWidth(label)) + 2);
    return { label, detail: description ? gap + style.paint("dim", safeLine(description)) : "" };
  });
}

//     stable   for all users
//   ❯ beta
function optionList(
  texts: readonly OptionText[],
  place: { readonly at: number; readonly column: number },
  widthCells: number,
  { style, glyphs }: Appearance,
): Frame {
  const rows = texts.map(({ label, detail }, index) => {
    const isHere = index === place.at;
    const pointer = isHere ? `${style.paint("accent", glyphs.selected)} ` : "  ";
    return fitted(pointer + (isHere ? style.paint("bold", label) : label) + detail, widthCells, glyphs);
  });
  const from = Math.max(0, Math.min(place.at - OPTION_ROWS_MAX + 2, rows.length - OPTION_ROWS_MAX));
  const cursor = { row: Math.max(0, place.at - from), column: place.column };
  return { rows: rows.slice(from, from + OPTION_ROWS_MAX), cursor };
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
    return optionList(optionTexts(options, this.look), { at: this.chosen, column: 2 }, widthCells, this.look);
  }

  key(sequence: string): void {
    const name = keyName(sequence) ?? "";
    const count = (this.field.options ?? []).length;
    if (count === 0) return;
    // An optional field has an empty place before the first option.
    const least = this.field.required === true ? 0 : -1;
    const places = count - least;
    if (name === "right" || name === "down" || name === "space")
      this.chosen = ((this.chosen + 1 - least) % places) + least;
    else if ((name === "left" || name === "up") && this.chosen < 0) this.chosen = count - 1;
    else if (name === "left" || name === "up") this.chosen = ((this.chosen - 1 - least + places) % places) + least;
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
    const texts = optionTexts(this.options, this.look).map(({ label, detail }, index) => ({
      label: `[${this.ticked.has(index) ? "x" : " "}] ${label}`,
      detail,
    }));
    return optionList(texts, { at: this.place, column: 3 }, widthCells, this.look);
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
