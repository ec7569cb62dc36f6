// The blocks of a transcript that can still change, for the length of one step: it takes a state apart, lets the reducer
// work on it, and puts the next state together with everything that changed on the way.

import type { Ask } from "../../contract/asks.js";
import { textOf } from "../../contract/message-parts.js";
import type { ContentBlock, Message } from "../../contract/messages.js";
import { plainWord } from "../../contract/plain-word.js";
import { isApproval } from "../answer-fit.js";
import type { Block, BlockChange, ToolBlock } from "./block.js";
import { type PreflightMemory, previewedDiff } from "./preflight-memory.js";
import type { AskingCall, EndedTool, MessagePart, TranscriptState, TranscriptStep } from "./transcript.js";

type WithoutId<Kind> = Kind extends Block ? Omit<Kind, "id"> : never;
type NewBlock = WithoutId<Block>;

/** How many ended tool calls are remembered, to know a second report of one for what it is. */
const ENDED_TOOLS_MAX = 256;

/** How many questions of tool calls are remembered; those behind them are told beside their calls. */
const ASKING_MAX = 64;

/** How many parts a message may have that is sent in pieces; a place beyond it is a mistake, not a message. */
const MESSAGE_PARTS_MAX = 4_096;

/** A longer text stands in several blocks, so that each can be sent, kept and drawn. */
const BLOCK_CHARS_MAX = 1024 * 1024;

const blankTool = { args: null, output: "", phase: "waiting", startedAtMs: null, endedAtMs: null } as const;

export class OpenBlocks {
  echoed: string | null;
  preflight: PreflightMemory;
  asking: readonly AskingCall[];
  private readonly open: Block[];
  private readonly endedTools: EndedTool[];
  private readonly changes: BlockChange[] = [];
  private message: MessagePart[] | null;
  private nextNumber: number;

  constructor(state: TranscriptState) {
    this.open = [...state.open];
    this.endedTools = [...state.endedTools];
    this.message = state.message === null ? null : [...state.message];
    this.nextNumber = state.nextNumber;
    this.echoed = state.echoed;
    this.preflight = state.preflight;
    this.asking = state.asking;
  }

  step(): TranscriptStep {
    const { open, nextNumber, message, echoed, endedTools, preflight, asking } = this;
    return { state: { open, nextNumber, message, echoed, endedTools, preflight, asking }, changes: this.changes };
  }

  /** A block that is complete at once. */
  add(block: NewBlock): void {
    this.close(this.begin(block));
  }

  takeMessage(message: Message, phase: "open" | "finished"): void {
    if (message.role === "assistant") this.takeAssistant(message, phase);
    else if (phase === "open" && message.role === "tool_result") return;
    else if (message.role === "tool_result") this.takeToolResult(message);
    else if (phase === "finished" || message.role !== "user") return;
    else this.takePrompt(textOf(message.content));
  }

  /** More of one part of the open message. What comes in pieces is never compared with what is there: it costs its length. */
  growMessage(place: number, kind: "text" | "thinking", delta: string): void {
    const isPlace = Number.isInteger(place) && place >= 0 && place < MESSAGE_PARTS_MAX;
    if (!isPlace || delta === "") return;
    this.message ??= [];
    const parts = this.message;
    while (parts.length <= place) {
      this.closeText(parts.at(-1)?.blockId ?? null);
      parts.push({ blockId: null, from: 0 });
    }
    const part = parts[place] ?? { blockId: null, from: 0 };
    const block = this.open.find((candidate) => candidate.id === part.blockId);
    if (part.blockId === null) {
      parts[place] = { ...part, blockId: this.begin({ kind: kind === "text" ? "prose" : "thinking", text: delta }) };
    } else if (block !== undefined && "text" in block) {
      const text = block.text + delta;
      this.keep({ ...block, text });
      this.changes.push({ type: "grew", id: block.id, delta });
      if (text.length >= BLOCK_CHARS_MAX) parts[place] = this.closedPart(block.id, part.from + text.length);
    }
  }

  /** Whatever the message still has open is complete now. */
  endMessage(): void {
    for (const { blockId } of this.message ?? []) this.closeText(blockId);
    this.message = null;
  }

  /** Something happened in the middle of the message: what was said before it stays before it. */
  cutMessage(): void {
    this.message = (this.message ?? []).map((part) => {
      const block = this.open.find((candidate) => candidate.id === part.blockId);
      if (block === undefined || !("text" in block)) return part;
      this.close(block.id);
      return { blockId: null, from: part.from + block.text.length };
    });
    if (this.message.length === 0) this.message = null;
  }

  tool(toolCallId: string, given: Partial<ToolBlock>): void {
    if (this.endedTool(toolCallId) !== undefined) return;
    const known = this.openTool(toolCallId);
    const seen = previewedDiff(this.preflight, { toolCallId, tool: given.name ?? known?.name ?? "" });
    const fields = seen === null ? given : { ...given, previewDiff: seen };
    if (known === null) {
      this.begin({ kind: "tool", toolCallId, name: "tool", ...blankTool, ...fields });
      return;
    }
    const { output = known.output, ...news } = fields;
    // Some agents announce the same call again with better arguments; it has been running all the while.
    const others = known.startedAtMs === null ? news : { ...news, startedAtMs: known.startedAtMs };
    const next: ToolBlock = { ...known, ...others, output: known.output };
    if (Object.entries(others).some(([name, value]) => known[name as keyof ToolBlock] !== value)) this.replace(next);
    this.setText(known.id, output);
  }

  /** `content` is its result as it came: what there is to look at in it, a screenshot say, stands below the tool. */
  endTool(toolCallId: string, content: unknown = null): void {
    const known = this.openTool(toolCallId);
    if (known === null) return;
    this.close(known.id);
    this.rememberEnd(toolCallId, known.trust);
    this.addPictures(content);
  }

  private rememberEnd(toolCallId: string, trust?: ToolBlock["trust"]): void {
    this.endedTools.push({ toolCallId, trust: trust ?? "unsaid" });
    if (this.endedTools.length > ENDED_TOOLS_MAX) this.endedTools.shift();
  }

  /** What is approved is about a call that follows; any other question that names a call is that call. */
  raise(ask: Ask): void {
    const { question } = ask;
    if (question.kind === "permission" || isApproval(ask)) return;
    const { title, opts } = question.params;
    const toolCallId = opts?.tool_call_id;
    if (toolCallId !== undefined) this.asking = [...this.asking, { title, toolCallId }].slice(-ASKING_MAX);
  }

  /** A question found its end. Its call, if it has one, says the same in more words, and gives its place away. */
  settle(title: string, outcome: string): void {
    const asked = this.asking.find((call) => call.title === title);
    this.asking = this.asking.filter((call) => call !== asked);
    const call = asked === undefined ? null : this.openTool(asked.toolCallId);
    if (call === null) {
      this.add({ kind: "asked", title, outcome });
      return;
    }
    this.keep({ kind: "asked", id: call.id, title, outcome });
    this.close(call.id);
    this.rememberEnd(call.toolCallId);
  }

  /** The turn is over: a tool that never reported its end was stopped. */
  stopTools(atMs: number): void {
    for (const block of [...this.open]) {
      if (block.kind !== "tool") continue;
      this.replace({ ...block, phase: "stopped", endedAtMs: atMs });
      this.endTool(block.toolCallId);
    }
  }

  private takeAssistant(message: Message, phase: "open" | "finished"): void {
    const content: readonly ContentBlock[] =
      typeof message.content === "string"
        ? [{ type: "text", text: message.content }]
        : ((message.content as ContentBlock[] | undefined) ?? []);
    this.message ??= [];
    const parts = this.message;
    content.forEach((block, place) => {
      const part = this.grownPart(parts[place], block);
      parts[place] = part;
      // A model writes one thing after the other: what has a successor is complete.
      if (place < content.length - 1) this.closeText(part.blockId);
    });
    if (phase === "finished") this.endMessage();
  }

  private grownPart(before: MessagePart | undefined, block: ContentBlock): MessagePart {
    const text = contentText(block);
    let known = before;
    for (let from = known?.from ?? 0; text.length - from > BLOCK_CHARS_MAX; from = known.from) {
      const piece = text.slice(from, from + BLOCK_CHARS_MAX);
      const id = known?.blockId ?? this.beginContent(block, "");
      if (id !== null) this.setText(id, piece);
      known = this.closedPart(id, from + BLOCK_CHARS_MAX);
    }
    if (known === undefined) return { blockId: this.beginContent(block, text), from: 0 };
    if (known.blockId !== null) this.setText(known.blockId, text.slice(known.from));
    else if (text.length > known.from) return { ...known, blockId: this.beginContent(block, text.slice(known.from)) };
    return known;
  }

  /** Its text up to here is in closed blocks. */
  private closedPart(id: string | null, from: number): MessagePart {
    this.closeText(id);
    return { blockId: null, from };
  }

  private beginContent(block: ContentBlock, text: string): string | null {
    if (block.type === "text") return this.begin({ kind: "prose", text });
    if (block.type === "thinking") return this.begin({ kind: "thinking", text });
    if (block.type === "image") {
      this.addPicture(block);
    } else if (block.type === "tool_call") {
      this.tool(plainWord(block.id), { name: plainWord(block.name), args: block.arguments ?? null });
    }
    return null;
  }

  private addPictures(content: unknown): void {
    if (!Array.isArray(content)) return;
    for (const block of content as readonly ContentBlock[]) {
      if (block?.type === "image") this.addPicture(block);
    }
  }

  private addPicture(block: ContentBlock): void {
    const { mime_type, data }: { readonly [field: string]: unknown } = block;
    this.add({ kind: "image", mimeType: plainWord(mime_type), base64: plainWord(data) });
  }

  // The same result was usually reported by the tool itself; then it is over already.
  private takeToolResult(message: Message): void {
    const result = message as Extract<Message, { role: "tool_result" }>;
    const { tool_call_id, tool_name, content, is_error } = result;
    const ended = this.endedTool(tool_call_id);
    if (ended !== undefined) {
      if (result.trust === "untrusted") this.markEnded(ended, tool_name ?? "the tool");
      return;
    }
    const name = tool_name === undefined ? {} : { name: tool_name };
    const trust = result.trust === "untrusted" ? { trust: result.trust } : {};
    const phase = is_error === true ? "failed" : "done";
    this.tool(tool_call_id, { ...name, ...trust, output: textOf(content), phase });
    this.endTool(tool_call_id, content);
  }

  private endedTool(toolCallId: string): EndedTool | undefined {
    return this.endedTools.find((ended) => ended.toolCallId === toolCallId);
  }

  // Its lines may stand in the scrollback already, so that it is said below them, once.
  private markEnded(ended: EndedTool, name: string): void {
    if (ended.trust === "untrusted") return;
    this.endedTools[this.endedTools.indexOf(ended)] = { ...ended, trust: "untrusted" };
    this.add({ kind: "notice", level: "info", text: `what ${name} returned is untrusted` });
  }

  private takePrompt(text: string): void {
    const isOurs = this.echoed === text;
    if (isOurs) this.echoed = null;
    else this.add({ kind: "prompt", text });
  }

  private begin(block: NewBlock): string {
    const id = `b${this.nextNumber++}`;
    const opened = { ...block, id } as Block;
    this.open.push(opened);
    this.changes.push({ type: "opened", block: opened });
    return id;
  }

  private setText(id: string, text: string): void {
    const block = this.open.find((candidate) => candidate.id === id);
    if (block === undefined || !(block.kind === "prose" || block.kind === "thinking" || block.kind === "tool")) return;
    const before = block.kind === "tool" ? block.output : block.text;
    if (text === before) return;
    const next: Block = block.kind === "tool" ? { ...block, output: text } : { ...block, text };
    if (!text.startsWith(before)) {
      this.replace(next);
      return;
    }
    this.keep(next);
    this.changes.push({ type: "grew", id, delta: text.slice(before.length) });
  }

  private replace(block: Block): void {
    this.keep(block);
    this.changes.push({ type: "replaced", block });
  }

  private keep(block: Block): void {
    const index = this.open.findIndex((candidate) => candidate.id === block.id);
    if (index >= 0) this.open[index] = block;
  }

  private closeText(id: string | null): void {
    const block = this.open.find((candidate) => candidate.id === id);
    if (block !== undefined && block.kind !== "tool") this.close(block.id);
  }

  private close(id: string): void {
    const index = this.open.findIndex((candidate) => candidate.id === id);
    const block = this.open[index];
    if (block === undefined) return;
    this.open.splice(index, 1);
    this.changes.push({ type: "closed", block });
  }

  private openTool(toolCallId: string): ToolBlock | null {
    for (const block of this.open) if (block.kind === "tool" && block.toolCallId === toolCallId) return block;
    return null;
  }
}

function contentText(block: ContentBlock): string {
  if (block.type === "thinking") return plainWord(block.thinking);
  return block.type === "text" ? plainWord(block.text) : "";
}
