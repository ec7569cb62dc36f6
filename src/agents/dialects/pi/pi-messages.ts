// Messages, file changes and status events of pi as session events. Some messages are not shown, such as the system prompt.
import type { FileChange } from "../../../contract/file-change.js";
import { isRecord } from "../../../contract/json-value.js";
import type { ContentBlock, Message, ToolOutput, Usage } from "../../../contract/messages.js";
import { plainWord } from "../../../contract/plain-word.js";
import { compactedWords, notice, retryNotices } from "../agent-notices.js";
import { present } from "../frames/lenient-field.js";
import type { Happening } from "../step-builder.js";
import type { PiBlock, PiFrame, PiMessage, PiUsage } from "./pi-frames.js";

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
        ...present({ tool_name: message.toolName }),
        content,
        is_error: message.isError === true,
      };
    default:
      return null;
  }
}

function assistantOf(message: PiMessage, content: ContentBlock[]): Message {
  const { provider, model, usage, stopReason: stop_reason, errorMessage: error_message } = message;
  const counted = usage === undefined ? undefined : usageOf(usage);
  return { role: "assistant", content, ...present({ provider, model, usage: counted, stop_reason, error_message }) };
}

/** The text of a message that is shown as a notice; "" for none. */
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
  const money = cost?.total === undefined ? undefined : { total: cost.total };
  const cached = { cache_read: cacheRead, cache_write: cacheWrite };
  return present({ input, output, ...cached, total_tokens: totalTokens, cost: money });
}

function plainText(content: readonly PiBlock[]): string {
  return content.map((block) => (block.type === "text" ? plainWord(block.text ?? "") : "")).join("");
}

export function changesOf(tool: string, args: unknown): FileChange[] {
  if (!isRecord(args) || typeof args.path !== "string") return [];
  const { path } = args;
  if (tool === "write" && typeof args.content === "string") return [{ path, oldText: null, newText: args.content }];
  if (tool !== "edit") return [];
  const edits = Array.isArray(args.edits) ? args.edits.filter(isRecord) : [args];
  return edits.flatMap(({ oldText, newText }) =>
    typeof oldText === "string" && typeof newText === "string" ? [{ path, oldText, newText }] : [],
  );
}

/** Known and ignored. */
export const quietTypes: ReadonlySet<string> = new Set([
  "entry_appended",
  "session_info_changed",
  "summarization_retry_attempt_start",
]);

const idle: Happening = { type: "working.changed", message: null };

export function compactionEnded({ result, aborted, errorMessage }: PiFrame<"compaction_end">): Happening[] {
  if (aborted === true) return [idle, notice("info", "the conversation was not compacted: it was stopped")];
  if (errorMessage !== undefined) return [idle, notice("error", `the conversation was not compacted: ${errorMessage}`)];
  const { tokensBefore, estimatedTokensAfter } = result ?? {};
  return [idle, notice("info", compactedWords(tokensBefore, estimatedTokensAfter))];
}

export function retryBegun(frame: PiFrame<"auto_retry_start">): Happening[] {
  const { attempt = 1, maxAttempts, delayMs = 0, errorMessage = "the model did not answer" } = frame;
  return retryNotices(errorMessage, { attempt, attemptsMax: maxAttempts, delayMs, isFirst: attempt <= 1 });
}

export function retryEnded({ success, finalError }: PiFrame<"auto_retry_end">): Happening[] {
  if (success === true || finalError === undefined) return [idle];
  return [idle, { type: "agent.failed", message: finalError }];
}

export function extensionFailed({ extensionPath, event, error }: PiFrame<"extension_error">): Happening[] {
  const where = [extensionPath, event].filter(Boolean).join(", ");
  return [notice("error", `an extension failed${where === "" ? "" : ` (${where})`}: ${error}`)];
}

export function queueChanged({ steering, followUp }: PiFrame<"queue_update">): Happening[] {
  const count = steering.length + followUp.length;
  return [{ type: "status.changed", key: "queued", text: count === 0 ? null : `${count} queued` }];
}
