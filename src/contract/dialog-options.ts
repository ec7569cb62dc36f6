// The options of a question, the same on every wire.
import * as z from "zod";
import type { DialogOptionName } from "./dialog-option-names.js";

/** What a typed answer has to be. Front ends say so before the answer is sent; agents check again, for those that do not. */
export const textRules = {
  required: z.boolean().optional().describe("An empty answer is not accepted."),
  min_length: z.number().optional().describe("The smallest number of characters."),
  max_length: z.number().optional().describe("The largest number of characters."),
  pattern: z
    .string()
    .optional()
    .describe("A regular expression that must match somewhere. One that could take too long is left to the agent."),
  format: z.enum(["email", "uri", "date", "date-time"]).optional().describe("The form of the text."),
  validate: z.string().optional().describe("The message for an invalid answer, instead of the front end's own."),
};

// What a permission says about the action; a confirmation has the same.
export const commandOption = z.string().optional().describe("The command that would run; shown whole.");
export const diffOption = z.string().optional().describe("A unified diff of the change; shown whole.");
export const pathOption = z.string().optional().describe("The file that would change or be read.");
export const ruleOption = z.string().optional().describe("The rule that `always` would add.");
export const scopeOption = z.string().optional().describe("Where the rule would hold, such as `this project`.");
export const dangerOption = z.string().optional().describe("What is dangerous about a yes; shown as a warning.");
export const detailsOption = z
  .array(z.object({ name: z.string().describe("Such as `folder`."), value: z.string().describe("Its value.") }))
  .optional()
  .describe("Inputs that change what runs and are in no other field; shown whole.");

/** The options of a dialog. Unknown ones are passed on; a front end that does not know them ignores them. */
const optionsSchema = z.looseObject({
  default: z
    .unknown()
    .optional()
    .describe(
      "select: the value (with `multiple`, the list of values) selected at first. input: the initial text. Never a yes.",
    ),
  multiple: z.boolean().optional().describe("select, files: several may be chosen, and the answer is a list."),
  min: z.number().optional().describe("With `multiple`: how many at least."),
  max: z.number().optional().describe("With `multiple`: how many at most."),
  ...textRules,
  secret: z.boolean().optional().describe("input: what is typed is not shown, logged or recorded."),
  confirm_label: z.string().optional().describe("confirm: the word on the yes."),
  cancel_label: z.string().optional().describe("confirm: the word on the no."),
  danger_level: z
    .enum(["normal", "danger"])
    .optional()
    .describe("confirm: `danger` shows a warning, also without words."),
  danger: dangerOption,
  command: commandOption,
  diff: diffOption,
  path: pathOption,
  tool: z.string().optional().describe("confirm: the tool that is being allowed."),
  tool_call_id: z.string().optional().describe("The tool call that asks; the front end shows the two as one."),
  rule: ruleOption,
  scope: scopeOption,
  allow_remember: z.boolean().optional().describe("confirm: offers `always`. Prefer `permission`."),
  allow_reason: z.boolean().optional().describe("confirm: takes a reason with a no. Prefer `permission`."),
  details: detailsOption,
  performed_by: z
    .enum(["palaver", "agent"])
    .optional()
    .describe("confirm: who performs the action. The front end sets it; what an agent sends is replaced."),
} satisfies Readonly<Record<DialogOptionName, z.ZodType>>);

export const optsSchema = optionsSchema
  .optional()
  .meta({ id: "DialogOptions", description: "Options of the dialog; always an object." });
