// The form of an elicitation as dialog fields, and the answers back. Answers are checked before they are sent: the MCP server
// would refuse an invalid one, and the user would not see why.

import type { FormField, SelectOption } from "../../contract/dialogs.js";
import { plainWord } from "../../contract/plain-word.js";
import { type AcpFormProperty, acpFormPropertySchema, acpFormSchema } from "./acp/acp-frames.js";

export type ElicitedForm = { readonly fields: readonly ElicitedField[] };

export type ElicitedField = { readonly field: FormField; readonly property: AcpFormProperty };

/** The form, or why it cannot be shown. */
export function readForm(requested: unknown): ElicitedForm | { problem: string } {
  const { data } = acpFormSchema.safeParse(requested ?? {});
  if (data === undefined) return { problem: "the form is no object with properties" };
  const required = new Set(data.required ?? []);
  const order = data["property_order"];
  const names = Object.keys(data.properties ?? {});
  const first = Array.isArray(order) ? order.filter((name): name is string => names.includes(plainWord(name))) : [];
  const fields: ElicitedField[] = [];
  for (const name of new Set([...first, ...names])) {
    const property = acpFormPropertySchema.safeParse(data.properties?.[name]).data;
    const field = property === undefined ? null : fieldOf(name, property, required.has(name));
    if (property === undefined || field === null) return { problem: `the field ${name} is of an unknown kind` };
    fields.push({ field, property });
  }
  return { fields };
}

function fieldOf(name: string, property: AcpFormProperty, required: boolean): FormField | null {
  const { title, description } = property;
  const isGiven = property.default !== undefined && property.default !== null;
  const common = {
    name,
    label: title || name,
    required,
    ...(description ? { description } : {}),
    ...(isGiven ? { default: property.default } : {}),
  };
  switch (property.type) {
    case "string":
      return stringField(common, property);
    case "number":
    case "integer":
      return {
        ...common,
        kind: "number",
        ...(property.type === "integer" ? { integer: true } : {}),
        ...(property.minimum == null ? {} : { min: property.minimum }),
        ...(property.maximum == null ? {} : { max: property.maximum }),
      };
    case "boolean":
      return { ...common, kind: "confirm" };
    case "array":
      return {
        ...common,
        kind: "multi_select",
        options: optionsOf(property.items?.anyOf, property.items?.enum),
        ...(property.minItems == null ? {} : { min: property.minItems }),
        ...(property.maxItems == null ? {} : { max: property.maxItems }),
      };
    default:
      return null;
  }
}

const formats = ["email", "uri", "date", "date-time"] as const;

function stringField(common: Omit<FormField, "kind">, property: AcpFormProperty): FormField {
  const options = optionsOf(property.oneOf, property.enum, property.enumNames);
  if (options.length > 0) return { ...common, kind: "select", options } as FormField;
  const format = formats.find((known) => known === property.format);
  return {
    ...common,
    kind: "text",
    ...(property.minLength == null ? {} : { min_length: property.minLength }),
    ...(property.maxLength == null ? {} : { max_length: property.maxLength }),
    ...(property.pattern == null ? {} : { pattern: property.pattern }),
    ...(format === undefined ? {} : { format }),
  } as FormField;
}

type Titled = readonly { const: string; title?: string | null | undefined; description?: string | null | undefined }[];

function optionsOf(
  titled: Titled | null | undefined,
  plain: readonly string[] | null | undefined,
  names?: readonly string[] | null,
): SelectOption[] {
  if (titled) {
    return titled.map(({ const: value, title, description }) => {
      return { value, label: title || value, ...(description ? { description } : {}) };
    });
  }
  return (plain ?? []).map((value, index) => ({ value, label: names?.[index] ?? value }));
}

/** Problems by field name. */
export function problemsWith(form: ElicitedForm, answers: Readonly<Record<string, unknown>>): Map<string, string> {
  const problems = new Map<string, string>();
  for (const { field, property } of form.fields) {
    const value = answers[field.name];
    const isMissing = value === undefined || value === null || value === "";
    const problem = isMissing ? (field.required ? "needs an answer" : null) : problemWith(property, value);
    if (problem !== null) problems.set(field.name, problem);
  }
  return problems;
}

function problemWith(property: AcpFormProperty, value: unknown): string | null {
  switch (property.type) {
    case "string":
      return problemWithText(property, value);
    case "number":
    case "integer":
      return problemWithNumber(property, value);
    case "boolean":
      return typeof value === "boolean" ? null : "is yes or no";
    default:
      return problemWithList(property, value);
  }
}

function problemWithText(property: AcpFormProperty, value: unknown): string | null {
  if (typeof value !== "string") return "is text";
  const options = optionsOf(property.oneOf, property.enum);
  if (options.length > 0 && !options.some((option) => option.value === value)) return "is none of the choices";
  if (value.length < (property.minLength ?? 0)) return `needs at least ${property.minLength} characters`;
  if (value.length > (property.maxLength ?? value.length)) return `has at most ${property.maxLength} characters`;
  return null;
}

function problemWithNumber(property: AcpFormProperty, value: unknown): string | null {
  if (typeof value !== "number" || !Number.isFinite(value)) return "is a number";
  if (property.type === "integer" && !Number.isInteger(value)) return "is a whole number";
  if (value < (property.minimum ?? value)) return `is at least ${property.minimum}`;
  return value > (property.maximum ?? value) ? `is at most ${property.maximum}` : null;
}

function problemWithList(property: AcpFormProperty, value: unknown): string | null {
  if (!Array.isArray(value)) return "is a list";
  const options = optionsOf(property.items?.anyOf, property.items?.enum);
  if (value.some((item) => !options.some((option) => option.value === item)))
    return "holds something else than choices";
  if (value.length < (property.minItems ?? 0)) return `needs at least ${property.minItems}`;
  return value.length > (property.maxItems ?? value.length) ? `takes at most ${property.maxItems}` : null;
}

/** Converts typed numbers and leaves out empty answers. */
export function answersOf(form: ElicitedForm, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const answers: Record<string, unknown> = {};
  for (const { field, property } of form.fields) {
    const value = given[field.name];
    if (value === undefined || value === null || (value === "" && property.type !== "string")) continue;
    if (value === "" && !field.required) continue;
    const isNumber = property.type === "number" || property.type === "integer";
    answers[field.name] = isNumber && typeof value === "string" ? Number(value) : value;
  }
  return answers;
}
