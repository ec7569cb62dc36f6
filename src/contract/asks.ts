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
  params: z.looseObject({
    title: z.string(),
    tool: z.string(),
    toolCallId: z.string().optional(),
    choices: z.array(
      z.looseObject({
        id: z.string(),
        label: z.string(),
        choice: permissionChoiceSchema,
        /** More about this choice, such as the rule it would add. */
        description: z.string().optional(),
      }),
    ),
    message: z.string().optional(),
    /** What is approved: shown whole, or said to be cut and opened whole. */
    command: z.string().optional(),
    diff: z.string().optional(),
    path: z.string().optional(),
    changes: z.array(fileChangeSchema).optional(),
    /** Inputs that change what runs and are in none of the fields above: working folder, environment, flags. Shown whole. */
    details: z.array(z.object({ name: z.string(), value: z.string() })).optional(),
    /** Who performs the effect: Palaver, for exactly what is shown; or the agent itself, where Palaver sees no effect. */
    performedBy: z.enum(["palaver", "agent"]).optional(),
    /** What the "always" choices would allow, and where that holds. */
    rule: z.string().optional(),
    scope: z.string().optional(),
    /** What is dangerous about it, in words. */
    danger: z.string().optional(),
    /** Whether the agent can use a reason with a "no". */
    allowReason: z.boolean().optional(),
  }),
});

/** What comes back from a permission question that was answered; `reason` only with a choice that rejects. */
export const permissionResultSchema = z.object({ choiceId: z.string(), reason: z.string().optional() });

type DialogQuestionSchema = { [Kind in DialogMethod]: ReturnType<typeof question<Kind>> }[DialogMethod];

const questionSchema = z.discriminatedUnion("kind", [
  ...(dialogMethods.map((kind) => question(kind)) as [DialogQuestionSchema, ...DialogQuestionSchema[]]),
  permissionQuestionSchema,
]);

export const askSchema = z.object({
  id: z.string(),
  sessionId: z.string().nullable(),
  turnId: z.string().nullable(),
  origin: z.object({ kind: z.enum(["agent", "tool", "mcp"]), name: z.string().optional() }),
  question: questionSchema,
  /** The moment at which the agent gives up; null when it waits. */
  deadlineMs: z.number().nullable(),
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
