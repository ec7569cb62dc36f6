// The tool calls of a Claude session: which ones run, what they change, what came of them. A sub-agent is a tool call too;
// what it says and does is the output of the call that started it, so that its work never mixes with the answer itself.

import type { ClaudeBlock, ClaudeFrame } from "../../../contract/claude.js";
import { isRecord } from "../../../contract/json-value.js";
import type { ContentBlock, ToolOutput } from "../../../contract/messages.js";
import { plainWord } from "../../../contract/plain-word.js";
import type { JsonObject } from "../frames/json-frame.js";
import type { StepBuilder } from "../step-builder.js";
import { madeChanges, plannedChanges } from "./tool-changes.js";
import { toolWords } from "./tool-words.js";

/** How many calls are remembered by name, and how many lines of a sub-agent are kept. */
const TOOLS_KEPT_MAX = 1_024;
const SUB_AGENT_LINES_MAX = 200;

type KnownTool = { readonly name: string; readonly root: string; readonly lines: string[] };

export class ClaudeTools {
  private readonly out: StepBuilder;
  private readonly known = new Map<string, KnownTool>();

  constructor(out: StepBuilder) {
    this.out = out;
  }

  nameOf(toolCallId: string): string {
    return this.known.get(toolCallId)?.name ?? "tool";
  }

  start({ id, name, input }: ClaudeBlock): void {
    if (typeof id !== "string" || typeof name !== "string" || this.known.has(id)) return;
    const args = isRecord(input) ? input : {};
    this.keep(id, { name, root: id, lines: [] });
    const changes = plannedChanges(name, args);
    this.out.tell({ type: "tool.started", toolCallId: id, name, args, ...(changes.length > 0 ? { changes } : {}) });
    if (name === "TodoWrite") this.tellPlan(args.todos);
  }

  finish({ tool_use_id, content, is_error }: ClaudeBlock, structured: unknown): void {
    if (typeof tool_use_id !== "string") return;
    const isError = is_error === true || isErrorContent(content);
    const changes = isError ? [] : madeChanges(structured);
    this.out.tell({
      type: "tool.finished",
      toolCallId: tool_use_id,
      name: this.nameOf(tool_use_id),
      output: outputOf(content),
      isError,
      ...(changes.length > 0 ? { changes } : {}),
    });
  }

  /** Something a sub-agent said or began; `parent` is the call that started it, or one inside of it. */
  subAgentSaid(parent: string, { message }: ClaudeFrame<"assistant">): void {
    const root = this.known.get(parent)?.root ?? parent;
    const tool = this.known.get(root) ?? { name: "Task", root, lines: [] };
    this.keep(root, tool);
    for (const block of typeof message.content === "string"
      ? [{ type: "text", text: message.content }]
      : message.content)
      this.keepSubAgentBlock(root, tool.lines, block);
    tool.lines.splice(0, Math.max(0, tool.lines.length - SUB_AGENT_LINES_MAX));
    this.out.tell({ type: "tool.updated", toolCallId: root, name: tool.name, output: tool.lines.join("\n") });
  }

  private keepSubAgentBlock(root: string, lines: string[], block: ClaudeBlock): void {
    if (block.type === "text" && typeof block.text === "string") {
      for (const line of block.text.trimEnd().split("\n")) lines.push(line);
    }
    if (block.type !== "tool_use" || typeof block.id !== "string") return;
    const name = plainWord(block.name);
    this.keep(block.id, { name, root, lines: [] });
    lines.push(`· ${toolWords(name, isRecord(block.input) ? block.input : {})}`);
  }

  private tellPlan(todos: unknown): void {
    if (!Array.isArray(todos)) return;
    const entries = todos.filter(isRecord).map(({ content, status }) => ({
      text: plainWord(content ?? ""),
      status: (["in_progress", "completed"] as const).find((known) => known === status) ?? ("pending" as const),
    }));
    this.out.tell({ type: "plan.changed", entries });
  }

  private keep(id: string, tool: KnownTool): void {
    this.known.set(id, tool);
    if (this.known.size > TOOLS_KEPT_MAX) this.known.delete(this.known.keys().next().value ?? "");
  }
}

// Errors come wrapped in a tag that is meant for the model.
function outputOf(content: unknown): ToolOutput {
  if (typeof content === "string") return content.replace(/^<tool_use_error>([\s\S]*)<\/tool_use_error>$/, "$1");
  if (isErrorContent(content)) return plainWord(content.error_code ?? "it failed").replaceAll("_", " ");
  if (!Array.isArray(content)) return isRecord(content) ? { content: [partOf(content)] } : null;
  return { content: content.filter(isRecord).map(partOf) };
}

// Tools beside the model say what went wrong in an object of its own kind.
function isErrorContent(content: unknown): content is JsonObject {
  return isRecord(content) && plainWord(content.type ?? "").endsWith("_error");
}

function partOf(block: JsonObject): ContentBlock {
  if (block.type === "text") return { type: "text", text: plainWord(block.text ?? "") };
  const source = isRecord(block.source) ? block.source : {};
  if (block.type === "image" && typeof source.data === "string") {
    return { type: "image", data: source.data, mime_type: plainWord(source.media_type ?? "image/png") };
  }
  // A page that was found, and what a program beside the model printed.
  const { title, url, stdout, stderr } = block;
  if (typeof url === "string") return { type: "text", text: `${plainWord(title ?? "")} ${url}`.trim() };
  if (typeof stdout === "string") return { type: "text", text: [stdout, plainWord(stderr ?? "")].join("") };
  return { ...block, type: `claude.${plainWord(block.type)}` };
}
