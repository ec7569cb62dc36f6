// A form as plain lines, one field after the other.
import type { DialogParams, FormField } from "../../../contract/dialogs.js";
import { countProblem, readNumber, textProblem } from "../../../session/ask-rules.js";
import { safeLine } from "../../../text/safe.js";
import type { Choice } from "./choices.js";
import {
  again,
  choiceIn,
  choicesIn,
  numbered,
  type PlainQuestion,
  type PlainRead,
  sentence,
} from "./plain-question.js";

type FieldRead = { readonly value: unknown } | { readonly problem: string };

const YES_NO: readonly Choice[] = [
  { label: "yes", detail: "" },
  { label: "no", detail: "" },
];

/** `opening` comes before the first field. */
export function plainForm(params: DialogParams<"form">, opening: readonly string[]): PlainQuestion {
  return fieldQuestion(params.fields, 0, {}, opening);
}

function fieldQuestion(
  fields: readonly FormField[],
  index: number,
  values: Readonly<Record<string, unknown>>,
  opening: readonly string[],
): PlainQuestion {
  const field = fields[index];
  if (field === undefined) return { lines: opening, secret: "no", read: () => ({ type: "answered", value: values }) };
  return {
    lines: [...opening, ...fieldLines(field, index, fields.length)],
    secret: field.kind === "secret" ? "yes" : "no",
    read: (line): PlainRead => {
      const read = readField(field, line);
      if ("problem" in read) return again(sentence(read.problem));
      const next = read.value === undefined ? values : { ...values, [field.name]: read.value };
      if (index === fields.length - 1) return { type: "answered", value: next };
      return { type: "next", question: fieldQuestion(fields, index + 1, next, []) };
    },
  };
}

function fieldLines(field: FormField, index: number, count: number): string[] {
  const name = safeLine(field.label) || safeLine(field.name);
  const needed = field.required === true ? ", needed" : "";
  const head = `Field ${index + 1} of ${count}, ${name}${needed}.`;
  const about = field.description ? [sentence(safeLine(field.description))] : [];
  return [[head, ...about].join(" "), ...choicesOf(field), promptOf(field)];
}

function choicesOf(field: FormField): string[] {
  if (field.kind === "confirm") return numbered(YES_NO);
  return field.kind === "select" || field.kind === "multi_select" ? numbered(optionsOf(field)) : [];
}

function promptOf(field: FormField): string {
  const preset = presetWords(field);
  const empty = preset === "" ? (field.required === true ? "" : " An empty line leaves it empty.") : ` ${preset}`;
  switch (field.kind) {
    case "confirm":
    case "select":
      return `Type a number and press Enter.${empty}`;
    case "multi_select":
      return `Type numbers separated by spaces and press Enter.${empty}`;
    case "number":
      return `Type a number and press Enter.${empty}`;
    case "secret":
      return `Type it and press Enter; it is not shown.${empty}`;
    case "text":
      return `Type the answer and press Enter.${empty}`;
  }
}

function presetWords(field: FormField): string {
  if (field.kind === "confirm") return "An empty line means no.";
  if (field.default === undefined || field.default === null) return "";
  if (field.kind === "secret") return "An empty line keeps what is set.";
  const presets: readonly unknown[] = Array.isArray(field.default) ? field.default : [field.default];
  const words = presets.map((preset) => optionLabel(field, preset)).join(", ");
  return words === "" ? "" : `An empty line takes ${sentence(words)}`;
}

function optionLabel(field: FormField, preset: unknown): string {
  return safeLine(field.options?.find(({ value }) => value === preset)?.label ?? String(preset));
}

function readField(field: FormField, line: string): FieldRead {
  const typed = line.trim();
  switch (field.kind) {
    case "confirm":
      return readYesNo(typed);
    case "select":
      return readChoice(field, typed);
    case "multi_select":
      return readChoices(field, typed);
    case "number": {
      const text = typed === "" && typeof field.default === "number" ? String(field.default) : typed;
      const { value, problem } = readNumber(text, field);
      return problem === null ? { value } : { problem };
    }
    case "secret":
    case "text": {
      const text = line === "" && typeof field.default === "string" ? field.default : line;
      const problem = textProblem(text, field);
      return problem === null ? { value: text === "" ? undefined : text } : { problem };
    }
  }
}

function readYesNo(typed: string): FieldRead {
  if (typed === "") return { value: false };
  const index = choiceIn(typed, YES_NO);
  return index < 0 ? { problem: "type 1 for yes or 2 for no" } : { value: index === 0 };
}

function readChoice(field: FormField, typed: string): FieldRead {
  const options = field.options ?? [];
  if (typed === "") {
    const preset = options.find(({ value }) => value === field.default)?.value;
    return preset === undefined && field.required === true ? { problem: "choose one" } : { value: preset };
  }
  const index = choiceIn(typed, optionsOf(field));
  return index < 0 ? { problem: `type a number from 1 to ${options.length}` } : { value: options[index]?.value };
}

function readChoices(field: FormField, typed: string): FieldRead {
  const options = field.options ?? [];
  const presets: readonly unknown[] = Array.isArray(field.default) ? field.default : [];
  const preset = options.flatMap(({ value }, index) => (presets.includes(value) ? [index] : []));
  const chosen = typed === "" ? preset : choicesIn(typed, optionsOf(field));
  if (chosen === null) return { problem: `type numbers from 1 to ${options.length}` };
  if (chosen.length === 0 && field.required !== true) return { value: undefined };
  const problem = countProblem(chosen.length, { min: Math.max(1, field.min ?? 0), max: field.max });
  return problem === null ? { value: chosen.map((index) => options[index]?.value) } : { problem };
}

function optionsOf(field: FormField): Choice[] {
  return (field.options ?? []).map(({ label, description }) => ({ label, detail: description ?? "" }));
}
