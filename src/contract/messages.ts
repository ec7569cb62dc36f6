// Messages as they travel on the lines wire: who spoke, and blocks of text, thinking, tool calls and pictures.
// Unknown fields are kept, unknown blocks and roles are let through by their type, so that a newer agent is not lost.
import * as z from "zod";

const textBlockSchema = z
  .looseObject({ type: z.literal("text"), text: z.string().describe("Markdown.") })
  .meta({ id: "TextBlock", description: "Prose, Markdown." });

const thinkingBlockSchema = z
  .looseObject({ type: z.literal("thinking"), thinking: z.string().describe("Markdown.") })
  .meta({ id: "ThinkingBlock", description: "The model's reasoning before its answer." });

const toolCallBlockSchema = z
  .looseObject({
    type: z.literal("tool_call"),
    id: z.string().describe("The `tool_call_id` of the events about it."),
    name: z.string().describe("The tool."),
    arguments: z.unknown().optional().describe("Any JSON."),
  })
  .meta({ id: "ToolCallBlock", description: "A tool the model wants to use." });

const imageBlockSchema = z
  .looseObject({
    type: z.literal("image"),
    data: z.string().describe("Base64."),
    mime_type: z.string().describe("Such as `image/png`."),
  })
  .meta({ id: "ImageBlock", description: "A picture, base64." });

// The branch for what this version does not know must not swallow what it does know and what is only wrong.
function unknownWord(known: ReadonlySet<string>) {
  return z
    .string()
    .refine((word) => !known.has(word), { error: "a known word with wrong fields beside it", abort: true });
}

const knownBlockTypes: ReadonlySet<string> = new Set(["text", "thinking", "tool_call", "image"]);

const otherBlockSchema = z
  .looseObject({ type: unknownWord(knownBlockTypes).describe("Its type.") })
  .meta({ id: "OtherBlock", description: "A block of an unknown type; it is passed on unchanged." });

const contentBlockSchema = z.union([
  z.discriminatedUnion("type", [textBlockSchema, thinkingBlockSchema, toolCallBlockSchema, imageBlockSchema]),
  otherBlockSchema,
]);

// The common form comes first: a union is tried in order, and this one is on the path of every token.
const contentSchema = z.union([z.array(contentBlockSchema), z.string()]);
const content = contentSchema.describe("Blocks, or plain text.");
const timestamp = z.number().optional().describe("Milliseconds since 1970.");

export const usageSchema = z
  .looseObject({
    input: z.number().optional().describe("Tokens read, without those from the cache."),
    output: z.number().optional().describe("Tokens written."),
    cache_read: z.number().optional().describe("Tokens read from the cache."),
    cache_write: z.number().optional().describe("Tokens written to the cache."),
    total_tokens: z.number().optional().describe("All of them."),
    cost: z
      .looseObject({ total: z.number().optional().describe("All of it.") })
      .optional()
      .describe("In US dollars."),
  })
  .meta({ id: "Usage", description: "Tokens and money, as the model's provider counts them." });

const userMessageSchema = z
  .looseObject({ role: z.literal("user"), content, timestamp })
  .meta({ id: "UserMessage", description: "What the user said. A front end shows a prompt itself: do not echo it." });

const assistantMessageSchema = z
  .looseObject({
    role: z.literal("assistant"),
    content,
    model: z.string().nullish().describe("The model that wrote it."),
    provider: z.string().nullish().describe("Its provider."),
    // Read with `usageOf` (message-parts.ts), so that an agent that counts wrongly does not lose its message.
    usage: z.unknown().optional().describe("What it cost: a `Usage`."),
    stop_reason: z.string().nullish().describe("Why the model stopped."),
    error_message: z.string().nullish().describe("Why it is not complete."),
    timestamp,
  })
  .meta({ id: "AssistantMessage", description: "What the agent said." });

const toolResultMessageSchema = z
  .looseObject({
    role: z.literal("tool_result"),
    tool_call_id: z.string().describe("The call."),
    tool_name: z.string().optional().describe("The tool."),
    content,
    details: z.unknown().optional().describe("For the agent's own use."),
    is_error: z.boolean().optional().describe("Whether the call failed."),
    trust: z.enum(["trusted", "untrusted"]).optional().describe("`untrusted`: another author may have written it."),
    timestamp,
  })
  .meta({ id: "ToolResultMessage", description: "What a tool gave back." });

const knownRoles: ReadonlySet<string> = new Set(["user", "assistant", "tool_result"]);

const otherMessageSchema = z
  .looseObject({ role: unknownWord(knownRoles).describe("Its role."), content: content.optional() })
  .meta({ id: "OtherMessage", description: "A message of an unknown role." });

export const messageSchema = z.union([
  z.discriminatedUnion("role", [userMessageSchema, assistantMessageSchema, toolResultMessageSchema]),
  otherMessageSchema,
]);

/** One for each type of block that no front end shows: the text of a misspelt one would be lost without a word. */
export function unknownBlockWords({ content }: Message): string[] {
  const types = typeof content === "string" ? [] : (content ?? []).map(({ type }) => type);
  const unknown = [...new Set(types)].filter((type) => !knownBlockTypes.has(type));
  return unknown.map(
    (type) => `unknown block in a message: ${type.slice(0, 80)}; front ends show ${[...knownBlockTypes].join(", ")}`,
  );
}

/** What a tool gave back, whole or so far. Plain text is allowed, for scripts. */
export const toolOutputSchema = z
  .union([
    z.looseObject({
      content,
      details: z.unknown().optional().describe("For the agent's own use."),
      trust: z
        .string()
        .optional()
        .describe(
          "`untrusted`: another author may have written it, such as that of a web page; the front end says so.",
        ),
    }),
    z.string(),
    z.null(),
  ])
  .meta({ id: "ToolOutput", description: "What a tool gave back; plain text is allowed." });

export type ContentBlock = z.infer<typeof contentBlockSchema>;
export type Message = z.infer<typeof messageSchema>;
export type ToolOutput = z.infer<typeof toolOutputSchema>;
export type Usage = z.infer<typeof usageSchema>;
