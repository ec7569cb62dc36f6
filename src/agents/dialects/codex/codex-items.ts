// The items of a codex thread, by type: messages, and tool calls with their output and changes. Changes are kept, because
// codex asks about an item by its id alone. An item is reported when it starts and when it is complete; an item of the history
// only when complete.

import type { FileChange } from "../../../contract/file-change.js";
import { isRecord } from "../../../contract/json-value.js";
import type { ContentBlock, ToolOutput } from "../../../contract/messages.js";
import { plainWord } from "../../../contract/plain-word.js";
import { OutputTail } from "../acp/output-tail.js";
import { COMPACTING, compactedWords, notice } from "../agent-notices.js";
import { takeByType } from "../frame-table.js";
import type { JsonObject } from "../frames/json-frame.js";
import { filled, present } from "../frames/lenient-field.js";
import { keepNewest, type StepBuilder } from "../step-builder.js";
import { type CodexItem, type CodexItemType, type CodexPatch, codexItemSchemas } from "./codex-frames.js";
import type { CodexMessages } from "./codex-messages.js";
import { changesIn } from "./codex-patch.js";
import { scriptIn } from "./codex-script.js";

/** The calls of tools that may be asked about. */
export type McpCall = Pick<CodexItem<"mcpToolCall">, "id" | "server" | "tool" | "arguments">;

/** A tool call as it is reported: its kind and its result. */
type ToolItem = {
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

/** Known, and not shown. */
const quietItems: ReadonlySet<string> = new Set(["hookPrompt", "functionCallOutput", "subAgentActivity", "sleep"]);

export class CodexItems {
  private readonly out: StepBuilder;
  private readonly messages: CodexMessages;
  private stage: "started" | "completed" = "started";
  private readonly patches = new Map<string, readonly CodexPatch[]>();
  private readonly calls = new Map<string, McpCall>();
  private readonly running = new Map<string, { readonly name: string; readonly tail: OutputTail }>();

  private readonly takers: { readonly [Type in CodexItemType]: (item: CodexItem<Type>) => void } = {
    userMessage: (item) => this.atEnd(() => this.messages.personSaid(item)),
    agentMessage: (item) => this.atEnd(() => this.messages.said(item)),
    plan: (item) => this.atEnd(() => this.messages.said(item)),
    reasoning: (item) => this.atEnd(() => this.messages.thought(item)),
    commandExecution: (item) => this.tool(commandTool(item)),
    fileChange: (item) => {
      this.keepPatches(item.id, item.changes);
      this.tool(patchTool(item));
    },
    mcpToolCall: (item) => {
      keepNewest(this.calls, item.id, item, KEPT_MAX);
      this.tool(serverTool(item));
    },
    dynamicToolCall: (item) => this.tool(dynamicTool(item)),
    collabAgentToolCall: ({ id, tool, status, prompt }) =>
      this.tool({ id, name: tool, args: present({ prompt }), output: null, isError: hasFailed(status) }),
    webSearch: ({ id, query }) => this.tool({ id, name: "search", args: { query }, output: null, isError: false }),
    imageView: ({ id, path }) => this.tool({ id, name: "view", args: { path }, output: null, isError: false }),
    imageGeneration: ({ id, status, savedPath = null, revisedPrompt: prompt }) =>
      this.tool({ id, name: "draw", args: present({ prompt }), output: savedPath, isError: hasFailed(status) }),
    enteredReviewMode: ({ review }) => this.atEnd(() => this.out.tell(notice("info", `codex reviews ${review}`))),
    exitedReviewMode: ({ id, review }) => this.atEnd(() => this.messages.said({ id, text: review })),
    contextCompaction: () => {
      this.out.tell({ type: "working.changed", message: this.stage === "started" ? COMPACTING : null });
      this.atEnd(() => this.out.tell(notice("info", compactedWords())));
    },
  };
  private readonly table = { noun: "item", schemas: codexItemSchemas, takers: this.takers };

  constructor(out: StepBuilder, messages: CodexMessages) {
    this.out = out;
    this.messages = messages;
  }

  take(stage: CodexItems["stage"], item: { readonly type: string }): void {
    this.stage = stage;
    if (!quietItems.has(item.type)) takeByType(this.table, this.out, item.type, item);
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
    keepNewest(this.patches, itemId, patches, KEPT_MAX);
  }

  grow(itemId: string, delta: string): void {
    const call = this.running.get(itemId);
    if (call === undefined) return;
    call.tail.push(delta);
    this.out.tell({ type: "tool.updated", toolCallId: itemId, name: call.name, output: call.tail.read().text });
  }

  turnEnded(): void {
    this.running.clear();
    this.calls.clear();
  }

  private atEnd(tell: () => void): void {
    if (this.stage === "completed") tell();
  }

  private tool(item: ToolItem): void {
    if (this.stage === "started") this.start(item);
    else this.finish(item);
  }

  private start({ id, name, args, changes }: ToolItem): void {
    keepNewest(this.running, id, { name, tail: new OutputTail(RUNNING_BYTES_MAX) }, KEPT_MAX);
    this.out.tell({ type: "tool.started", toolCallId: id, name, args, ...filled({ changes }) });
  }

  private finish(item: ToolItem): void {
    const { id, name, isError, changes } = item;
    const heard = this.running.get(id)?.tail.read().text ?? "";
    if (!this.running.delete(id)) this.start(item);
    this.running.delete(id);
    this.calls.delete(id);
    const output = item.output ?? (heard || null);
    this.out.tell({ type: "tool.finished", toolCallId: id, name, output, isError, ...filled({ changes }) });
  }
}

function commandTool(item: CodexItem<"commandExecution">): ToolItem {
  const { id, command, cwd, status, aggregatedOutput, exitCode = 0 } = item;
  const args = present({ command: scriptIn(command)?.script ?? command, cwd });
  const failure = exitCode === 0 ? "" : `exit code ${exitCode}`;
  const output = [aggregatedOutput, failure].filter(Boolean).join("\n") || null;
  return { id, name: "run", args, output, isError: hasFailed(status) || failure !== "" };
}

function patchTool({ id, changes: patches, status }: CodexItem<"fileChange">): ToolItem {
  const [first, ...others] = patches;
  const path = `${first?.path ?? ""}${others.length === 0 ? "" : ` and ${others.length} more`}`;
  const isError = hasFailed(status);
  return { id, name: "edit", args: { path }, output: null, isError, changes: isError ? [] : changesIn(patches) };
}

function serverTool({ id, server, tool, status, result, error, ...call }: CodexItem<"mcpToolCall">): ToolItem {
  const output = error === undefined ? contentOf(result?.content ?? []) : error.message;
  return { id, name: `${server}/${tool}`, args: argsOf(call.arguments), output, isError: hasFailed(status) };
}

function dynamicTool({ id, tool, status, contentItems, ...call }: CodexItem<"dynamicToolCall">): ToolItem {
  const output = contentOf(contentItems ?? []);
  return { id, name: tool, args: argsOf(call.arguments), output, isError: hasFailed(status) };
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
