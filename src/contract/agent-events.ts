// What an agent reports while it works, as it stands inside an `event` frame: a type, and arguments in a fixed order.
// Arguments are positional because agents in many languages send their internal tuples; events without arguments may
// leave `data` out.
import * as z from "zod";
import { messageSchema, toolOutputSchema } from "./messages.js";

type EventMeta = { description: string; example: readonly unknown[] };

// Which arguments, in which order; more may follow. An event without any may leave them out.
function plainEvent<Type extends string>(type: Type, description: string) {
  return z
    .looseObject({ type: z.literal(type), data: z.array(z.unknown()).optional() })
    .meta({ id: `Event.${type}`, description, examples: [{ type }] });
}

function event<Type extends string, Data extends z.ZodType>(type: Type, data: Data, meta: EventMeta) {
  const { description, example } = meta;
  return z
    .looseObject({ type: z.literal(type), data })
    .meta({ id: `Event.${type}`, description, examples: [{ type, data: [...example] }] });
}

const permissionPreviewSchema = z
  .looseObject({
    tool: z.string(),
    tool_call_id: z.string().optional(),
    file_path: z.string().optional(),
    language: z.string().optional(),
    diff: z.string().optional(),
    summary: z.string().optional(),
    truncated: z.boolean().optional(),
  })
  .meta({ id: "PermissionPreview", description: "What the tool would do, shown before the user is asked." });

const permissionReadySchema = z
  .looseObject({ tool: z.string(), tool_call_id: z.string().optional() })
  .meta({ id: "PermissionReady", description: "The preview is complete; the question follows." });

const anything = z.unknown();

const example = {
  message: { role: "assistant", content: [{ type: "text", text: "The separator lost its space." }] },
  args: { command: "npm test" },
  output: { content: [{ type: "text", text: "212 passed" }] },
  preview: { tool: "edit", tool_call_id: "c2", file_path: "src/parser.ts", diff: '-join(",")\n+join(", ")' },
};

export const agentEventSchemas = [
  plainEvent("agent_start", "The agent began to work on a prompt."),
  event("agent_end", z.tuple([z.array(messageSchema)], anything), {
    description:
      "The prompt is done: all new messages, complete; then, if the agent counts it, the `{usage}` of the prompt.",
    example: [[example.message], { usage: { input: 1200, output: 80, cost: { total: 0.0048 } } }],
  }),
  plainEvent("turn_start", "One round with the model began."),
  event("turn_end", z.tuple([messageSchema], anything), {
    description: "One round ended: the message, then its tool results.",
    example: [example.message, []],
  }),
  event("message_start", z.tuple([messageSchema], anything), {
    description: "A message began.",
    example: [{ role: "assistant", content: [] }],
  }),
  event("message_update", z.tuple([messageSchema], anything), {
    description:
      "The whole message so far, then what was added. A long answer must not be sent again for every token: send an " +
      "update only while all updates together stay within a small multiple of the text, or use `message_delta`.",
    example: [example.message, ["text_delta", 0, "its space."]],
  }),
  event(
    "message_delta",
    z.tuple([z.number().int().nonnegative(), z.enum(["text", "thinking"]), z.string()], anything),
    {
      description:
        "More of the open message: which part of its content, what kind of part, and only what was added. Sent instead " +
        "of `message_update` when both sides have `supports_message_deltas`; `message_end` still carries the whole message.",
      example: [0, "text", "its space."],
    },
  ),
  event("message_end", z.tuple([messageSchema], anything), {
    description: "The message will not change any more.",
    example: [example.message],
  }),
  event("tool_execution_start", z.tuple([z.string(), z.string()], anything), {
    description: "A tool began: id, name, arguments.",
    example: ["c1", "bash", example.args],
  }),
  event("tool_execution_update", z.tuple([z.string(), z.string(), anything, toolOutputSchema], anything), {
    description: "A tool's output so far: id, name, arguments, output.",
    example: ["c1", "bash", example.args, "running 212 tests"],
  }),
  event("tool_execution_end", z.tuple([z.string(), z.string(), toolOutputSchema, z.boolean()], anything), {
    description: "A tool ended: id, name, output, whether it failed.",
    example: ["c1", "bash", example.output, false],
  }),
  event("permission.preview", z.tuple([permissionPreviewSchema], anything), {
    description: "A preview of the action that the next question is about.",
    example: [example.preview],
  }),
  event("permission.ready", z.tuple([permissionReadySchema], anything), {
    description: "The preview is complete; the question follows.",
    example: [{ tool: "edit", tool_call_id: "c2" }],
  }),
  event("error", z.tuple([z.unknown()], anything), {
    description: "Something went wrong: the reason, then the state so far.",
    example: ["the model did not answer"],
  }),
] as const;

export const agentEventSchema = z.discriminatedUnion("type", agentEventSchemas);

export type AgentEvent = z.infer<typeof agentEventSchema>;
export type AgentEventType = AgentEvent["type"];
export type PermissionPreview = z.infer<typeof permissionPreviewSchema>;

export const agentEventTypes: ReadonlySet<string> = new Set(agentEventSchemas.map((schema) => schema.shape.type.value));
