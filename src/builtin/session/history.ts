// The messages of a conversation as the agent keeps them: what the model reads again, what a session file holds, and what
// goes over the wire, in one shape. A history is valid when every tool call is answered before the next message; models
// refuse any other, so it is mended before something is added.
import * as z from "zod";
import { usageSchema } from "../../contract/messages.js";

const textBlockSchema = z.object({ type: z.literal("text"), text: z.string() });

const thinkingBlockSchema = z.object({
  type: z.literal("thinking"),
  thinking: z.string(),
  /** What the provider wants to see again beside the thought; opaque. */
  signature: z.unknown().optional(),
});

const toolCallBlockSchema = z.object({
  type: z.literal("tool_call"),
  id: z.string(),
  name: z.string(),
  arguments: z.unknown(),
});

const userMessageSchema = z.object({ role: z.literal("user"), content: z.string(), timestamp: z.number() });

const assistantMessageSchema = z.object({
  role: z.literal("assistant"),
  content: z.array(z.discriminatedUnion("type", [textBlockSchema, thinkingBlockSchema, toolCallBlockSchema])),
  provider: z.string(),
  model: z.string(),
  usage: usageSchema.optional(),
  stop_reason: z.enum(["stop", "length", "tool_use", "error", "aborted"]),
  error_message: z.string().optional(),
  timestamp: z.number(),
});

const toolResultMessageSchema = z.object({
  role: z.literal("tool_result"),
  tool_call_id: z.string(),
  tool_name: z.string(),
  content: z.array(textBlockSchema),
  details: z.record(z.string(), z.unknown()).optional(),
  is_error: z.boolean(),
  /** What files and programs say is not what the user says. */
  trust: z.enum(["trusted", "untrusted"]),
  timestamp: z.number(),
});

export const historyMessageSchema = z.discriminatedUnion("role", [
  userMessageSchema,
  assistantMessageSchema,
  toolResultMessageSchema,
]);

export type HistoryMessage = z.infer<typeof historyMessageSchema>;
export type AssistantMessage = z.infer<typeof assistantMessageSchema>;
export type ToolResultMessage = z.infer<typeof toolResultMessageSchema>;
export type ToolCallBlock = z.infer<typeof toolCallBlockSchema>;

export function userMessage(text: string, timestamp: number): HistoryMessage {
  return { role: "user", content: text, timestamp };
}

export function toolCallsOf(message: HistoryMessage): ToolCallBlock[] {
  if (message.role !== "assistant") return [];
  return message.content.flatMap((block) => (block.type === "tool_call" ? [block] : []));
}

export type ToolAnswer = Pick<ToolResultMessage, "is_error" | "trust"> & {
  text: string;
  details?: ToolResultMessage["details"];
};

export function toolResultMessage(call: ToolCallBlock, answer: ToolAnswer, timestamp: number): ToolResultMessage {
  const { text, details, is_error, trust } = answer;
  return {
    role: "tool_result",
    tool_call_id: call.id,
    tool_name: call.name,
    content: [{ type: "text", text }],
    ...(details === undefined ? {} : { details }),
    is_error,
    trust,
    timestamp,
  };
}

/** The history with an answer behind every tool call that has none: it was cut short, and the model is told so. */
export function mended(messages: readonly HistoryMessage[]): HistoryMessage[] {
  const whole: HistoryMessage[] = [];
  let open: ToolCallBlock[] = [];
  let at = 0;
  const answerOpen = () => {
    for (const call of open) whole.push(toolResultMessage(call, abortedAnswer, at));
    open = [];
  };
  for (const message of messages) {
    at = message.timestamp;
    if (message.role !== "tool_result") {
      answerOpen();
      open = toolCallsOf(message);
    } else if (open.some(({ id }) => id === message.tool_call_id)) {
      open = open.filter(({ id }) => id !== message.tool_call_id);
    } else continue;
    whole.push(message);
  }
  answerOpen();
  return whole;
}

export const abortedAnswer: ToolAnswer = {
  text: "Aborted: this call was stopped or never ran. Look at the state of things before you repeat it.",
  is_error: true,
  trust: "trusted",
};
