// The questions an agent can put to a person, the same on every wire: what is asked (`params`) and what may come back.
// A cancelled question is a value: null, and false for a confirmation.
import * as z from "zod";

/** What a typed answer has to be. Front ends say so before the answer is sent; agents check again, for those that do not. */
const textRules = {
  required: z.boolean().optional(),
  min_length: z.number().optional(),
  max_length: z.number().optional(),
  /** A regular expression that has to be found in the text. One that could take too long here is left to the agent. */
  pattern: z.string().optional(),
  format: z.enum(["email", "uri", "date", "date-time"]).optional(),
  /** What is said instead of our own words when the answer does not fit. */
  validate: z.string().optional(),
};

/** Extra wishes of a dialog. Unknown ones travel too: a front end that does not know them ignores them. */
const optionsSchema = z.looseObject({
  /** What is chosen or typed already; never an approval. */
  default: z.unknown().optional(),
  /** select: several may be chosen, and the answer is a list. */
  multi: z.boolean().optional(),
  /** select with multi: how many at least, and at most. */
  min: z.number().optional(),
  max: z.number().optional(),
  /** input: what may be typed. */
  ...textRules,
  /** input: what is typed is not shown, logged or recorded. */
  secret: z.boolean().optional(),
  /** confirm: the words on the two answers. */
  confirm_label: z.string().optional(),
  cancel_label: z.string().optional(),
  danger_level: z.enum(["normal", "danger"]).optional(),
  /** confirm: what is dangerous about it, in words. */
  danger: z.string().optional(),
  /** confirm: what is approved. It is shown whole, or can be opened whole. */
  command: z.string().optional(),
  diff: z.string().optional(),
  path: z.string().optional(),
  /** confirm: the tool call that is being allowed, the rule that "always" would add, what may be said besides yes. */
  tool: z.string().optional(),
  tool_call_id: z.string().optional(),
  rule: z.string().optional(),
  /** confirm: where "always" would hold, such as "this project". */
  scope: z.string().optional(),
  allow_remember: z.boolean().optional(),
  allow_reason: z.boolean().optional(),
  /** confirm: inputs that change what runs and are in none of the fields above. Shown whole. */
  details: z.array(z.object({ name: z.string(), value: z.string() })).optional(),
  /** confirm: who performs what is approved. The front end's link says so; what an agent claims is replaced. */
  performed_by: z.enum(["palaver", "agent"]).optional(),
});

/** The options that have a meaning; any other one is an agent's own. */
export const dialogOptionNames: ReadonlySet<string> = new Set(Object.keys(optionsSchema.shape));

const optsSchema = optionsSchema
  .optional()
  .meta({ id: "DialogOptions", description: "Extra wishes, always an object." });

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

/** More words under the title. */
const message = z.string().nullish();

export const dialogParamsSchemas = {
  select: z
    .looseObject({ title: z.string(), message, options: z.array(selectOptionSchema), opts: optsSchema })
    .meta({ id: "SelectParams", description: "Choose one of these; or several, with opts.multi." }),
  confirm: z
    .looseObject({ title: z.string(), message, opts: optsSchema })
    .meta({ id: "ConfirmParams", description: "Yes or no." }),
  input: z
    .looseObject({ title: z.string(), message, placeholder: z.string().nullish(), opts: optsSchema })
    .meta({ id: "InputParams", description: "One line of text." }),
  editor: z
    .looseObject({ title: z.string(), message, prefill: z.string().nullish(), opts: optsSchema })
    .meta({ id: "EditorParams", description: "Several lines of text." }),
  form: z
    .looseObject({ title: z.string(), message, fields: z.array(formFieldSchema), opts: optsSchema })
    .meta({ id: "FormParams", description: "Several questions at once." }),
} as const;

export const dialogResultSchemas = {
  select: z.union([z.string(), z.array(z.string()), z.null()]).meta({ id: "SelectResult" }),
  confirm: z
    .union([
      z.boolean(),
      z.null(),
      z.looseObject({ ok: z.boolean(), remember: z.boolean().optional(), reason: z.string().nullish() }),
    ])
    .meta({
      id: "ConfirmResult",
      description: "The object only where opts asked for it with allow_remember or allow_reason.",
    }),
  input: z.string().nullable().meta({ id: "InputResult" }),
  editor: z.string().nullable().meta({ id: "EditorResult" }),
  form: z.record(z.string(), z.unknown()).nullable().meta({
    id: "FormResult",
    description: "The answers by the names of the fields; an optional field that was left empty is not among them.",
  }),
} as const;

export type DialogMethod = keyof typeof dialogParamsSchemas;
export type DialogParams<Method extends DialogMethod = DialogMethod> = z.infer<(typeof dialogParamsSchemas)[Method]>;
export type DialogResult<Method extends DialogMethod = DialogMethod> = z.infer<(typeof dialogResultSchemas)[Method]>;
export type SelectOption = z.infer<typeof selectOptionSchema>;
export type FormField = z.infer<typeof formFieldSchema>;

/** The four that every front end has; `form` needs the bit `supports_form`. */
export const basicDialogMethods = ["select", "confirm", "input", "editor"] as const;
