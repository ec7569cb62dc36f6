// The options of a question, the same on every wire.
import * as z from "zod";
import type { DialogOptionName } from "./dialog-option-names.js";

/** What a typed answer has to be. Front ends say so before the answer is sent; agents check again, for those that do not. */
export const textRules = {
  required: z.boolean().optional(),
  min_length: z.number().optional(),
  max_length: z.number().optional(),
  /** A regular expression that has to be found in the text. One that could take too long here is left to the agent. */
  pattern: z.string().optional(),
  format: z.enum(["email", "uri", "date", "date-time"]).optional(),
  /** The message for an invalid answer, instead of ours. */
  validate: z.string().optional(),
};

/** The options of a dialog. Unknown ones are passed on; a front end that does not know them ignores them. */
const optionsSchema = z.looseObject({
  /** The preselected or initial value; never an approval. */
  default: z.unknown().optional(),
  /** Several may be chosen, and the answer is a list. */
  multi: z.boolean().optional(),
  /** With multi: how many at least, and at most. */
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
} satisfies Readonly<Record<DialogOptionName, z.ZodType>>);

export const optsSchema = optionsSchema
  .optional()
  .meta({ id: "DialogOptions", description: "Options of the dialog; always an object." });
