// The questions an agent can ask the user, the same on every wire: one row of `dialogKinds` each. Wires, capabilities and
// the sdk are made from the rows. A cancelled question is a value: null, and false for a confirmation.
import * as z from "zod";
import { optsSchema, textRules } from "./dialog-options.js";
import { isInnerPath, NOT_INNER } from "./inner-path.js";
import { isRecord } from "./json-value.js";
import { answerOfChoice } from "./permission-call.js";

const selectOptionSchema = z
  .looseObject({
    label: z.string().describe("What the user sees."),
    value: z.string().describe("What comes back; different for each option."),
    description: z.string().nullish().describe("More about it, beside the label."),
  })
  .meta({ id: "SelectOption", description: "One of the things to choose from." });

const formFieldSchema = z
  .looseObject({
    name: z.string().describe("The key of the answer in the result."),
    label: z.string().describe("What the user sees."),
    kind: z
      .enum(["text", "secret", "number", "confirm", "select", "multi_select"])
      .describe("The answer is text, a number, a boolean, a value, or a list of values."),
    options: z.array(selectOptionSchema).optional().describe("select, multi_select: what to choose from."),
    default: z.unknown().optional().describe("The initial value; the answer if the user leaves it as it is."),
    description: z.string().nullish().describe("More text beside the label."),
    placeholder: z.string().nullish().describe("An example, shown while the field is empty."),
    ...textRules,
    min: z.number().optional().describe("number: the smallest; multi_select: how many at least."),
    max: z.number().optional().describe("number: the largest; multi_select: how many at most."),
    integer: z.boolean().optional().describe("number: without a fraction."),
  })
  .meta({ id: "FormField", description: "One question of a form." });

const title = z.string().describe("The question, in one line.");
const message = z.string().nullish().describe("More text below the question.");

/** The value that the agent gets, or why the answer is refused. */
export type ReadAnswer<Result = unknown> = { readonly value: Result } | { readonly wrong: string };

interface DialogKind<Params extends z.ZodType, Result extends z.ZodType> {
  /** What is asked. */
  readonly params: Params;
  /** What comes back. */
  readonly result: Result;
  /** A question of this kind, for the published schema. */
  readonly example: z.input<Params>;
  /** An answer to this question that fits; null cancels. */
  readonly sample: (params: z.infer<Params>) => z.infer<Result>;
  /** Judges an answer other than null. */
  readonly read: (result: unknown, params: z.infer<Params>) => ReadAnswer<z.infer<Result>>;
}

function kind<Params extends z.ZodType, Result extends z.ZodType>(row: DialogKind<Params, Result>) {
  return row;
}

const selectParams = z
  .looseObject({
    title,
    message,
    options: z.array(selectOptionSchema).describe("What to choose from."),
    opts: optsSchema,
  })
  .meta({ id: "SelectParams", description: "Choose one of these; or several, with opts.multiple." });

const filesParams = z
  .looseObject({
    title,
    message,
    folder: z
      .string()
      .optional()
      .describe("Where to choose from, absolute or relative to the agent's folder; default: that folder."),
    host: z
      .string()
      .optional()
      .describe("The machine that has the folder. Palaver sets it; what an agent sends is replaced."),
    opts: optsSchema,
  })
  .meta({ id: "FilesParams", description: "Choose a file or a folder; or several, with opts.multiple." });

export const dialogKinds = {
  select: kind({
    params: selectParams,
    result: z.union([z.string(), z.array(z.string()), z.null()]).meta({ id: "SelectResult" }),
    example: {
      title: "Which package manager?",
      options: [{ label: "pnpm", value: "pnpm", description: "fastest here" }],
    },
    sample: ({ options }) => options[0]?.value ?? null,
    read: readSelection,
  }),
  confirm: kind({
    params: z
      .looseObject({ title, message, opts: optsSchema })
      .meta({ id: "ConfirmParams", description: "Yes or no." }),
    result: z
      .union([
        z.boolean(),
        z.null(),
        z.looseObject({ ok: z.boolean(), remember: z.boolean().optional(), reason: z.string().nullish() }),
      ])
      .meta({
        id: "ConfirmResult",
        description: "An object only if opts has allow_remember or allow_reason.",
      }),
    example: { title: "Delete build/?", message: "It holds 312 files.", opts: { danger_level: "danger" } },
    sample: () => true,
    read: readConfirmation,
  }),
  input: kind({
    params: z
      .looseObject({
        title,
        message,
        placeholder: z.string().nullish().describe("An example, shown while the line is empty."),
        opts: optsSchema,
      })
      .meta({ id: "InputParams", description: "One line of text." }),
    result: z.string().nullable().meta({ id: "InputResult" }),
    example: { title: "Name of the release", placeholder: "v1.4" },
    sample: () => SAMPLE_TEXT,
    read: readText,
  }),
  editor: kind({
    params: z
      .looseObject({
        title,
        message,
        prefill: z.string().nullish().describe("The text to begin with."),
        opts: optsSchema,
      })
      .meta({ id: "EditorParams", description: "Several lines of text." }),
    result: z.string().nullable().meta({ id: "EditorResult" }),
    example: { title: "Describe the change", prefill: "Fix the separator\n" },
    sample: ({ prefill }) => `${prefill ?? ""}${SAMPLE_TEXT}\nwith two lines`,
    read: readText,
  }),
  form: kind({
    params: z
      .looseObject({
        title,
        message,
        fields: z.array(formFieldSchema).describe("The questions, in this order."),
        opts: optsSchema,
      })
      .meta({ id: "FormParams", description: "Several questions at once." }),
    result: z.record(z.string(), z.unknown()).nullable().meta({
      id: "FormResult",
      description: "The answers by the names of the fields; an optional field that was left empty is missing.",
    }),
    example: { title: "New package", fields: [{ name: "name", label: "Name", kind: "text", required: true }] },
    sample: ({ fields }) => Object.fromEntries(fields.map((field) => [field.name, sampleField(field)])),
    read: (result) => (isRecord(result) ? { value: result } : { wrong: "must be an object with the answers, or null" }),
  }),
  files: kind({
    params: filesParams,
    result: z.array(z.string()).nullable().meta({
      id: "FilesResult",
      description:
        "Paths inside the folder and relative to it, with / between names; one unless opts.multiple, at most 500.",
    }),
    example: { title: "Which tests?", folder: "test", opts: { multiple: true } },
    sample: () => ["conform.txt"],
    read: readPaths,
  }),
};

const SAMPLE_TEXT = "hello from conform";

function sampleField({ kind, options = [], default: preset, min = 1 }: z.infer<typeof formFieldSchema>): unknown {
  if (preset !== undefined) return preset;
  if (kind === "number") return min;
  if (kind === "confirm") return true;
  if (kind === "select") return options[0]?.value;
  return kind === "multi_select" ? options.slice(0, min).map(({ value }) => value) : SAMPLE_TEXT;
}

function readText(result: unknown): ReadAnswer<string> {
  return typeof result === "string" ? { value: result } : { wrong: "must be text, or null" };
}

// A front end that knows nothing of several choices gives one, which is a list of one.
function readSelection(
  result: unknown,
  { options, opts }: z.infer<typeof selectParams>,
): ReadAnswer<string | string[]> {
  const chosen: unknown[] = opts?.multiple === true && Array.isArray(result) ? result : [result];
  const strange = chosen.filter((each) => !options.some(({ value }) => value === each));
  if (strange.length > 0) return { wrong: `not one of the options: ${JSON.stringify(strange[0]).slice(0, 80)}` };
  const values = chosen as string[];
  return { value: opts?.multiple === true ? values : (values[0] ?? "") };
}

const PATHS_MAX = 500;

// One path may come without a list around it.
function readPaths(result: unknown, { opts }: z.infer<typeof filesParams>): ReadAnswer<string[]> {
  const paths: unknown[] = Array.isArray(result) ? result : [result];
  if (opts?.multiple !== true && paths.length !== 1) return { wrong: "must be one path, or null" };
  if (paths.length > PATHS_MAX) return { wrong: `at most ${PATHS_MAX} paths, not ${paths.length}` };
  return paths.every(isInnerPath) ? { value: paths } : { wrong: NOT_INNER };
}

// With the words around it where there are any: "always", and a reason.
function readConfirmation(result: unknown): ReadAnswer<boolean | { ok: boolean; remember?: boolean; reason?: string }> {
  if (typeof result === "boolean") return { value: result };
  const answer = isRecord(result) ? (answerOfChoice(result) ?? result) : {};
  const { ok, remember, reason } = answer as Readonly<Record<string, unknown>>;
  if (typeof ok !== "boolean") return { wrong: "must be true or false" };
  return {
    value: {
      ok,
      ...(typeof remember === "boolean" ? { remember } : {}),
      ...(typeof reason === "string" ? { reason } : {}),
    },
  };
}

export type DialogMethod = keyof typeof dialogKinds;
export type DialogParams<Method extends DialogMethod = DialogMethod> = z.infer<(typeof dialogKinds)[Method]["params"]>;
export type DialogResult<Method extends DialogMethod = DialogMethod> = z.infer<(typeof dialogKinds)[Method]["result"]>;
export type SelectOption = z.infer<typeof selectOptionSchema>;
export type FormField = z.infer<typeof formFieldSchema>;

export const dialogMethods = Object.keys(dialogKinds) as [DialogMethod, ...DialogMethod[]];

type Kinds = typeof dialogKinds;

export const dialogParamsSchemas = columnOf("params") as { readonly [Method in DialogMethod]: Kinds[Method]["params"] };
export const dialogResultSchemas = columnOf("result") as { readonly [Method in DialogMethod]: Kinds[Method]["result"] };

function columnOf(column: "params" | "result"): object {
  return Object.fromEntries(dialogMethods.map((method) => [method, dialogKinds[method][column]]));
}

/** A question with all its options. */
export type DialogQuestion = {
  readonly [Method in DialogMethod]: { readonly method: Method; readonly params: DialogParams<Method> };
}[DialogMethod];

/** What the agent gets when the question is cancelled. */
export function cancelledAnswer(method: DialogMethod): false | null {
  return method === "confirm" ? false : null;
}

/** Every answer on its way to an agent is judged here. */
export function readAnswer({ method, params }: DialogQuestion, result: unknown): ReadAnswer<DialogResult> {
  if (result === null) return { value: cancelledAnswer(method) };
  const read = dialogKinds[method].read as (result: unknown, params: DialogParams) => ReadAnswer<DialogResult>;
  return read(result, params);
}

/** An answer that fits, as a peer gives it that tests an agent. */
export function sampleAnswer({ method, params }: DialogQuestion): DialogResult {
  const sample = dialogKinds[method].sample as (params: DialogParams) => DialogResult;
  return sample(params);
}
