// An ask: anything an agent needs from the user, whatever wire it came over and whichever front end shows it.
//
//   asked → queued → pending (drawn, not yet accepting keys) → active → answered | cancelled | expired | withdrawn
//
// The first answer wins. Every ask ends in exactly one outcome, and every outcome leaves one audit record.
import * as z from "zod";
import { type DialogMethod, dialogMethods, dialogParamsSchemas } from "./dialogs.js";
import { fileChangeSchema } from "./file-change.js";

function question<Kind extends DialogMethod>(kind: Kind) {
  return z.object({ kind: z.literal(kind), params: dialogParamsSchemas[kind] });
}

const permissionChoiceSchema = z.enum(["allow_once", "allow_always", "reject_once", "reject_always"]);

// Agents that bring their own list of answers ask this way. The answer is a `PermissionResult`, or a cancel; a front end
// adds a "no" that cancels when the list has none, and never begins on a choice that allows.
const permissionQuestionSchema = z.object({
  kind: z.literal("permission"),
  params: z
    .looseObject({
      title: z.string().describe("The question."),
      tool: z.string().describe("The tool that the agent wants to use."),
      toolCallId: z.string().optional().describe("The call of that tool."),
      choices: z
        .array(
          z.looseObject({
            id: z.string().describe("What the answer names."),
            label: z.string().describe("What the user sees."),
            choice: permissionChoiceSchema.describe("What it means."),
            description: z.string().optional().describe("More about it, such as the rule it would add."),
          }),
        )
        .describe("The answers of the agent."),
      message: z.string().optional().describe("Text below the title."),
      markdown: z.boolean().optional().describe("The message is Markdown, and is drawn as it."),
      command: z.string().optional().describe("What is approved: shown whole, or said to be cut and opened whole."),
      diff: z.string().optional().describe("The same for a change of a file."),
      path: z.string().optional().describe("The file."),
      changes: z.array(fileChangeSchema).optional().describe("Files before and after."),
      details: z
        .array(z.object({ name: z.string().describe("Such as `folder`."), value: z.string().describe("Shown whole.") }))
        .optional()
        .describe("Inputs that change what runs and are in no other field: working folder, environment, flags."),
      performedBy: z
        .enum(["palaver", "agent"])
        .optional()
        .describe("Palaver performs exactly what is shown, or the agent itself, where Palaver sees no effect."),
      rule: z.string().optional().describe("What the choices with always would allow."),
      scope: z.string().optional().describe("Where that holds."),
      danger: z.string().optional().describe("What is dangerous about it, in words."),
      allowReason: z.boolean().optional().describe("The agent can use a reason with a no."),
    })
    .describe("What is approved."),
});

/** What comes back from a permission question that was answered; `reason` only with a choice that rejects. */
export const permissionResultSchema = z.object({ choiceId: z.string(), reason: z.string().optional() });

type DialogQuestionSchema = { [Kind in DialogMethod]: ReturnType<typeof question<Kind>> }[DialogMethod];

const questionSchema = z.discriminatedUnion("kind", [
  ...(dialogMethods.map((kind) => question(kind)) as [DialogQuestionSchema, ...DialogQuestionSchema[]]),
  permissionQuestionSchema,
]);

export const askSchema = z.object({
  id: z.string().describe("Its id."),
  sessionId: z.string().nullable().describe("The session; null without one."),
  turnId: z.string().nullable().describe("The turn; null outside one."),
  origin: z
    .object({
      kind: z.enum(["agent", "tool", "mcp"]).describe("What asks."),
      name: z.string().optional().describe("Its name."),
    })
    .describe("Where it comes from."),
  question: questionSchema.describe("What is asked."),
  deadlineMs: z
    .number()
    .nullable()
    .describe("The moment at which the agent gives up, in milliseconds of the clock of `atMs`; null when it waits."),
});

/** Why an ask was taken back without an answer. */
export const withdrawReasonSchema = z.enum([
  "agent_cancelled",
  "disconnected",
  "turn_ended",
  "session_closed",
  "overloaded",
  "shutdown",
]);

const outcomeSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("answered"), value: z.unknown(), by: z.string() }),
  z.object({ kind: z.literal("cancelled"), by: z.string() }),
  z.object({ kind: z.literal("expired") }),
  z.object({ kind: z.literal("withdrawn"), reason: withdrawReasonSchema }),
]);

/** Whether the agent has what was sent to it: the bytes are in the pipe to the agent, or never will be. */
const deliverySchema = z.enum(["delivered", "lost"]);

/** The life of one ask, for the record. The value of a secret is not in it. */
export const auditRecordSchema = z.object({
  askId: z.string(),
  sessionId: z.string().nullable(),
  kind: z.string(),
  title: z.string(),
  /** What the approval was about, as it was shown. */
  about: z.object({
    tool: z.string().optional(),
    command: z.string().optional(),
    path: z.string().optional(),
    danger: z.string().optional(),
  }),
  askedAtMs: z.number(),
  /** When a view first drew it; null when none did. */
  shownAtMs: z.number().nullable(),
  settledAtMs: z.number(),
  outcome: outcomeSchema,
  /** When the agent had the answer; null where there was none to deliver. */
  delivery: z.object({ result: deliverySchema, atMs: z.number() }).nullable(),
});

export type Ask = z.infer<typeof askSchema>;
export type PermissionParams = z.infer<typeof permissionQuestionSchema>["params"];
export type PermissionResult = z.infer<typeof permissionResultSchema>;
export type AskOutcome = z.infer<typeof outcomeSchema>;
export type Delivery = z.infer<typeof deliverySchema>;
/** Known at once, or when the bytes are written. */
export type Sent = Delivery | Promise<Delivery>;
export type AuditRecord = z.infer<typeof auditRecordSchema>;
export type WithdrawReason = z.infer<typeof withdrawReasonSchema>;
