// What happens, in Palaver's own format: every dialect is translated into these events, and front ends know no others.
// Events are past tense. They are data through and through, so that they can be recorded, replayed and sent elsewhere.

import * as z from "zod";
import { askSchema, withdrawReasonSchema } from "./asks.js";
import { agentCommandsSchema, settingOptionsSchema } from "./capabilities.js";
import { wireErrorCodes } from "./errors.js";
import { fileChangeSchema } from "./file-change.js";
import { messageSchema, toolOutputSchema, usageSchema } from "./messages.js";

const sessionId = z.string().nullable().describe("The session; null for the agent as a whole.");

const atMs = z
  .number()
  .optional()
  .describe("When it happened, if it is reported later: by a daemon to a front end that joins. Without it, now.");
const toolCallId = z.string().describe("The call.");
const toolName = z.string().describe("The tool.");

function happened<Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.object({ type: z.literal(type), sessionId, atMs, ...shape });
}

const faultSchema = z.object({
  name: z
    .enum(Object.keys(wireErrorCodes) as [keyof typeof wireErrorCodes, ...(keyof typeof wireErrorCodes)[]])
    .describe("The kind of mistake."),
  message: z.string().describe("What is wrong, in words."),
  excerpt: z.string().describe("The beginning of the line."),
});

const previewShape = {
  tool: toolName,
  toolCallId: toolCallId.optional(),
  filePath: z.string().optional().describe("The file it is about."),
  language: z.string().optional().describe("What the file is written in."),
  diff: z.string().optional().describe("What would change."),
  summary: z.string().optional().describe("One line about it."),
  truncated: z.boolean().describe("The diff is not the whole one."),
};

const changes = z.array(fileChangeSchema).optional().describe("Files before and after.");

const planEntrySchema = z.object({
  text: z.string().describe("What is to do."),
  status: z.enum(["pending", "in_progress", "completed"]).describe("How far it is."),
});

/** Something of the agent that the user may choose: its model, its mode, any option. Changed with `set_config`. */
const settingSchema = z.object({
  key: z.string().describe("What `set_config` names."),
  label: z.string().describe("What the user sees."),
  kind: z.enum(["model", "mode", "other"]).describe("What it is for the front end."),
  value: z.string().describe("The value of one of the options."),
  options: settingOptionsSchema.describe("What it can be."),
});

export const sessionEventSchema = z.discriminatedUnion("type", [
  happened("agent.readied", {
    ui: z.boolean().describe("False: it will ask nothing."),
    protocolVersion: z.string().describe("The version that is spoken."),
    model: z.string().optional().describe("The model it uses."),
    images: z.boolean().optional().describe("Prompts may have images."),
  }),
  happened("session.started", { cwd: z.string().optional().describe("The folder it works in.") }),
  happened("session.closed", { reason: z.string().describe("Why: normal, error or not_found.") }),
  happened("session.activated", {}),
  /** The conversation is empty from here on. */
  happened("session.cleared", {
    replacedBy: z.string().optional().describe("The new id of the session; without it, the next one that is named."),
  }),
  happened("prompt.started", {}),
  happened("prompt.finished", {
    usage: usageSchema.optional().describe("What it cost."),
    isCutOff: z.literal(true).optional().describe("The agent itself ended before its answer did."),
  }),
  happened("turn.started", {}),
  happened("turn.finished", {}),
  happened("message.started", { message: messageSchema.describe("All of it up to now.") }),
  happened("message.updated", { message: messageSchema.describe("All of it up to now.") }),
  happened("message.finished", { message: messageSchema.describe("All of it up to now.") }),
  /** More of the open message, from agents that send what is new instead of the whole. */
  happened("message.grew", {
    index: z.number().describe("Which part of the message, from 0."),
    kind: z.enum(["text", "thinking"]).describe("What the part is."),
    delta: z.string().describe("What is new."),
  }),
  happened("tool.started", { toolCallId, name: toolName, args: z.unknown().describe("Any JSON."), changes }),
  happened("tool.updated", {
    toolCallId,
    name: toolName,
    output: toolOutputSchema.describe("All of it up to now."),
    changes,
  }),
  happened("tool.finished", {
    toolCallId,
    name: toolName,
    output: toolOutputSchema.describe("The result."),
    isError: z.boolean().describe("The call failed."),
    changes,
  }),
  happened("plan.changed", { entries: z.array(planEntrySchema).describe("The whole plan.") }),
  happened("commands.changed", { commands: agentCommandsSchema.describe("All of them.") }),
  happened("settings.changed", { settings: z.array(settingSchema).describe("All of them.") }),
  happened("usage.changed", {
    usage: usageSchema.optional().describe("What the session has cost."),
    context: z
      .object({ used: z.number().describe("Tokens in it."), size: z.number().describe("How many fit.") })
      .optional()
      .describe("The model's window."),
  }),
  happened("permission.previewed", previewShape),
  happened("permission.readied", { tool: toolName, toolCallId: toolCallId.optional() }),
  happened("ask.raised", { ask: askSchema.describe("The question.") }),
  happened("ask.withdrawn", {
    askId: z.string().describe("The question."),
    reason: withdrawReasonSchema.describe("Why."),
  }),
  happened("notice.shown", {
    level: z.enum(["info", "warn", "error", "success"]).describe("How it is shown."),
    message: z.string().describe("The notice."),
  }),
  happened("status.changed", {
    key: z.string().describe("Which field of the status line."),
    text: z.string().nullable().describe("Null removes it."),
  }),
  happened("widget.changed", {
    key: z.string().describe("Which widget."),
    lines: z.array(z.string()).nullable().describe("Null removes it."),
    placement: z.enum(["above", "below"]).describe("Above or below the composer."),
  }),
  happened("working.changed", { message: z.string().nullable().describe("What the agent is doing; null ends it.") }),
  happened("title.changed", { title: z.string().describe("The title of the window.") }),
  happened("editor-text.changed", { text: z.string().describe("Text for the composer.") }),
  happened("command.answered", {
    command: z.string().describe("What was sent."),
    answer: z.record(z.string(), z.unknown()).describe("What came back, in the words of the agent."),
  }),
  happened("command.failed", {
    message: z.string().describe("Why."),
    code: z.number().optional().describe("A code of the lines protocol."),
  }),
  happened("agent.failed", { message: z.string().describe("Why.") }),
  happened("log.written", {
    text: z.string().describe("One line."),
    stream: z.enum(["stdout", "stderr"]).describe("Where it was printed."),
  }),
  happened("events.missed", { count: z.number().describe("How many.") }),
  happened("fault.reported", { fault: faultSchema.describe("What the agent did wrong.") }),
]);

export type SessionEvent = z.infer<typeof sessionEventSchema>;
