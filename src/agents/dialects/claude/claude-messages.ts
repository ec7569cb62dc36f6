// Claude's answers as messages. With partial messages every block comes twice, as deltas and whole in an `assistant` frame,
// and is shown once. Without them a message is several `assistant` frames with one id, a block each.
//
//   stream_event message_start      → message.started
//   stream_event …_delta            → message.grew
//   assistant {one block}           → nothing, when its message is streamed; a tool call begins here either way
//   stream_event message_stop       → message.finished, whole
import type { ContentBlock, Message } from "../../../contract/messages.js";
import { plainWord } from "../../../contract/plain-word.js";
import type { JsonObject } from "../frames/json-frame.js";
import { present } from "../frames/lenient-field.js";
import type { StepBuilder } from "../step-builder.js";
import { type ClaudeBlock, type ClaudeFrame, type ClaudeStreamEvent, claudeFrameSchemas } from "./claude-frames.js";
import { blocksOf, type ClaudeTools } from "./claude-tools.js";

type OpenMessage = {
  readonly id: string | null;
  readonly model: string | undefined;
  readonly arrives: "streamed" | "whole";
  readonly parts: ContentBlock[];
  /** The index of the block that is not complete. */
  current: number | null;
};

/** Tools of Claude Code, server tools, and MCP tools that the model calls itself. */
const toolTypes: ReadonlySet<string> = new Set(["tool_use", "server_tool_use", "mcp_tool_use"]);

/** How many streamed messages are remembered, to recognise a late whole copy. */
const STREAMED_IDS_MAX = 64;
/** A larger index is invalid. */
const PARTS_MAX = 4_096;

export class ClaudeMessages {
  private readonly out: StepBuilder;
  private readonly tools: ClaudeTools;
  private readonly streamedIds: string[] = [];
  private open: OpenMessage | null = null;

  constructor(out: StepBuilder, tools: ClaudeTools) {
    this.out = out;
    this.tools = tools;
  }

  stream(event: ClaudeStreamEvent): void {
    switch (event.type) {
      case "message_start":
        this.begin({ id: event.message?.id ?? null, model: event.message?.model, arrives: "streamed" });
        return;
      case "content_block_start":
        this.beginPart(event.index ?? 0, event.content_block);
        return;
      case "content_block_delta":
        this.growPart(event.index ?? 0, event.delta);
        return;
      case "content_block_stop":
        if (this.open !== null) this.open.current = null;
        return;
      case "message_stop":
        this.end();
        return;
      case "message_delta":
      case "ping":
        return;
      default:
        this.out.unknown("stream event", event.type, event);
    }
  }

  /** A whole block; shown unless its deltas were. */
  take({ message }: ClaudeFrame<"assistant">): void {
    const { id = null, model } = message;
    const blocks = model === SYNTHETIC ? blocksOf(message).map(asPrinted) : blocksOf(message);
    const isStreamed = id !== null && (this.streamedIds.includes(id) || this.isStreaming(id));
    if (isStreamed) this.correct(blocks);
    else this.add({ id, model }, blocks);
    for (const block of blocks) {
      if (toolTypes.has(block.type)) this.tools.start(block);
      // Results of server tools are in the message itself.
      else if (block.type.endsWith("_tool_result")) this.tools.finish(block, undefined, "running");
    }
  }

  end(): void {
    if (this.open === null) return;
    const { id, arrives } = this.open;
    this.out.tell({ type: "message.finished", message: messageOf(this.open) });
    this.open = null;
    if (id === null || arrives === "whole") return;
    this.streamedIds.push(id);
    if (this.streamedIds.length > STREAMED_IDS_MAX) this.streamedIds.shift();
  }

  private isStreaming(id: string): boolean {
    return this.open?.arrives === "streamed" && this.open.id === id;
  }

  private begin(message: Pick<OpenMessage, "id" | "model" | "arrives">): OpenMessage {
    this.end();
    this.open = { ...message, parts: [], current: null };
    this.out.tell({ type: "message.started", message: messageOf(this.open) });
    return this.open;
  }

  private add({ id, model }: Pick<OpenMessage, "id" | "model">, blocks: readonly ClaudeBlock[]): void {
    const isMore = this.open !== null && this.open.arrives === "whole" && id !== null && this.open.id === id;
    const open = isMore && this.open !== null ? this.open : this.begin({ id, model, arrives: "whole" });
    for (const block of blocks) open.parts.push(partOf(block));
    this.out.tell({ type: "message.updated", message: messageOf(open) });
  }

  // The whole block corrects the deltas; it belongs to the block that is open now.
  private correct(blocks: readonly ClaudeBlock[]): void {
    const [block, ...more] = blocks;
    const open = this.open;
    if (open === null || open.current === null || block === undefined || more.length > 0) return;
    const part = partOf(block);
    if (open.parts[open.current]?.type === part.type) open.parts[open.current] = part;
  }

  private beginPart(place: number, block: ClaudeBlock | undefined): void {
    if (place >= PARTS_MAX || block === undefined) return;
    const open = this.open ?? this.begin({ id: null, model: undefined, arrives: "streamed" });
    const part = partOf(block);
    setPart(open.parts, place, part);
    open.current = place;
    const text = textOfPart(part);
    if (text !== "") this.tellGrowth(place, part, text);
  }

  private growPart(place: number, delta: ClaudeStreamEvent["delta"]): void {
    const added = delta?.type === "text_delta" ? delta.text : delta?.type === "thinking_delta" ? delta.thinking : "";
    if (added === undefined || added === "" || place >= PARTS_MAX) return;
    const empty: ContentBlock = delta?.type === "text_delta" ? { type: "text", text: "" } : thinkingPart("");
    const open = this.open ?? this.begin({ id: null, model: undefined, arrives: "streamed" });
    const before = open.parts[place] ?? empty;
    const part = before.type === empty.type ? before : empty;
    const text = textOfPart(part) + added;
    setPart(open.parts, place, part.type === "text" ? { type: "text", text } : thinkingPart(text));
    this.tellGrowth(place, part, added);
  }

  private tellGrowth(index: number, part: ContentBlock, delta: string): void {
    this.out.tell({ type: "message.grew", index, kind: part.type === "text" ? "text" : "thinking", delta });
  }
}

/** The answer of a command of Claude's own. */
const SYNTHETIC = "<synthetic>";
const MARKDOWN_LINE = /^\s*(?:[#|>*-]|\d+\.|```)/m;

// Printed columns are not Markdown: as one paragraph they are unreadable.
function asPrinted(block: ClaudeBlock): ClaudeBlock {
  const { text } = block;
  if (block.type !== "text" || typeof text !== "string") return block;
  const isPrinted = text.trim().includes("\n") && !MARKDOWN_LINE.test(text);
  return isPrinted ? { ...block, text: `\`\`\`\n${text.trimEnd()}\n\`\`\`` } : block;
}

function setPart(parts: ContentBlock[], place: number, part: ContentBlock): void {
  while (parts.length < place) parts.push({ type: "text", text: "" });
  parts[place] = part;
}

function messageOf({ parts, model }: OpenMessage): Message {
  return { role: "assistant", content: [...parts], ...present({ model }) };
}

function partOf(block: ClaudeBlock): ContentBlock {
  switch (block.type) {
    case "text":
      return { type: "text", text: plainWord(block.text ?? "") };
    case "thinking":
      return thinkingPart(plainWord(block.thinking ?? ""));
    case "tool_use":
    case "server_tool_use":
    case "mcp_tool_use":
      return { type: "tool_call", id: plainWord(block.id), name: plainWord(block.name), arguments: block.input };
    default:
      return { type: `claude.${block.type}` };
  }
}

function thinkingPart(thinking: string): ContentBlock {
  return { type: "thinking", thinking };
}

function textOfPart(part: ContentBlock): string {
  if (part.type === "text") return plainWord(part.text);
  return part.type === "thinking" ? plainWord(part.thinking) : "";
}

// A session from Claude's own file, as the frames that it sent then: Claude does not repeat them when it resumes. Lines for the
// model alone, of sub-agents and of calls that never ended are left out.

type PastFrame =
  | { readonly type: "assistant"; readonly frame: ClaudeFrame<"assistant"> }
  | { readonly type: "user"; readonly frame: ClaudeFrame<"user"> };

const FRAMES_MAX = 400;

/** What a command of Claude leaves in a user message. */
const FOR_THE_MODEL = /^\s*(?:<(?:command|local-command|system|bash|task)-|Caveat:)/;

/** `isCut`: there was more. */
export function pastFrames(lines: readonly JsonObject[]): { frames: PastFrame[]; isCut: boolean } {
  const all = lines.flatMap(frameOf);
  const frames = all.slice(-FRAMES_MAX);
  const ended = new Set(frames.flatMap(resultsIn));
  const whole = frames.map((past) => (past.type === "user" ? past : withoutOpenCalls(past, ended)));
  return { frames: whole, isCut: frames.length < all.length };
}

function frameOf(line: JsonObject): PastFrame[] {
  const { type, isSidechain, isMeta, isCompactSummary, isApiErrorMessage, toolUseResult } = line;
  if ([isSidechain, isMeta, isCompactSummary, isApiErrorMessage].includes(true)) return [];
  if (type === "assistant") {
    const frame = claudeFrameSchemas.assistant.safeParse(line).data;
    return frame === undefined ? [] : [{ type, frame }];
  }
  if (type !== "user") return [];
  const frame = claudeFrameSchemas.user.safeParse({ ...line, tool_use_result: toolUseResult }).data;
  return frame === undefined || isForTheModel(frame) ? [] : [{ type, frame }];
}

function isForTheModel({ message: { content } }: ClaudeFrame<"user">): boolean {
  const texts = typeof content === "string" ? [content] : content.map(({ text }) => plainWord(text ?? ""));
  return texts.some((text) => FOR_THE_MODEL.test(text));
}

function resultsIn(past: PastFrame): unknown[] {
  if (past.type === "assistant") return [];
  const { content } = past.frame.message;
  return typeof content === "string" ? [] : content.map(({ tool_use_id }) => tool_use_id);
}

function withoutOpenCalls(past: Extract<PastFrame, { type: "assistant" }>, ended: ReadonlySet<unknown>): PastFrame {
  const { message } = past.frame;
  const content = blocksOf(message).filter(({ type, id }) => type !== "tool_use" || ended.has(id));
  return { ...past, frame: { ...past.frame, message: { ...message, content } } };
}
