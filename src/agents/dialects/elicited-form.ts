// The form of an elicitation as dialog fields, and the answers back. Answers are checked before they are sent: the MCP server
// would refuse an invalid one, and the user would not see why.

import type { FormField, SelectOption } from "../../contract/dialogs.js";
import { plainWord } from "../../contract/plain-word.js";
import { type AcpFormProperty, acpFormPropertySchema, acpFormSchema } from "./acp/acp-frames.js";
import { filled } from "./frames/lenient-field.js";

export type ElicitedForm = { readonly fields: readonly FormField[] };

/** The form, or why it cannot be shown. */
export function readForm(requested: unknown): ElicitedForm | { problem: string } {
  const { data } = acpFormSchema.safeParse(requested ?? {});
  if (data === undefined) return { problem: "the form is not an object with properties" };
  const required = new Set(data.required ?? []);
  const order = data["property_order"];
  const names = Object.keys(data.properties ?? {});
  const first = Array.isArray(order) ? order.filter((name): name is string => names.includes(plainWord(name))) : [];
  const fields: FormField[] = [];
  for (const name of new Set([...first, ...names])) {
    const property = acpFormPropertySchema.safeParse(data.properties?.[name]).data;
    const field = property === undefined ? null : fieldOf(name, property, required.has(name));
    if (field === null) return { problem: `the field ${name} is of an unknown kind` };
    fields.push(field);
  }
  return { fields };
}

function fieldOf(name: string, property: AcpFormProperty, required: boolean): FormField | null {
  const { title, description, minimum: min, maximum: max, minItems, maxItems } = property;
  const common = {
    name,
    label: title || name,
    required,
    ...filled({ description }),
    ...given({ default: property.default }),
  };
  switch (property.type) {
    case "string":
      return stringField(common, property);
    case "number":
    case "integer":
      return { ...common, kind: "number", ...given({ integer: property.type === "integer" || null, min, max }) };
    case "boolean":
      return { ...common, kind: "confirm" };
    case "array":
      return {
        ...{ ...common, kind: "multi_select", options: optionsOf(property.items?.anyOf, property.items?.enum) },
        ...given({ min: minItems, max: maxItems }),
      };
    default:
      return null;
  }
}

const formats = ["email", "uri", "date", "date-time"] as const;

function stringField(common: Pick<FormField, "name" | "label">, property: AcpFormProperty): FormField {
  const options = optionsOf(property.oneOf, property.enum, property.enumNames);
  if (options.length > 0) return { ...common, kind: "select", options };
  const { minLength: min_length, maxLength: max_length, pattern } = property;
  const format = formats.find((known) => known === property.format);
  return { ...common, kind: "text", ...given({ min_length, max_length, pattern, format }) };
}

/** Without the fields that are undefined or null. */
function given<Fields extends object>(fields: Fields) {
  const known = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(known) as { [Name in keyof Fields]?: NonNullable<Fields[Name]> };
}

type Titled = readonly { const: string; title?: string | null | undefined; description?: string | null | undefined }[];

function optionsOf(
  titled: Titled | null | undefined,
  plain: readonly string[] | null | undefined,
  names?: readonly string[] | null,
): SelectOption[] {
  if (titled) {
    return titled.map(({ const: value, title, description }) => {
      return { value, label: title || value, ...filled({ description }) };
    });
  }
  return (plain ?? []).map((value, index) => ({ value, label: names?.[index] ?? value }));
}

/** Problems by field name. */
export function problemsWith(form: ElicitedForm, answers: Readonly<Record<string, unknown>>): Map<string, string> {
  const problems = new Map<string, string>();
  for (const field of form.fields) {
    const value = answers[field.name];
    const isMissing = value === undefined || value === null || value === "";
    const problem = isMissing ? (field.required ? "needs an answer" : null) : problemWith(field, value);
    if (problem !== null) problems.set(field.name, problem);
  }
  return problems;
}

function problemWith(field: FormField, value: unknown): string | null {
  const { kind, options = [], integer, min, max, min_length: least = 0, max_length: most } = field;
  const isChoice = (word: unknown) => options.some((option) => option.value === word);
  switch (kind) {
    case "confirm":
      return typeof value === "boolean" ? null : "is yes or no";
    case "number":
      if (typeof value !== "number" || !Number.isFinite(value)) return "is a number";
      if (integer === true && !Number.isInteger(value)) return "is a whole number";
      if (value < (min ?? value)) return `is at least ${min}`;
      return value > (max ?? value) ? `is at most ${max}` : null;
    case "multi_select":
      if (!Array.isArray(value)) return "is a list";
      if (!value.every(isChoice)) return "contains a value that is not a choice";
      if (value.length < (min ?? 0)) return `needs at least ${min}`;
      return value.length > (max ?? value.length) ? `takes at most ${max}` : null;
    default:
      if (typeof value !== "string") return "is text";
      if (kind === "select" && !isChoice(value)) return "is not one of the choices";
      if (value.length < least) return `needs at least ${least} characters`;
      return value.length > (most ?? value.length) ? `has at most ${most} characters` : null;
  }
}

/** Converts typed numbers and leaves out empty answers. */
export function answersOf(form: ElicitedForm, typed: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const answers: Record<string, unknown> = {};
  for (const { name, kind, required } of form.fields) {
    const value = typed[name];
    const isText = kind === "text" || kind === "select";
    if (value === undefined || value === null || (value === "" && !(isText && required))) continue;
    answers[name] = kind === "number" && typeof value === "string" ? Number(value) : value;
  }
  return answers;
}
