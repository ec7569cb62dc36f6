// The blocks of a transcript that can still change, for the length of one step: it takes a state apart, lets the reducer
// work on it, and puts the next state together with everything that changed on the way.

import type { Ask, AskOutcome, Delivery } from "../../contract/asks.js";
import { textOf } from "../../contract/message-parts.js";
import type { ContentBlock, Message } from "../../contract/messages.js";
import { plainWord } from "../../contract/plain-word.js";
import { outcomeWords } from "../outcome-words.js";
import { agentsToolName, withoutOutputs } from "../shell-output.js";
import {
  type AskingCall,
  askedTitle,
  askingCall,
  deniedCall,
  endedCall,
  isAllowed,
  reasonOf,
  showsAsked,
  verdictOf,
  withCall,
} from "./asking-calls.js";
import type { Block, BlockChange, ToolBlock } from "./block.js";
import type { EndedTool, MessagePart, TranscriptState, TranscriptStep } from "./transcript.js";

type WithoutId<Kind> = Kind extends Block ? Omit<Kind, "id"> : never;
type NewBlock = WithoutId<Block>;

/** How many ended tool calls are remembered, to know a second report of one for what it is. */
const ENDED_TOOLS_MAX = 256;

/** How many parts a message may have that is sent in pieces; a place beyond it is a mistake, not a message. */
const MESSAGE_PARTS_MAX = 4_096;

/** A longer text stands in several blocks, so that each can be sent, kept and drawn. */
const BLOCK_CHARS_MAX = 1024 * 1024;

const NOT_DELIVERED = " (not delivered: the agent was gone)";
const blankTool = { args: null, output: "", phase: "waiting", startedAtMs: null, endedAtMs: null } as const;

export class OpenBlocks {
  echoed: string | null;
  private asking: readonly AskingCall[];
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
    this.asking = state.asking;
  }

  step(): TranscriptStep {
    const { open, nextNumber, message, echoed, endedTools, asking } = this;
    return { state: { open, nextNumber, message, echoed, endedTools, asking }, changes: this.changes };
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
    const ended = this.endedTool(toolCallId);
    if (ended !== undefined) {
      if (given.phase === "done") this.markDone(ended, given);
      return;
    }
    const known = this.openTool(toolCallId);
    const fields = { ...given, ...plainName(given), ...this.waitOf(toolCallId, given) };
    if (known === null) {
      this.begin(this.approved({ kind: "tool", id: "", toolCallId, name: "tool", ...blankTool, ...fields }));
      return;
    }
    const { output = known.output, ...news } = fields;
    // Some agents announce the same call again with better arguments; it has been running all the while.
    const others = known.startedAtMs === null ? news : { ...news, startedAtMs: known.startedAtMs };
    const next = this.approved({ ...known, ...others, output: known.output });
    const names = Object.keys({ ...known, ...next }) as (keyof ToolBlock)[];
    if (names.some((name) => known[name] !== next[name])) this.replace(next);
    this.setText(known.id, output);
  }

  /** `content` is its result as it came: what there is to look at in it, a screenshot say, stands below the tool. */
  endTool(toolCallId: string, content: unknown = null): void {
    const known = this.openTool(toolCallId);
    if (known === null) return;
    const [approval] = this.approvalCalls(toolCallId);
    this.keep(endedCall(known, known.approval === undefined ? undefined : approval));
    this.endApproval(known);
    this.close(known.id);
    this.rememberEnd({ toolCallId, trust: known.trust ?? "unsaid" });
    this.addPictures(content);
  }

  // An approval that is still open will have a row of its own, and so has one that the row of its call does not show.
  private endApproval({ toolCallId, approval }: ToolBlock): void {
    const [first] = this.approvalCalls(toolCallId);
    if (first === undefined) return;
    if (approval === undefined) this.addAnswer(first);
    const shown = first.verdict === null ? [] : [{ ...first, isShown: true, diff: "" }];
    this.asking = this.asking.flatMap((call) => (call === first ? shown : [call]));
  }

  private addAnswer({ title, verdict, isShown }: AskingCall): void {
    if (verdict !== null && !isShown) this.add({ kind: "asked", title, outcome: verdict });
  }

  private rememberEnd(ended: EndedTool): void {
    this.endedTools.push(ended);
    if (this.endedTools.length > ENDED_TOOLS_MAX) this.endedTools.shift();
  }

  /** A call that needs an answer waits, and its time begins with the answer. One that is over cannot show an answer. */
  raise(ask: Ask): void {
    const call = askingCall(ask);
    if (call === null || this.endedTool(call.toolCallId) !== undefined) return;
    const { kept, dropped } = withCall(this.asking, call);
    for (const each of dropped) this.addAnswer(each);
    this.asking = kept;
    const tool = call.about === "question" ? null : this.openTool(call.toolCallId);
    if (tool?.phase === "running") this.replace({ ...tool, phase: "waiting", startedAtMs: null });
  }

  /** The answer to an approval, as soon as it is given. */
  closeAsk(ask: Ask, outcome: AskOutcome, atMs: number): void {
    const call = this.asking.find(({ askId, verdict }) => askId === ask.id && verdict === null);
    if (call === undefined || call.about === "question") return;
    const verdict = verdictOf(ask, outcome);
    const tool = this.openTool(call.toolCallId);
    const isEnd = verdict !== null && !isAllowed(verdict) && this.isBefore(call, tool);
    this.asking = this.asking.map((each) => (each === call ? { ...call, verdict, isShown: isEnd } : each));
    if (isEnd) {
      const named = tool !== null && showsAsked(call, tool) ? tool : deniedCall(ask);
      const { name, args } = named;
      this.deny({ ...blankTool, ...tool, name, args, toolCallId: call.toolCallId, approval: verdict }, outcome);
    } else if (tool?.phase === "waiting" && (verdict !== null || isTakenBack(outcome))) {
      this.replace(this.approved({ ...tool, phase: "running", startedAtMs: atMs }));
    }
  }

  /** Whether nothing of the call can have run yet: no earlier question allowed it, and it has no output. */
  private isBefore(call: AskingCall, tool: ToolBlock | null): boolean {
    const wasAllowed = this.approvalCalls(call.toolCallId).some(({ verdict }) => isAllowed(verdict));
    return call.about === "approval" && !wasAllowed && (tool?.output ?? "") === "";
  }

  // The row is complete: whatever the agent says about the call repeats it.
  private deny(call: Omit<ToolBlock, "id" | "kind"> & { readonly id?: string }, outcome: AskOutcome): void {
    const { changes: _changes, ...tool } = {
      ...call,
      kind: "tool",
      phase: "failed",
      output: reasonOf(outcome),
    } as const;
    const id = call.id ?? this.begin(tool);
    this.keep({ ...tool, startedAtMs: null, endedAtMs: null, id });
    this.close(id);
    this.rememberEnd({ toolCallId: call.toolCallId, trust: "unsaid", denied: true });
  }

  /** A call that is over is reported as done: if it was denied, that is said, once. */
  private markDone(ended: EndedTool, { name = "tool", output = "" }: Partial<ToolBlock>): void {
    if (ended.denied !== true) return;
    const { toolCallId, trust } = ended;
    this.endedTools[this.endedTools.indexOf(ended)] = { toolCallId, trust };
    this.add({ kind: "notice", level: "warn", text: `the agent reports that ${name} ran although it was denied` });
    this.add({ kind: "tool", toolCallId, ...blankTool, name, output, phase: "done" });
  }

  /** The outcome of a question. Where its call shows it, there is no row of its own, unless the agent does not have it. */
  settle(ask: Ask, outcome: AskOutcome, delivery: Delivery | null): void {
    const call = this.asking.find(({ askId }) => askId === ask.id);
    const tool = call === undefined ? null : this.openTool(call.toolCallId);
    const isLost = outcome.kind === "answered" && delivery === "lost";
    if (call !== undefined && this.isRowOf(call, tool) && !isLost) return;
    this.asking = this.asking.filter((each) => each !== call);
    const title = askedTitle(ask);
    const words = outcomeWords(ask, outcome) + (isLost ? NOT_DELIVERED : "");
    if (call?.about !== "question" || tool === null) {
      this.add({ kind: "asked", title, outcome: words });
      return;
    }
    this.keep({ kind: "asked", id: tool.id, title, outcome: words });
    this.close(tool.id);
    this.rememberEnd({ toolCallId: tool.toolCallId, trust: "unsaid" });
  }

  /** The turn is over: an approval whose call never came is shown by itself. */
  endAsking(): void {
    for (const call of this.asking) this.addAnswer(call);
    this.asking = [];
  }

  /** The approvals of a call, the first one first. */
  private approvalCalls(toolCallId: string): AskingCall[] {
    return this.asking.filter((call) => call.about === "approval" && call.toolCallId === toolCallId);
  }

  /** Whether the row of the call shows the answer, or will. A call may ask again while it runs; its row shows the first answer. */
  private isRowOf(call: AskingCall, tool: ToolBlock | null): boolean {
    if (call.isShown) return true;
    if (this.approvalCalls(call.toolCallId)[0] !== call) return false;
    return call.verdict === null ? tool !== null : isAllowed(call.verdict);
  }

  private waitOf(toolCallId: string, { phase }: Partial<ToolBlock>): Partial<ToolBlock> {
    const isOpen = (call: AskingCall) =>
      call.about !== "question" && call.toolCallId === toolCallId && call.verdict === null;
    return phase === "running" && this.asking.some(isOpen) ? { phase: "waiting", startedAtMs: null } : {};
  }

  /** The call with how it was allowed, if it is what was asked. */
  private approved({ approval: _approval, ...tool }: ToolBlock): ToolBlock {
    const [call] = this.approvalCalls(tool.toolCallId);
    const verdict = call?.verdict ?? null;
    return verdict !== null && isAllowed(verdict) && call !== undefined && showsAsked(call, tool)
      ? { ...tool, approval: verdict }
      : tool;
  }

  /** The turn is over: a tool that never reported its end was stopped. */
  stopTools(atMs: number, which: "all" | "the agent's"): void {
    for (const block of [...this.open]) {
      if (block.kind !== "tool" || (block.by === "user" && which !== "all")) continue;
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
      if (is_error !== true) this.markDone(ended, { name: tool_name ?? "tool", output: textOf(content) });
      if (result.trust === "untrusted") this.markUntrusted(tool_call_id, tool_name ?? "the tool");
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
  private markUntrusted(toolCallId: string, name: string): void {
    const ended = this.endedTool(toolCallId);
    if (ended === undefined || ended.trust === "untrusted") return;
    this.endedTools[this.endedTools.indexOf(ended)] = { ...ended, trust: "untrusted" };
    this.add({ kind: "notice", level: "info", text: `what ${name} returned is untrusted` });
  }

  private takePrompt(prompt: string): void {
    const text = withoutOutputs(prompt);
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

// The agent went on without an answer; an ask that ends with its turn stops its call, too.
function isTakenBack(outcome: AskOutcome): boolean {
  return outcome.kind === "withdrawn" && outcome.reason === "agent_cancelled";
}

function plainName({ name, by }: Partial<ToolBlock>): Pick<ToolBlock, "name"> | null {
  return name === undefined || by === "user" ? null : { name: agentsToolName(name) };
}

function contentText(block: ContentBlock): string {
  if (block.type === "thinking") return plainWord(block.thinking);
  return block.type === "text" ? plainWord(block.text) : "";
}
