// The questions an agent can ask the user, the same on every wire: one row of `dialogKinds` each. Wires, capabilities and
// the sdk are made from the rows. A cancelled question is a value: null, and false for a confirmation.
import * as z from "zod";
import { optsSchema, textRules } from "./dialog-options.js";
import { isInnerPath, NOT_INNER } from "./inner-path.js";
import { isRecord } from "./json-value.js";

const selectOptionSchema = z
  .looseObject({ label: z.string(), value: z.string(), description: z.string().nullish() })
  .meta({ id: "SelectOption" });

const formFieldSchema = z
  .looseObject({
    name: z.string(),
    label: z.string(),
    kind: z.enum(["text", "secret", "number", "confirm", "select", "multi_select"]),
    options: z.array(selectOptionSchema).optional(),
    default: z.unknown().optional(),
    description: z.string().nullish(),
    placeholder: z.string().nullish(),
    ...textRules,
    /** number: the smallest and the largest; multi_select: how many at least, and at most. */
    min: z.number().optional(),
    max: z.number().optional(),
    integer: z.boolean().optional(),
  })
  .meta({ id: "FormField" });

/** Extra text below the title. */
const message = z.string().nullish();

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
  .looseObject({ title: z.string(), message, options: z.array(selectOptionSchema), opts: optsSchema })
  .meta({ id: "SelectParams", description: "Choose one of these; or several, with opts.multi." });

const filesParams = z
  .looseObject({
    title: z.string(),
    message,
    /** Where to choose from: the folder of the session, or one named relative to it. */
    folder: z.string().optional(),
    /** The machine that has the folder. Palaver says so; what an agent claims is replaced. */
    host: z.string().optional(),
    opts: optsSchema,
  })
  .meta({ id: "FilesParams", description: "Choose a file or a folder; or several, with opts.multi." });

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
      .looseObject({ title: z.string(), message, opts: optsSchema })
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
      .looseObject({ title: z.string(), message, placeholder: z.string().nullish(), opts: optsSchema })
      .meta({ id: "InputParams", description: "One line of text." }),
    result: z.string().nullable().meta({ id: "InputResult" }),
    example: { title: "Name of the release", placeholder: "v1.4" },
    sample: () => SAMPLE_TEXT,
    read: readText,
  }),
  editor: kind({
    params: z
      .looseObject({ title: z.string(), message, prefill: z.string().nullish(), opts: optsSchema })
      .meta({ id: "EditorParams", description: "Several lines of text." }),
    result: z.string().nullable().meta({ id: "EditorResult" }),
    example: { title: "Describe the change", prefill: "Fix the separator\n" },
    sample: ({ prefill }) => `${prefill ?? ""}${SAMPLE_TEXT}\nwith two lines`,
    read: readText,
  }),
  form: kind({
    params: z
      .looseObject({ title: z.string(), message, fields: z.array(formFieldSchema), opts: optsSchema })
      .meta({ id: "FormParams", description: "Several questions at once." }),
    result: z.record(z.string(), z.unknown()).nullable().meta({
      id: "FormResult",
      description: "The answers by the names of the fields; an optional field that was left empty is missing.",
    }),
    example: { title: "New package", fields: [{ name: "name", label: "Name", kind: "text", required: true }] },
    sample: () => null,
    read: (result) => (isRecord(result) ? { value: result } : { wrong: "must be an object with the answers, or null" }),
  }),
  files: kind({
    params: filesParams,
    result: z.array(z.string()).nullable().meta({
      id: "FilesResult",
      description:
        "Paths inside the folder and relative to it, with / between names; one unless opts.multi, at most 500.",
    }),
    example: { title: "Which tests?", folder: "test", opts: { multi: true } },
    sample: () => ["conform.txt"],
    read: readPaths,
  }),
};

const SAMPLE_TEXT = "hello from conform";

function readText(result: unknown): ReadAnswer<string> {
  return typeof result === "string" ? { value: result } : { wrong: "must be text, or null" };
}

// A front end that knows nothing of several choices gives one, which is a list of one.
function readSelection(
  result: unknown,
  { options, opts }: z.infer<typeof selectParams>,
): ReadAnswer<string | string[]> {
  const chosen: unknown[] = opts?.multi === true && Array.isArray(result) ? result : [result];
  const strange = chosen.filter((each) => !options.some(({ value }) => value === each));
  if (strange.length > 0) return { wrong: `not one of the options: ${JSON.stringify(strange[0]).slice(0, 80)}` };
  const values = chosen as string[];
  return { value: opts?.multi === true ? values : (values[0] ?? "") };
}

const PATHS_MAX = 500;

// One path may come without a list around it.
function readPaths(result: unknown, { opts }: z.infer<typeof filesParams>): ReadAnswer<string[]> {
  const paths: unknown[] = Array.isArray(result) ? result : [result];
  if (opts?.multi !== true && paths.length !== 1) return { wrong: "must be one path, or null" };
  if (paths.length > PATHS_MAX) return { wrong: `at most ${PATHS_MAX} paths, not ${paths.length}` };
  return paths.every(isInnerPath) ? { value: paths } : { wrong: NOT_INNER };
}

// With the words around it where there are any: "always", and a reason.
function readConfirmation(result: unknown): ReadAnswer<boolean | { ok: boolean; remember?: boolean; reason?: string }> {
  if (typeof result === "boolean") return { value: result };
  if (!isRecord(result) || typeof result["ok"] !== "boolean") return { wrong: "must be true or false" };
  const { ok, remember, reason } = result;
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

/** The four that every front end has; each other one needs its bit, such as `supports_form`. */
export const basicDialogMethods = ["select", "confirm", "input", "editor"] as const;

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
