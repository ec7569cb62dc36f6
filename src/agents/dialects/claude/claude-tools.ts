// The tool calls of a Claude session: title, changes, output. A sub-agent is a tool call too: its messages and calls become
// the output of the call that started it.

import type { FileChange } from "../../../contract/file-change.js";
import { isRecord } from "../../../contract/json-value.js";
import type { ContentBlock, ToolOutput } from "../../../contract/messages.js";
import { plainWord } from "../../../contract/plain-word.js";
import type { JsonObject } from "../frames/json-frame.js";
import { filled } from "../frames/lenient-field.js";
import { keepNewest, type StepBuilder } from "../step-builder.js";
import { todoCall } from "../todo-list.js";
import type { ClaudeBlock, ClaudeFrame } from "./claude-frames.js";

const TOOLS_KEPT_MAX = 1_024;
const SUB_AGENT_LINES_MAX = 200;

type KnownTool = {
  readonly name: string;
  readonly root: string;
  readonly lines: string[];
  /** What a list of todos answers is meant for the model. */
  readonly isTodos?: boolean;
  readonly plan?: string;
};

const PLAN_TOOL = "ExitPlanMode";
const ASK_TOOL = "AskUserQuestion";

export class ClaudeTools {
  private readonly out: StepBuilder;
  private readonly known = new Map<string, KnownTool>();

  constructor(out: StepBuilder) {
    this.out = out;
  }

  start({ id, name, input }: ClaudeBlock): void {
    if (typeof id !== "string" || typeof name !== "string" || this.known.has(id)) return;
    const todos = name === "TodoWrite" ? todoCall(input) : null;
    if (todos === null) {
      const args = isRecord(input) ? input : {};
      const plan = name === PLAN_TOOL ? (textOf(args.plan) ?? "") : undefined;
      this.keep(id, { name, root: id, lines: [], ...(plan === undefined ? {} : { plan }) });
      const changes = plannedChanges(name, args);
      this.out.tell({
        type: "tool.started",
        toolCallId: id,
        name,
        args: shownArgs(name, args),
        ...filled({ changes }),
      });
      return;
    }
    this.keep(id, { name: todos.name, root: id, lines: [], isTodos: true });
    this.out.tell({ type: "tool.started", toolCallId: id, name: todos.name, args: todos.args });
    this.out.tell({ type: "plan.changed", entries: todos.entries });
  }

  /** `turn`: a call that ends because the turn is stopped was not denied. */
  finish({ tool_use_id, content, is_error }: ClaudeBlock, structured: unknown, turn: "running" | "stopping"): void {
    if (typeof tool_use_id !== "string") return;
    const isError = is_error === true || isErrorContent(content);
    const changes = isError ? [] : madeChanges(structured);
    const { name = "tool", isTodos = false, plan } = this.known.get(tool_use_id) ?? {};
    if (plan !== undefined && !isError) this.tellPlan(plan, structured);
    const output = isError ? errorOf(content, turn) : isTodos ? null : resultOf(name, content, structured);
    const ended = { toolCallId: tool_use_id, name, output, isError };
    this.out.tell({ type: "tool.finished", ...ended, ...filled({ changes }) });
  }

  // The question shows the plan only until it is answered.
  private tellPlan(known: string, structured: unknown): void {
    const plan = isRecord(structured) ? textOf(structured.plan) : null;
    const text = (plan ?? known).trim();
    if (text !== "") this.out.message({ role: "assistant", content: [{ type: "text", text }] });
  }

  /** `parent` is the call that started the sub-agent, or one inside it. */
  subAgentSaid(parent: string, { message }: ClaudeFrame<"assistant">): void {
    const root = this.known.get(parent)?.root ?? parent;
    const tool = this.known.get(root) ?? { name: "Task", root, lines: [] };
    this.keep(root, tool);
    for (const block of blocksOf(message)) this.keepSubAgentBlock(root, tool.lines, block);
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

  private keep(id: string, tool: KnownTool): void {
    keepNewest(this.known, id, tool, TOOLS_KEPT_MAX);
  }
}

export function blocksOf({ content }: ClaudeFrame<"assistant">["message"]): readonly ClaudeBlock[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

// The question of a call is shown by the question itself; what stays is a line that names it.
function shownArgs(name: string, args: JsonObject): unknown {
  if (name === PLAN_TOOL) return {};
  if (name !== ASK_TOOL || !Array.isArray(args.questions)) return args;
  return args.questions
    .filter(isRecord)
    .map(({ question }) => plainWord(question ?? ""))
    .join(" / ");
}

function answersIn(structured: unknown): string | null {
  const answers = isRecord(structured) && isRecord(structured.answers) ? Object.values(structured.answers) : [];
  return answers.length === 0 ? null : answers.map(plainWord).join("\n");
}

// Errors are wrapped in a tag for the model, and a refusal in instructions to it.
function errorOf(content: unknown, turn: "running" | "stopping"): ToolOutput {
  if (typeof content !== "string") return outputOf(content);
  const text = content.replace(/^<tool_use_error>([\s\S]*)<\/tool_use_error>$/, "$1");
  if (!text.startsWith("The user doesn't want to proceed with this tool use")) return text;
  const reason = /\bthe user said:\s*([\s\S]+)$/.exec(text)?.[1];
  if (reason !== undefined) return `Denied by the user: ${reason}`;
  return turn === "stopping" ? "Stopped." : "Denied by the user.";
}

// What a change or a sub-agent answers is wrapped in instructions to the model; the structured result has it without them.
function resultOf(name: string, content: unknown, structured: unknown): ToolOutput {
  if (name === PLAN_TOOL) return null;
  if (name === ASK_TOOL) return answersIn(structured) ?? outputOf(content);
  // The number behind the last line break is no line.
  if (name === "Read" && typeof content === "string") return content.replace(/\n\s*\d+[\t→]$/, "");
  if (!isRecord(structured)) return outputOf(content);
  if (typeof structured.filePath === "string" && "originalFile" in structured) return null;
  if (typeof structured.agentId !== "string") return outputOf(content);
  if (structured.isAsync === true) return "started in the background";
  return Array.isArray(structured.content) ? outputOf(structured.content) : outputOf(content);
}

function outputOf(content: unknown): ToolOutput {
  if (typeof content === "string") return content;
  if (isErrorContent(content)) return plainWord(content.error_code ?? "it failed").replaceAll("_", " ");
  if (!Array.isArray(content)) return isRecord(content) ? { content: [partOf(content)] } : null;
  return { content: content.filter(isRecord).map(partOf) };
}

// Server tools report errors in an object.
function isErrorContent(content: unknown): content is JsonObject {
  return isRecord(content) && plainWord(content.type ?? "").endsWith("_error");
}

function partOf(block: JsonObject): ContentBlock {
  if (block.type === "text") return { type: "text", text: plainWord(block.text ?? "") };
  const source = isRecord(block.source) ? block.source : {};
  if (block.type === "image" && typeof source.data === "string") {
    return { type: "image", data: source.data, mime_type: plainWord(source.media_type ?? "image/png") };
  }
  // A search result, or the output of a server-side program.
  const { title, url, stdout, stderr } = block;
  if (typeof url === "string") return { type: "text", text: `${plainWord(title ?? "")} ${url}`.trim() };
  if (typeof stdout === "string") return { type: "text", text: [stdout, plainWord(stderr ?? "")].join("") };
  return { ...block, type: `claude.${plainWord(block.type)}` };
}

const SUBJECT_CHARS_MAX = 200;
const subjects = ["file_path", "notebook_path", "path", "command", "pattern", "url", "query", "description"] as const;

/** The input that the title names. */
export function subjectOf(input: JsonObject): string | null {
  return subjects.find((key) => typeof input[key] === "string" && input[key] !== "") ?? null;
}

export function toolWords(name: string, input: JsonObject): string {
  const key = subjectOf(input);
  const subject = key === null ? undefined : input[key];
  if (typeof subject !== "string") return name;
  const [line = "", ...more] = subject.split("\n");
  const cut = more.length > 0 || line.length > SUBJECT_CHARS_MAX ? "…" : "";
  return `${name} ${line.slice(0, SUBJECT_CHARS_MAX)}${cut}`;
}

/** Before the tool runs, from its input: the replaced piece of an edit, or the new content. */
export function plannedChanges(tool: string, input: JsonObject): FileChange[] {
  const path = textOf(input.file_path) ?? textOf(input.notebook_path);
  if (path === null) return [];
  if (tool === "MultiEdit" && Array.isArray(input.edits)) {
    return input.edits.flatMap((edit) => pieceOf(path, edit as JsonObject));
  }
  if (tool === "Edit") return pieceOf(path, input);
  const written = tool === "Write" ? textOf(input.content) : tool === "NotebookEdit" ? textOf(input.new_source) : null;
  // A notebook is there already, and only one of its cells is sent.
  const oldText = tool === "NotebookEdit" ? "" : null;
  return written === null ? [] : [{ path, oldText, newText: written }];
}

/** After the tool ran, from its structured result. */
function madeChanges(result: unknown): FileChange[] {
  if (typeof result !== "object" || result === null) return [];
  const { filePath, originalFile, content, oldString, newString, replaceAll } = result as JsonObject;
  const path = textOf(filePath);
  const before = textOf(originalFile);
  if (path === null) return [];
  const [from, to] = [textOf(oldString), textOf(newString)];
  if (from !== null && to !== null) {
    if (before === null) return [{ path, oldText: from === "" ? null : from, newText: to }];
    // A replacement function, so that "$" is taken literally.
    const after = replaceAll === true ? before.replaceAll(from, () => to) : before.replace(from, () => to);
    return [{ path, oldText: before, newText: after }];
  }
  const written = textOf(content);
  const isWrite = "originalFile" in (result as JsonObject);
  return written === null || !isWrite ? [] : [{ path, oldText: before, newText: written }];
}

function pieceOf(path: string, edit: JsonObject): FileChange[] {
  const [from, to] = [textOf(edit?.old_string), textOf(edit?.new_string)];
  return from === null || to === null ? [] : [{ path, oldText: from === "" ? null : from, newText: to }];
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
