// What happens, in Palaver's own format: every dialect is translated into these events, and front ends know no others.
// Events are past tense. They are data through and through, so that they can be recorded, replayed and sent elsewhere.

import * as z from "zod";
import { askSchema, withdrawReasonSchema } from "./asks.js";
import { agentCommandsSchema } from "./capabilities.js";
import { wireErrorCodes } from "./errors.js";
import { fileChangeSchema } from "./file-change.js";
import { messageSchema, toolOutputSchema, usageSchema } from "./messages.js";

const sessionId = z.string().nullable();

/** When it happened, if it is reported later: by a daemon to a front end that joins. Without it, it happens now. */
const atMs = z.number().optional();

function happened<Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.object({ type: z.literal(type), sessionId, atMs, ...shape });
}

const faultSchema = z.object({
  name: z.enum(Object.keys(wireErrorCodes) as [keyof typeof wireErrorCodes, ...(keyof typeof wireErrorCodes)[]]),
  message: z.string(),
  excerpt: z.string(),
});

const previewShape = {
  tool: z.string(),
  toolCallId: z.string().optional(),
  filePath: z.string().optional(),
  language: z.string().optional(),
  diff: z.string().optional(),
  summary: z.string().optional(),
  truncated: z.boolean(),
};

const changes = z.array(fileChangeSchema).optional();

const planEntrySchema = z.object({ text: z.string(), status: z.enum(["pending", "in_progress", "completed"]) });

/** Something of the agent that the user may choose: its model, its mode, any option. Changed with `set_config`. */
const settingSchema = z.object({
  key: z.string(),
  label: z.string(),
  kind: z.enum(["model", "mode", "other"]),
  value: z.string(),
  options: z.array(z.object({ value: z.string(), label: z.string(), description: z.string().optional() })),
});

export const sessionEventSchema = z.discriminatedUnion("type", [
  happened("agent.readied", {
    ui: z.boolean(),
    protocolVersion: z.string(),
    model: z.string().optional(),
    /** Whether prompts may have images. */
    images: z.boolean().optional(),
  }),
  happened("session.started", { cwd: z.string().optional() }),
  happened("session.closed", { reason: z.string() }),
  happened("session.activated", {}),
  happened("prompt.started", {}),
  /** `isCutOff`: the agent itself ended before its answer did. */
  happened("prompt.finished", { usage: usageSchema.optional(), isCutOff: z.literal(true).optional() }),
  happened("turn.started", {}),
  happened("turn.finished", {}),
  happened("message.started", { message: messageSchema }),
  happened("message.updated", { message: messageSchema }),
  happened("message.finished", { message: messageSchema }),
  /** More of the open message, from agents that send what is new instead of the whole; `index` counts its parts. */
  happened("message.grew", { index: z.number(), kind: z.enum(["text", "thinking"]), delta: z.string() }),
  happened("tool.started", { toolCallId: z.string(), name: z.string(), args: z.unknown(), changes }),
  happened("tool.updated", { toolCallId: z.string(), name: z.string(), output: toolOutputSchema, changes }),
  happened("tool.finished", {
    toolCallId: z.string(),
    name: z.string(),
    output: toolOutputSchema,
    isError: z.boolean(),
    changes,
  }),
  happened("plan.changed", { entries: z.array(planEntrySchema) }),
  happened("commands.changed", { commands: agentCommandsSchema }),
  happened("settings.changed", { settings: z.array(settingSchema) }),
  happened("usage.changed", {
    usage: usageSchema.optional(),
    /** Tokens in the model's window, and how many fit. */
    context: z.object({ used: z.number(), size: z.number() }).optional(),
  }),
  happened("permission.previewed", previewShape),
  happened("permission.readied", { tool: z.string(), toolCallId: z.string().optional() }),
  happened("ask.raised", { ask: askSchema }),
  happened("ask.withdrawn", { askId: z.string(), reason: withdrawReasonSchema }),
  happened("notice.shown", { level: z.enum(["info", "warn", "error", "success"]), message: z.string() }),
  happened("status.changed", { key: z.string(), text: z.string().nullable() }),
  happened("widget.changed", {
    key: z.string(),
    lines: z.array(z.string()).nullable(),
    placement: z.enum(["above", "below"]),
  }),
  happened("working.changed", { message: z.string().nullable() }),
  happened("title.changed", { title: z.string() }),
  happened("editor-text.changed", { text: z.string() }),
  happened("command.answered", { command: z.string(), answer: z.record(z.string(), z.unknown()) }),
  happened("command.failed", { message: z.string(), code: z.number().optional() }),
  happened("agent.failed", { message: z.string() }),
  happened("log.written", { text: z.string(), stream: z.enum(["stdout", "stderr"]) }),
  happened("events.missed", { count: z.number() }),
  happened("fault.reported", { fault: faultSchema }),
]);

export type SessionEvent = z.infer<typeof sessionEventSchema>;
