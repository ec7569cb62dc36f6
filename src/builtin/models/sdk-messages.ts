// The conversation in the words of the AI SDK. What providers refuse is left out on the way: empty texts, and thoughts
// that their provider did not sign.
import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from "ai";
import type { AssistantMessage, HistoryMessage, ToolResultMessage } from "../session/history.js";

type ProviderOptions = NonNullable<ModelMessage["providerOptions"]>;
type AssistantPart = Exclude<AssistantModelMessage["content"], string>[number];

export function sdkMessages(messages: readonly HistoryMessage[], provider: string): ModelMessage[] {
  const translated: ModelMessage[] = [];
  for (const message of messages) {
    if (message.role === "user") translated.push({ role: "user", content: message.content });
    else if (message.role === "assistant") {
      const content = assistantParts(message, provider);
      if (content.length > 0) translated.push({ role: "assistant", content });
    } else {
      const last = translated.at(-1);
      const result = toolResult(message);
      // All results of one round are one message: providers want them together.
      if (last?.role === "tool") last.content.push(result);
      else translated.push({ role: "tool", content: [result] });
    }
  }
  return translated;
}

function assistantParts(message: AssistantMessage, provider: string): AssistantPart[] {
  return message.content.flatMap((block): AssistantPart[] => {
    if (block.type === "tool_call") {
      return [{ type: "tool-call", toolCallId: block.id, toolName: block.name, input: block.arguments ?? {} }];
    }
    if (block.type === "text") return block.text.trim() === "" ? [] : [{ type: "text", text: block.text }];
    // A signature is worth something only to whoever gave it.
    if (block.signature === undefined || message.provider !== provider) return [];
    return [{ type: "reasoning", text: block.thinking, providerOptions: block.signature as ProviderOptions }];
  });
}

function toolResult(message: ToolResultMessage): ToolModelMessage["content"][number] {
  const value = message.content.map(({ text }) => text).join("\n") || "(no output)";
  return {
    type: "tool-result",
    toolCallId: message.tool_call_id,
    toolName: message.tool_name,
    output: { type: message.is_error ? "error-text" : "text", value },
  };
}
