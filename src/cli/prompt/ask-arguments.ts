// The command line of `palaver ask`, its help, and what it makes of them: a question. What does not fit its kind is bad usage.

import { statSync } from "node:fs";
import { hostname } from "node:os";
import { resolve } from "node:path";
import type { Ask } from "../../contract/asks.js";
import { dialogMethods, dialogParamsSchemas, type FormField, type SelectOption } from "../../contract/dialogs.js";
import { nearestName } from "../../contract/nearest-name.js";
import { errorMessage } from "../../contract/plain-word.js";
import { problemOf } from "../../contract/schema-problem.js";
import { fitAnswer } from "../../session/answer-fit.js";
import { textWidth } from "../../text/width.js";
import { readArguments, readTextFile, timeoutOf, wholeNumber } from "../arguments.js";
import { UsageError } from "../exit-codes.js";
import { spokenAnswer } from "./spoken-answer.js";

export interface AskArguments {
  readonly question: Exclude<Ask["question"], { kind: "permission" }>;
  /** The answer when no user answers; undefined without one. */
  readonly preset: unknown;
  readonly timeoutMs: number | null;
  readonly output: "text" | "json";
  readonly input: "asked" | "off";
  /** "answer": nothing but the answer is printed, and for a confirmation not even that. */
  readonly notes: "all" | "answer";
  /** For `loadConfig`. */
  readonly flags: Readonly<Record<string, unknown>>;
}

const options = {
  message: { type: "string" },
  default: { type: "string", multiple: true },
  timeout: { type: "string" },
  json: { type: "boolean", default: false },
  "no-input": { type: "boolean", default: false },
  "on-ask": { type: "string" },
  multi: { type: "boolean", default: false },
  min: { type: "string" },
  max: { type: "string" },
  secret: { type: "boolean", default: false },
  placeholder: { type: "string" },
  required: { type: "boolean", default: false },
  pattern: { type: "string" },
  yes: { type: "string" },
  no: { type: "string" },
  danger: { type: "string" },
  field: { type: "string", multiple: true },
  fields: { type: "string" },
  multiple: { type: "boolean", default: false },
  separator: { type: "string" },
  quiet: { type: "boolean", short: "q", default: false },
  folder: { type: "string" },
} as const;

type Values = ReturnType<typeof readArguments<typeof options>>["values"];
type Kind = AskArguments["question"]["kind"];

const kinds: readonly Kind[] = dialogMethods;
/** A table is a select whose options are rows. */
const words = [...kinds, "table"] as const;
const COUNT_MAX = 100_000;

export const askHelp = `palaver ask ${words.join("|")}|spin "…" [options]

Asks one question from a shell script. A small dialog opens on the terminal,
even if standard output is captured, and the answer is printed to standard
output.

  select "…" A B C     one of these; without any, each line of standard input is
                       one: value, or value<tab>label<tab>description
    --multiple         several of them, one a line; --min N, --max N
  confirm "…"          yes or no; --yes TEXT, --no TEXT, --danger TEXT
  input "…"            one line; --secret, --placeholder TEXT
  editor "…"           several lines; starts with the text on standard input
    --required, --pattern REGEX      for input and editor
  form "…"             several at once, printed as JSON
    --field SPEC       name, name!, port:number=80, env:select(dev|prod),
                       tags:multi_select(a|b), token:secret, sure:confirm
    --fields FILE      fields as JSON (docs/protocol.md, FormField)
  files "…"            paths, found by typing a few letters and printed one a
                       line, relative to --folder DIR (default: this folder)
    --multiple         several of them; --min N, --max N
  table "…"            a row of standard input, printed unchanged; the first
                       line has the headings, tabs (--separator TEXT) divide
                       the columns
  spin "…" -- COMMAND… show a spinner below the output of a command, and exit
                       with its exit code. Its output is not a terminal: it may
                       have no colours, and appears line by line

  --message TEXT       extra text below the question
  --default VALUE      preselected; also the answer when no one can be
                       asked, or no one answers in time. It cannot be yes.
                       Repeat it with --multiple; a form uses its fields' own
  --timeout SECONDS    how long to wait
  --json               the answer as JSON
  -q, --quiet          print the answer alone, and nothing for confirm
  --no-input           never ask
  --on-ask P           when no one can be asked and there is no default: deny,
                       fail (default, exit code 3) or wait: leave the question
                       with the project's daemon until it is answered there

Exit codes: 0 answered, and yes · 1 no · 2 bad usage · 3 no one could answer ·
4 cancelled (esc, ctrl+c) · 124 timed out

Examples
  palaver ask confirm "Deploy to production?" --danger "3 customers" && ./deploy
  file=$(git diff --name-only | palaver ask select "Which file?")
  palaver ask form "New service" --field name! --field port:number=80 > new.json
`;

/** Flags that mean something for some questions only. */
const flagsOf: Readonly<Record<string, readonly Kind[]>> = {
  multi: ["select"],
  separator: ["select"],
  min: ["select", "files"],
  max: ["select", "files"],
  secret: ["input"],
  placeholder: ["input"],
  required: ["input", "editor"],
  pattern: ["input", "editor"],
  yes: ["confirm"],
  no: ["confirm"],
  danger: ["confirm"],
  field: ["form"],
  fields: ["form"],
  multiple: ["select", "files"],
  folder: ["files"],
};

/** Options have to come; the beginning of a text may. */
type Piped = (input: "if-any" | "wait", pauseMsMax: number | null) => Promise<string | null>;

/** `piped` reads standard input, for options and for the beginning of a text. */
export async function readAskArguments(args: string[], piped: Piped): Promise<AskArguments> {
  const { values, positionals } = readArguments("ask", args, options);
  const [word = "", title = "", ...rest] = positionals;
  const kind = word === "table" ? "select" : kinds.find((each) => each === word);
  if (kind === undefined) throw new UsageError(unknownKind(word));
  if (title === "") throw new UsageError(`ask ${word} needs a question: palaver ask ${word} "…"`);
  if (values.separator !== undefined && word !== "table") throw new UsageError("--separator is for table");
  for (const [flag, meaning] of Object.entries(flagsOf)) {
    const isGiven = values[flag as keyof Values] !== undefined && values[flag as keyof Values] !== false;
    if (isGiven && !meaning.includes(kind)) throw new UsageError(`--${flag} is for ${meaning.join(" and ")}`);
  }
  if (rest.length > 0 && word !== "select") throw new UsageError(`unexpected argument "${rest[0]}"`);
  // The timeout applies to the pipe too.
  const timeoutMs = timeoutOf("--timeout", values.timeout);
  const material = { title, rest, values, piped: (input: "if-any" | "wait") => piped(input, timeoutMs) };
  const question = word === "table" ? await tableQuestion(material) : await questionOf(kind, material);
  return {
    question,
    preset: presetOf(question, values.default),
    timeoutMs,
    output: values.json ? "json" : "text",
    input: values["no-input"] ? "off" : "asked",
    notes: values.quiet ? "answer" : "all",
    flags: values["on-ask"] === undefined ? {} : { "on-ask": values["on-ask"] },
  };
}

function unknownKind(word: string): string {
  const near = nearestName(word, [...words, "spin"]);
  const hint = near === null ? "" : `; did you mean "ask ${near}"?`;
  const not = word === "" ? "" : `, not "${word}"`;
  return `ask one of ${[...words, "spin"].join(", ")}${not}${hint}\n  palaver ask --help`;
}

interface Material {
  readonly title: string;
  readonly rest: readonly string[];
  readonly values: Values;
  readonly piped: (input: "if-any" | "wait") => Promise<string | null>;
}

async function questionOf(kind: Kind, material: Material): Promise<AskArguments["question"]> {
  const { title, values, piped } = material;
  const head = { title, ...(values.message === undefined ? {} : { message: values.message }) };
  switch (kind) {
    case "select":
      return { kind, params: { ...head, ...(await selectParts(material)) } };
    case "confirm":
      return { kind, params: { ...head, opts: confirmOpts(values) } };
    case "input": {
      const secret = values.secret ? { secret: true } : {};
      const hint = values.placeholder === undefined ? {} : { placeholder: values.placeholder };
      return {
        kind,
        params: { ...head, ...hint, opts: { ...textRules(values), ...presetText(values), ...secret } },
      };
    }
    case "editor": {
      const prefill = values.default?.[0] ?? (await piped("if-any")) ?? "";
      return { kind, params: { ...head, prefill, opts: textRules(values) } };
    }
    case "form":
      return { kind, params: { ...head, fields: formFields(values) } };
    case "files":
      return {
        kind,
        params: { ...head, folder: existingFolder(values.folder), host: hostname(), opts: manyOpts(values) },
      };
  }
}

async function selectParts({ rest, values, piped }: Material) {
  const lines = rest.length > 0 ? rest : ((await piped("wait")) ?? "").split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 0) throw new UsageError('ask select needs options: palaver ask select "Which?" npm pnpm yarn');
  const options = lines.map(optionOf);
  const twice = options.find(({ value }, index) => options.findIndex((one) => one.value === value) < index);
  if (twice !== undefined) throw new UsageError(`the option "${twice.value}" is given twice`);
  return { options, opts: manyOpts(values) };
}

function manyOpts(values: Values) {
  const count = (flag: "min" | "max") =>
    values[flag] === undefined ? {} : { [flag]: wholeNumber(`--${flag}`, values[flag], COUNT_MAX) };
  const several = values.multi || values.multiple ? { multiple: true, ...count("min"), ...count("max") } : {};
  const { default: given } = values;
  const preset = given === undefined ? {} : { default: given.length > 1 ? given : given[0] };
  return { ...several, ...preset };
}

// The rows of a table below their headings, in columns that line up.
async function tableQuestion({ title, values, piped }: Material): Promise<AskArguments["question"]> {
  const separator = values.separator ?? "\t";
  const lines = ((await piped("wait")) ?? "").split("\n").map((line) => line.replace(/\r$/, ""));
  const rows = lines.filter((line) => line.trim() !== "").map((line) => ({ line, cells: line.split(separator) }));
  const [head, ...body] = rows;
  if (head === undefined || body.length === 0) {
    throw new UsageError("ask table needs a line of headings and rows on standard input");
  }
  const widths = head.cells.map((_cell, at) =>
    Math.max(...rows.map(({ cells }) => textWidth((cells[at] ?? "").trim()))),
  );
  const inColumns = (cells: readonly string[]) =>
    cells
      .map((cell, at) => `${cell.trim()}${" ".repeat(Math.max(0, (widths[at] ?? 0) - textWidth(cell.trim())))}`)
      .join("  ");
  const options = body.map(({ line, cells }) => ({ value: line, label: inColumns(cells).trimEnd() }));
  const message = [...(values.message === undefined ? [] : [values.message]), inColumns(head.cells)].join("\n");
  return { kind: "select", params: { title, message, options, opts: manyOpts(values) } };
}

function existingFolder(folder = "."): string {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new UsageError(`--folder ${folder} is not a folder`);
  }
  return resolve(folder);
}

/** "value", or "value<tab>what is shown<tab>more about it". */
function optionOf(line: string): SelectOption {
  const [value = "", label = value, description] = line.replace(/\r$/, "").split("\t");
  return { value, label, ...(description === undefined ? {} : { description }) };
}

function confirmOpts({ yes, no, danger }: Values) {
  return {
    ...(yes === undefined ? {} : { confirm_label: yes }),
    ...(no === undefined ? {} : { cancel_label: no }),
    ...(danger === undefined ? {} : { danger, danger_level: "danger" as const }),
  };
}

function textRules({ required, pattern }: Values) {
  if (pattern !== undefined) refuseBrokenPattern(pattern);
  return { ...(required ? { required: true } : {}), ...(pattern === undefined ? {} : { pattern }) };
}

function refuseBrokenPattern(pattern: string): void {
  try {
    new RegExp(pattern, "u");
  } catch (error) {
    throw new UsageError(`--pattern takes a regular expression: ${errorMessage(error)}`);
  }
}

function presetText({ default: given }: Values): { default?: string } {
  return given?.[0] === undefined ? {} : { default: given[0] };
}

function formFields({ field = [], fields }: Values): FormField[] {
  const specified = field.map(readFieldSpec);
  const all = fields === undefined ? specified : [...readFields(fields), ...specified];
  if (all.length === 0) throw new UsageError("ask form needs fields: --field name --field port:number=80");
  const twice = all.find(({ name }, index) => all.findIndex((other) => other.name === name) < index);
  if (twice !== undefined) throw new UsageError(`there are two fields "${twice.name}"`);
  return all;
}

// A list of fields, or an object with one, as the wire has it.
function readFields(path: string): FormField[] {
  let value: unknown;
  try {
    value = JSON.parse(readTextFile("--fields", path));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`--fields ${path} is not JSON: ${errorMessage(error)}`);
  }
  const fields = Array.isArray(value) ? value : (value as { fields?: unknown } | null)?.fields;
  const read = dialogParamsSchemas.form.safeParse({ title: "", fields });
  if (read.success) return read.data.fields;
  const { where, what } = problemOf(read.error);
  throw new UsageError(`--fields ${path}: ${where} ${what}`);
}

// An invalid default fails now, not when it is needed.
function presetOf(question: AskArguments["question"], given: readonly string[] | undefined): unknown {
  if (given === undefined) return question.kind === "form" ? fieldPresets(question.params.fields) : undefined;
  const said = spokenAnswer({ question }, given);
  if (said === undefined) throw new UsageError("--default is given more than once; only --multiple takes several");
  const fitted = fitAnswer({ question }, said);
  if (fitted.kind === "unfit") throw new UsageError(`--default: ${fitted.problem}`);
  if (fitted.kind === "answered" && saysYes(question, fitted.value)) throw new UsageError(`--default: ${NO_YES}`);
  return said;
}

// A form whose fields all have a default answers itself, except with a yes.
function fieldPresets(fields: readonly FormField[]): unknown {
  const isWhole = fields.every(
    ({ kind, default: preset }) => preset !== undefined && (kind !== "confirm" || preset === false),
  );
  return isWhole ? Object.fromEntries(fields.map(({ name, default: preset }) => [name, preset])) : undefined;
}

const NO_YES = "the default is never yes; leave it out, or use --default no";

/** Only a user may say yes. */
function saysYes(question: AskArguments["question"], value: unknown): boolean {
  if (question.kind === "confirm") return value !== false;
  if (question.kind !== "form") return false;
  const answers = value as Readonly<Record<string, unknown>>;
  return question.params.fields.some(({ name, kind }) => kind === "confirm" && answers[name] === true);
}

const SPEC = /^(?<name>[\w.-]+)(?<needed>!)?(?::(?<kind>\w+)(?:\((?<options>[^)]*)\))?)?(?:=(?<preset>[\s\S]*))?$/;

const fieldKinds: readonly FormField["kind"][] = ["text", "secret", "number", "confirm", "select", "multi_select"];

function readFieldSpec(spec: string): FormField {
  const { name = "", needed, kind: word = "text", options, preset } = SPEC.exec(spec)?.groups ?? {};
  if (name === "")
    throw new UsageError(`--field "${spec}" does not look like name, name! or name:kind(options)=default`);
  const kind = fieldKinds.find((each) => each === word);
  if (kind === undefined) throw new UsageError(`--field ${name} is one of ${fieldKinds.join(", ")}, not "${word}"`);
  const hasOptions = kind === "select" || kind === "multi_select";
  if (hasOptions !== (options !== undefined)) {
    throw new UsageError(`--field ${name}: ${hasOptions ? `${kind}(a|b) needs options` : `${kind} has no options`}`);
  }
  return {
    name,
    label: name,
    kind,
    ...(needed === undefined ? {} : { required: true }),
    ...(options === undefined ? {} : { options: options.split("|").map((value) => ({ value, label: value })) }),
    ...(preset === undefined ? {} : { default: fieldPreset(name, kind, preset) }),
  };
}

function fieldPreset(name: string, kind: FormField["kind"], text: string): unknown {
  if (kind === "number") {
    const number = Number(text);
    if (text.trim() !== "" && Number.isFinite(number)) return number;
    throw new UsageError(`--field ${name}: "${text}" is not a number`);
  }
  if (kind === "confirm") return /^(?:y|yes|true|1)$/i.test(text);
  return kind === "multi_select" ? text.split("|") : text;
}
