// The items of a thread that do something: commands, file changes, calls of tools. Each becomes a tool call with its output
// and changes. The changes are kept, because codex asks about an item by its id alone.
import type { CodexItem, CodexPatch } from "../../../contract/codex.js";
import type { FileChange } from "../../../contract/file-change.js";
import { isRecord } from "../../../contract/json-value.js";
import type { ContentBlock, ToolOutput } from "../../../contract/messages.js";
import { plainWord } from "../../../contract/plain-word.js";
import { OutputTail } from "../acp/output-tail.js";
import type { JsonObject } from "../frames/json-frame.js";
import type { StepBuilder } from "../step-builder.js";
import { changesIn } from "./codex-patch.js";
import { scriptIn } from "./codex-script.js";

/** The calls of tools that may be asked about. */
export type McpCall = Pick<CodexItem<"mcpToolCall">, "id" | "server" | "tool" | "arguments">;

/** A tool call as it is told: what it is and what came out of it. */
export type ToolItem = {
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
  readonly output: ToolOutput;
  readonly isError: boolean;
  readonly changes?: FileChange[];
};

/** What is shown of a command that still runs; the whole output comes with its end. */
const RUNNING_BYTES_MAX = 64 * 1024;
/** How many items are remembered for questions about them; the oldest is forgotten first. */
const KEPT_MAX = 256;

export class CodexTools {
  private readonly out: StepBuilder;
  private readonly patches = new Map<string, readonly CodexPatch[]>();
  private readonly calls = new Map<string, McpCall>();
  private readonly running = new Map<string, { readonly name: string; readonly tail: OutputTail }>();

  constructor(out: StepBuilder) {
    this.out = out;
  }

  /** What an item would change; null when it is not known. */
  patchesOf(itemId: string): readonly CodexPatch[] | null {
    return this.patches.get(itemId) ?? null;
  }

  /** The call that a server's tool waits to be allowed for. */
  callOf(server: string, params: unknown): McpCall | null {
    const wanted = JSON.stringify(params ?? null);
    const calls = [...this.calls.values()].filter(
      (call) => call.server === server && JSON.stringify(call.arguments ?? null) === wanted,
    );
    return calls.at(-1) ?? null;
  }

  keepPatches(itemId: string, patches: readonly CodexPatch[]): void {
    keep(this.patches, itemId, patches);
  }

  keepCall(call: McpCall): void {
    keep(this.calls, call.id, call);
  }

  start({ id, name, args, changes }: ToolItem): void {
    keep(this.running, id, { name, tail: new OutputTail(RUNNING_BYTES_MAX) });
    this.out.tell({ type: "tool.started", toolCallId: id, name, args, ...changed(changes) });
  }

  grow(itemId: string, delta: string): void {
    const call = this.running.get(itemId);
    if (call === undefined) return;
    call.tail.push(delta);
    this.out.tell({ type: "tool.updated", toolCallId: itemId, name: call.name, output: call.tail.read().text });
  }

  finish(item: ToolItem): void {
    const { id, name, isError, changes } = item;
    const heard = this.running.get(id)?.tail.read().text ?? "";
    if (!this.running.delete(id)) this.start(item);
    this.running.delete(id);
    this.calls.delete(id);
    const output = item.output ?? (heard === "" ? null : heard);
    this.out.tell({ type: "tool.finished", toolCallId: id, name, output, isError, ...changed(changes) });
  }

  turnEnded(): void {
    this.running.clear();
    this.calls.clear();
  }
}

function keep<Value>(kept: Map<string, Value>, id: string, value: Value): void {
  kept.delete(id);
  kept.set(id, value);
  const [oldest = ""] = kept.keys();
  if (kept.size > KEPT_MAX) kept.delete(oldest);
}

function changed(changes: FileChange[] | undefined) {
  return changes === undefined || changes.length === 0 ? {} : { changes };
}

export function commandTool({
  id,
  command,
  cwd,
  status,
  aggregatedOutput,
  exitCode,
}: CodexItem<"commandExecution">): ToolItem {
  const args = { command: scriptIn(command)?.script ?? command, ...(cwd === undefined ? {} : { cwd }) };
  const failure = exitCode === undefined || exitCode === 0 ? "" : `exit code ${exitCode}`;
  const text = [aggregatedOutput ?? "", failure].filter(Boolean).join("\n");
  return { id, name: "run", args, output: text === "" ? null : text, isError: hasFailed(status) || failure !== "" };
}

export function patchTool({ id, changes: patches, status }: CodexItem<"fileChange">): ToolItem {
  const [first, ...others] = patches;
  const path = `${first?.path ?? ""}${others.length === 0 ? "" : ` and ${others.length} more`}`;
  const isError = hasFailed(status);
  return { id, name: "edit", args: { path }, output: null, isError, changes: isError ? [] : changesIn(patches) };
}

export function serverTool({ id, server, tool, status, result, error, ...call }: CodexItem<"mcpToolCall">): ToolItem {
  const output = error === undefined ? contentOf(result?.content ?? []) : error.message;
  return { id, name: `${server}/${tool}`, args: argsOf(call.arguments), output, isError: hasFailed(status) };
}

export function dynamicTool({ id, tool, status, contentItems, ...call }: CodexItem<"dynamicToolCall">): ToolItem {
  const args = argsOf(call.arguments);
  return { id, name: tool, args, output: contentOf(contentItems ?? []), isError: hasFailed(status) };
}

export function agentTool({ id, tool, status, prompt }: CodexItem<"collabAgentToolCall">): ToolItem {
  const args = prompt === undefined ? {} : { prompt };
  return { id, name: tool, args, output: null, isError: hasFailed(status) };
}

export function searchTool({ id, query }: CodexItem<"webSearch">): ToolItem {
  return { id, name: "search", args: { query }, output: null, isError: false };
}

export function viewTool({ id, path }: CodexItem<"imageView">): ToolItem {
  return { id, name: "view", args: { path }, output: null, isError: false };
}

export function pictureTool({ id, status, savedPath, revisedPrompt }: CodexItem<"imageGeneration">): ToolItem {
  const args = revisedPrompt === undefined ? {} : { prompt: revisedPrompt };
  return { id, name: "draw", args, output: savedPath ?? null, isError: hasFailed(status) };
}

function hasFailed(status: string): boolean {
  return status === "failed" || status === "declined" || status === "interrupted";
}

function argsOf(value: unknown): JsonObject {
  return isRecord(value) ? value : value === undefined || value === null ? {} : { input: value };
}

function contentOf(content: readonly JsonObject[]): ToolOutput {
  return content.length === 0 ? null : { content: content.map(blockOf) };
}

function blockOf(part: JsonObject): ContentBlock {
  const { type, text, data, mimeType } = part;
  if (typeof text === "string") return { type: "text", text };
  if (type === "image" && typeof data === "string") {
    return { type: "image", data, mime_type: plainWord(mimeType ?? "image/png") };
  }
  return { type: "text", text: `(${plainWord(type ?? "attachment")})` };
}
