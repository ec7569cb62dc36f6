// Answers from a file, a flag or a default, fitted to the question. What does not fit is refused with a message; nothing is
// allowed that was not said to be allowed.
import type { Ask, PermissionParams } from "../contract/asks.js";
import { type DialogParams, dialogKinds, type FormField, type SelectOption } from "../contract/dialogs.js";
import { isRecord } from "../contract/json-value.js";
import { offersAlways } from "./ask-facts.js";
import { countProblem, readNumber, textProblem } from "./ask-rules.js";

export type FittedAnswer =
  | { readonly kind: "answered"; readonly value: unknown }
  | { readonly kind: "cancelled" }
  | { readonly kind: "unfit"; readonly problem: string };

const permissionWords = ["allow_once", "allow_always", "reject_once", "reject_always"] as const;
export type PermissionWord = (typeof permissionWords)[number];

const cancelled: FittedAnswer = { kind: "cancelled" };

/** `null` cancels any question. */
export function fitAnswer({ question }: Pick<Ask, "question">, said: unknown): FittedAnswer {
  if (said === null) return cancelled;
  switch (question.kind) {
    case "permission":
      return fitPermission(question.params, said);
    case "confirm":
      return fitConfirm(question.params, said);
    case "select":
      return fitSelect(question.params, said);
    case "input":
    case "editor":
      return typeof said === "string" ? judged(said, textProblem(said, question.params.opts ?? {})) : unfit("a text");
    case "form":
      return fitForm(question.params.fields, said);
    case "files":
      return fitFiles(question.params, said);
  }
}

/** An answer that was written down without a look at the form: what it leaves out has its default, but a yes has to be said. */
export function fitWritten(ask: Pick<Ask, "question">, said: unknown): FittedAnswer {
  const { question } = ask;
  if (question.kind !== "form" || !isRecord(said)) return fitAnswer(ask, said);
  return fitAnswer(ask, { ...presets(question.params.fields), ...said });
}

function presets(fields: readonly FormField[]): Record<string, unknown> {
  const fitting = fields.filter((field) => field.kind !== "confirm" && fieldProblem(field, field.default) === null);
  return Object.fromEntries(fitting.map((field) => [field.name, field.default]));
}

export function isPermissionWord(said: unknown): said is PermissionWord {
  return permissionWords.some((word) => word === said);
}

// A refusal that the agent does not offer is a cancel, which is a no too. A yes that it does not offer is none.
function fitPermission({ choices }: PermissionParams, said: unknown): FittedAnswer {
  if (!isPermissionWord(said)) return unfit(permissionWords.join(", "));
  const offered = choices.find(({ choice }) => choice === said);
  if (offered !== undefined) return { kind: "answered", value: { choiceId: offered.id } };
  if (said.startsWith("reject")) return cancelled;
  return { kind: "unfit", problem: `the agent does not offer ${said} here` };
}

// Some agents ask for a permission as a yes or no; the words of a permission answer that as well.
function fitConfirm({ opts = {} }: DialogParams<"confirm">, said: unknown): FittedAnswer {
  const isWord = isPermissionWord(said);
  if (typeof said !== "boolean" && !isWord) {
    return unfit(opts.tool === undefined ? "true or false" : permissionWords.join(", "));
  }
  const ok = isWord ? said.startsWith("allow") : said;
  const hasDetails = opts.allow_remember === true || opts.allow_reason === true;
  if (said === "allow_always" && !offersAlways(opts)) {
    return { kind: "unfit", problem: "the agent does not offer allow_always here" };
  }
  if (!hasDetails) return { kind: "answered", value: ok };
  return { kind: "answered", value: said === "allow_always" ? { ok, remember: true } : { ok } };
}

function fitSelect({ options, opts = {} }: DialogParams<"select">, said: unknown): FittedAnswer {
  const wanted: readonly unknown[] = Array.isArray(said) ? said : [said];
  const values = wanted.map((each) => offeredValue(options, each));
  const stranger = wanted[values.indexOf(null)];
  if (values.includes(null)) {
    return { kind: "unfit", problem: `${JSON.stringify(stranger)} is not one of the options${listed(options)}` };
  }
  if (opts.multiple !== true) {
    return Array.isArray(said) ? unfit("one of the options") : { kind: "answered", value: values[0] };
  }
  return judged(values, countProblem(values.length, opts));
}

const LISTED_MAX = 12;

function listed(options: readonly SelectOption[]): string {
  return options.length > LISTED_MAX ? "" : `: ${options.map(({ value }) => value).join(", ")}`;
}

/** By its value, or by the words that a dialog would show; null for a word that means two of them. */
function offeredValue(options: readonly SelectOption[], said: unknown): string | null {
  const named = options.filter(({ label, value }) => value === said || label === said).map(({ value }) => value);
  return new Set(named).size === 1 ? (named[0] ?? null) : null;
}

function fitForm(fields: readonly FormField[], said: unknown): FittedAnswer {
  if (!isRecord(said)) return unfit(`an object with a value per field: ${formExample(fields)}`);
  const stranger = Object.keys(said).find((name) => !fields.some((field) => field.name === name));
  if (stranger !== undefined) return { kind: "unfit", problem: `there is no field "${stranger}"` };
  for (const field of fields) {
    const problem = fieldProblem(field, said[field.name]);
    if (problem !== null) return { kind: "unfit", problem: `${field.name}: ${problem}` };
  }
  const answers = fields.map((field) => [field.name, fieldAnswer(field, said[field.name])] as const);
  return { kind: "answered", value: Object.fromEntries(answers.filter(([, answer]) => answer !== undefined)) };
}

// What the agent gets for a value that has no problem; undefined for none.
function fieldAnswer({ kind, options = [] }: FormField, said: unknown): unknown {
  if (kind === "confirm") return said === true;
  if (said === undefined || said === null) return undefined;
  if (kind === "select") return offeredValue(options, said);
  return kind === "multi_select" ? (said as unknown[]).map((each) => offeredValue(options, each)) : said;
}

const EXAMPLE_FIELDS_MAX = 3;

function formExample(fields: readonly FormField[]): string {
  const words = { text: "…", secret: "…", number: 1, confirm: true, select: "…", multi_select: ["…"] } as const;
  const shown = fields.slice(0, EXAMPLE_FIELDS_MAX).map(({ name, kind }) => [name, words[kind]]);
  return JSON.stringify(Object.fromEntries(shown));
}

function fieldProblem(field: FormField, said: unknown): string | null {
  if (said === undefined || said === null) return field.required === true ? "required" : null;
  switch (field.kind) {
    case "text":
    case "secret":
      return typeof said === "string" ? textProblem(said, field) : "this must be a text";
    case "number":
      return typeof said === "number" ? readNumber(String(said), field).problem : "this must be a number";
    case "confirm":
      return typeof said === "boolean" ? null : "this must be true or false";
    case "select":
      return offeredValue(field.options ?? [], said) === null ? "this is not one of the options" : null;
    case "multi_select": {
      if (!Array.isArray(said)) return "this must be a list";
      const isOffered = said.every((each) => offeredValue(field.options ?? [], each) !== null);
      return isOffered ? countProblem(said.length, field) : "this is not one of the options";
    }
  }
}

function fitFiles(params: DialogParams<"files">, said: unknown): FittedAnswer {
  const read = dialogKinds.files.read(said, params);
  if ("wrong" in read) return { kind: "unfit", problem: read.wrong };
  const paths = read.value ?? [];
  return judged(paths, params.opts?.multiple === true ? countProblem(paths.length, params.opts) : null);
}

function judged(value: unknown, problem: string | null): FittedAnswer {
  return problem === null ? { kind: "answered", value } : { kind: "unfit", problem };
}

function unfit(what: string): FittedAnswer {
  return { kind: "unfit", problem: `the answer must be ${what}` };
}
