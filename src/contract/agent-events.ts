// What an agent reports while it works, as it stands inside an `event` frame: a type and named fields. Version 1 sent the
// same fields as a list; `lines-version-1.ts` has their positions.
import * as z from "zod";
import { messageSchema, toolOutputSchema, usageSchema } from "./messages.js";

function event<Type extends string, Shape extends z.ZodRawShape>(
  type: Type,
  shape: Shape,
  meta: { description: string; example?: Record<string, unknown> },
) {
  const { description, example = {} } = meta;
  return z
    .looseObject({ type: z.literal(type), ...shape })
    .meta({ id: `Event.${type}`, description, examples: [{ type, ...example }] });
}

const toolCall = {
  tool_call_id: z.string().describe("The call; the same in all events, previews and questions about it."),
  tool: z.string().describe("The name of the tool."),
};

/** A permission may be about a call that has not begun. */
const aboutTool = {
  tool: toolCall.tool,
  tool_call_id: z.string().optional().describe("The call that needs the permission."),
};

const toolArguments = z.unknown().optional().describe("What the tool was called with, any JSON.");

const example = {
  message: { role: "assistant", content: [{ type: "text", text: "The separator lost its space." }] },
  call: { tool_call_id: "c1", tool: "bash" },
  args: { command: "npm test" },
};

export const agentEventSchemas = [
  event("agent_start", {}, { description: "The agent began to work on a prompt." }),
  event(
    "agent_end",
    {
      messages: z.array(messageSchema).optional().describe("All messages that the prompt added, complete."),
      usage: usageSchema.optional().describe("What the whole prompt cost, if the agent counts it."),
    },
    {
      description: "The work on the prompt ended: done, failed or aborted. The last event of a prompt.",
      example: { messages: [example.message], usage: { input: 1200, output: 80, cost: { total: 0.0048 } } },
    },
  ),
  event("turn_start", {}, { description: "One round with the model began; a prompt has one or more. Optional." }),
  event(
    "turn_end",
    {
      message: messageSchema.optional().describe("What the model said in this round."),
      tool_results: z.array(messageSchema).optional().describe("The results of the tools that it called."),
    },
    {
      description: "One round with the model ended. Optional.",
      example: { message: example.message, tool_results: [] },
    },
  ),
  event(
    "message_start",
    { message: messageSchema.describe("The message; its content may still be empty.") },
    {
      description: "A message began. A session has one open message at a time.",
      example: { message: { role: "assistant", content: [] } },
    },
  ),
  event(
    "message_update",
    { message: messageSchema.describe("The whole message so far.") },
    {
      description:
        "The open message grew. A long answer must not be sent again for every token: send an update only while all " +
        "updates together stay within a small multiple of the text, or use `message_delta`.",
      example: { message: example.message },
    },
  ),
  event(
    "message_delta",
    {
      index: z.number().int().nonnegative().describe("Which block of the message's content grew; 0 is the first."),
      kind: z.enum(["text", "thinking"]).describe("What kind of block it is."),
      delta: z.string().describe("Only what was added."),
    },
    {
      description:
        "The open message grew by this. Sent instead of `message_update` when both sides have " +
        "`supports_message_deltas`; `message_end` still has the whole message.",
      example: { index: 0, kind: "text", delta: "its space." },
    },
  ),
  event(
    "message_end",
    { message: messageSchema.describe("The complete message.") },
    { description: "The message will not change any more.", example: { message: example.message } },
  ),
  event(
    "tool_execution_start",
    { ...toolCall, arguments: toolArguments },
    { description: "A tool call began.", example: { ...example.call, arguments: example.args } },
  ),
  event(
    "tool_execution_update",
    {
      ...toolCall,
      arguments: toolArguments,
      output: toolOutputSchema.describe("The whole output so far."),
    },
    {
      description: "A tool call has new output. The rule of `message_update` about long texts holds here, too.",
      example: { ...example.call, arguments: example.args, output: "running 212 tests" },
    },
  ),
  event(
    "tool_execution_end",
    {
      ...toolCall,
      output: toolOutputSchema.describe("The whole output."),
      is_error: z.boolean().describe("Whether the call failed."),
    },
    {
      description: "A tool call ended: done, failed or aborted.",
      example: { ...example.call, output: { content: [{ type: "text", text: "212 passed" }] }, is_error: false },
    },
  ),
  event(
    "permission.preview",
    {
      ...aboutTool,
      file_path: z.string().optional().describe("The file that would change."),
      language: z.string().optional().describe("The language of the file, for highlighting."),
      diff: z.string().optional().describe("A unified diff of the change."),
      summary: z.string().optional().describe("What would happen, where a diff cannot say it."),
      truncated: z.boolean().optional().describe("The diff or the summary is not complete."),
    },
    {
      description:
        "What a tool would do, shown before the question about it. Needs `supports_permission_preflight_events`.",
      example: { tool: "edit", tool_call_id: "c2", file_path: "src/parser.ts", diff: '-join(",")\n+join(", ")' },
    },
  ),
  event("permission.ready", aboutTool, {
    description: "The preview is complete; the question follows.",
    example: { tool: "edit", tool_call_id: "c2" },
  }),
  event(
    "error",
    { message: z.string().describe("What went wrong, in one sentence for the user.") },
    {
      description: "The work on the prompt failed. `agent_end` still follows.",
      example: { message: "the model did not answer" },
    },
  ),
] as const;

export const agentEventSchema = z.discriminatedUnion("type", agentEventSchemas);

export type AgentEvent = z.infer<typeof agentEventSchema>;
export type AgentEventType = AgentEvent["type"];
export type PermissionPreview = Extract<AgentEvent, { type: "permission.preview" }>;

export const agentEventTypes: ReadonlySet<string> = new Set(agentEventSchemas.map((schema) => schema.shape.type.value));
