// Messages as they travel on the lines wire: who spoke, and blocks of text, thinking, tool calls and pictures.
// Unknown fields are kept, unknown blocks and roles are let through by their type, so that a newer agent is not lost.
import * as z from "zod";

const textBlockSchema = z
  .looseObject({ type: z.literal("text"), text: z.string() })
  .meta({ id: "TextBlock", description: "Prose, Markdown." });

const thinkingBlockSchema = z
  .looseObject({ type: z.literal("thinking"), thinking: z.string() })
  .meta({ id: "ThinkingBlock", description: "The model's reasoning before its answer." });

const toolCallBlockSchema = z
  .looseObject({ type: z.literal("tool_call"), id: z.string(), name: z.string(), arguments: z.unknown().optional() })
  .meta({ id: "ToolCallBlock", description: "A tool the model wants to use." });

const imageBlockSchema = z
  .looseObject({ type: z.literal("image"), data: z.string(), mime_type: z.string() })
  .meta({ id: "ImageBlock", description: "A picture, base64." });

// The branch for what this version does not know must not swallow what it does know and what is only wrong.
function unknownWord(known: ReadonlySet<string>) {
  return z
    .string()
    .refine((word) => !known.has(word), { error: "a known word with wrong fields beside it", abort: true });
}

const knownBlockTypes: ReadonlySet<string> = new Set(["text", "thinking", "tool_call", "image"]);

const otherBlockSchema = z
  .looseObject({ type: unknownWord(knownBlockTypes) })
  .meta({ id: "OtherBlock", description: "A block of an unknown type; it is passed on unchanged." });

const contentBlockSchema = z.union([
  z.discriminatedUnion("type", [textBlockSchema, thinkingBlockSchema, toolCallBlockSchema, imageBlockSchema]),
  otherBlockSchema,
]);

// The common form comes first: a union is tried in order, and this one is on the path of every token.
const contentSchema = z.union([z.array(contentBlockSchema), z.string()]);

export const usageSchema = z
  .looseObject({
    input: z.number().optional(),
    output: z.number().optional(),
    cache_read: z.number().optional(),
    cache_write: z.number().optional(),
    total_tokens: z.number().optional(),
    cost: z.looseObject({ total: z.number().optional() }).optional(),
  })
  .meta({ id: "Usage", description: "Tokens and money, as the model's provider counts them." });

const userMessageSchema = z
  .looseObject({ role: z.literal("user"), content: contentSchema, timestamp: z.number().optional() })
  .meta({ id: "UserMessage" });

const assistantMessageSchema = z
  .looseObject({
    role: z.literal("assistant"),
    content: contentSchema,
    model: z.string().nullish(),
    provider: z.string().nullish(),
    /** A `Usage`; read with `usageOf` (message-parts.ts), so that an agent that counts wrongly does not lose its message. */
    usage: z.unknown().optional(),
    stop_reason: z.string().nullish(),
    error_message: z.string().nullish(),
    timestamp: z.number().optional(),
  })
  .meta({ id: "AssistantMessage" });

const toolResultMessageSchema = z
  .looseObject({
    role: z.literal("tool_result"),
    tool_call_id: z.string(),
    tool_name: z.string().optional(),
    content: contentSchema,
    details: z.unknown().optional(),
    is_error: z.boolean().optional(),
    trust: z.enum(["trusted", "untrusted"]).optional(),
    timestamp: z.number().optional(),
  })
  .meta({ id: "ToolResultMessage" });

const knownRoles: ReadonlySet<string> = new Set(["user", "assistant", "tool_result"]);

const otherMessageSchema = z
  .looseObject({ role: unknownWord(knownRoles), content: contentSchema.optional() })
  .meta({ id: "OtherMessage", description: "A message of an unknown role." });

export const messageSchema = z.union([
  z.discriminatedUnion("role", [userMessageSchema, assistantMessageSchema, toolResultMessageSchema]),
  otherMessageSchema,
]);

/** What a tool gave back, whole or so far. Plain text is allowed, for scripts. */
export const toolOutputSchema = z
  .union([
    z.looseObject({
      content: contentSchema,
      details: z.unknown().optional(),
      /** "untrusted" when another author may have written it, that of a web page say; a front end says so beside it. */
      trust: z.string().optional(),
    }),
    z.string(),
    z.null(),
  ])
  .meta({ id: "ToolOutput" });

export type ContentBlock = z.infer<typeof contentBlockSchema>;
export type Message = z.infer<typeof messageSchema>;
export type ToolOutput = z.infer<typeof toolOutputSchema>;
export type Usage = z.infer<typeof usageSchema>;
