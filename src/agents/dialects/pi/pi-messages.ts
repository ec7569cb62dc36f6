// pi's messages in the contract's words. Roles and blocks have other names there, and some messages are not for a person:
// the system prompt is one of them.

import type { ContentBlock, Message, ToolOutput, Usage } from "../../../contract/messages.js";
import type { PiBlock, PiMessage, PiUsage } from "../../../contract/pi.js";
import { plainWord } from "../../../contract/plain-word.js";

/** Null for a message that is not shown. */
export function messageOf(message: PiMessage): Message | null {
  const content = contentOf(message.content);
  switch (message.role) {
    case "user":
      return { role: "user", content };
    case "assistant":
      return assistantOf(message, content);
    case "toolResult":
      return {
        role: "tool_result",
        tool_call_id: message.toolCallId ?? "",
        ...(message.toolName === undefined ? {} : { tool_name: message.toolName }),
        content,
        is_error: message.isError === true,
      };
    default:
      return null;
  }
}

function assistantOf(message: PiMessage, content: ContentBlock[]): Message {
  const { provider, model, usage, stopReason, errorMessage } = message;
  return {
    role: "assistant",
    content,
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
    ...(usage === undefined ? {} : { usage: usageOf(usage) }),
    ...(stopReason === undefined ? {} : { stop_reason: stopReason }),
    ...(errorMessage === undefined ? {} : { error_message: errorMessage }),
  };
}

/** Words of a message that is no part of the talk itself but is meant to be read; "" for none. */
export function asideOf({ role, content, display, summary, command, output }: PiMessage): string {
  if (role === "custom" && display !== false) return typeof content === "string" ? content : plainText(content);
  if (role === "branchSummary" || role === "compactionSummary") return summary ?? "";
  return role === "bashExecution" ? [`$ ${command ?? ""}`, output ?? ""].filter(Boolean).join("\n") : "";
}

export function outputOf(result: { content: PiMessage["content"]; details?: unknown } | undefined): ToolOutput {
  return result === undefined ? null : { content: contentOf(result.content) };
}

function contentOf(content: PiMessage["content"]): ContentBlock[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return content.map(blockOf);
}

function blockOf(block: PiBlock): ContentBlock {
  switch (block.type) {
    case "text":
      return { type: "text", text: plainWord(block.text ?? "") };
    case "thinking":
      return { type: "thinking", thinking: plainWord(block.thinking ?? "") };
    case "toolCall":
      return { type: "tool_call", id: plainWord(block.id), name: plainWord(block.name), arguments: block.arguments };
    case "image":
      return { type: "image", data: plainWord(block.data ?? ""), mime_type: plainWord(block.mimeType ?? "image/png") };
    default:
      return { ...block, type: `pi.${block.type}` };
  }
}

function usageOf({ input, output, cacheRead, cacheWrite, totalTokens, cost }: PiUsage): Usage {
  return {
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ? {} : { output }),
    ...(cacheRead === undefined ? {} : { cache_read: cacheRead }),
    ...(cacheWrite === undefined ? {} : { cache_write: cacheWrite }),
    ...(totalTokens === undefined ? {} : { total_tokens: totalTokens }),
    ...(cost?.total === undefined ? {} : { cost: { total: cost.total } }),
  };
}

function plainText(content: readonly PiBlock[]): string {
  return content.map((block) => (block.type === "text" ? plainWord(block.text ?? "") : "")).join("");
}
