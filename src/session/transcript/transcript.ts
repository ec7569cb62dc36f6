// The transcript of one session as a reducer. It keeps only what can still change, so its cost does not depend on the length of
// the session. Agents repeat messages, skip beginnings and change their minds: an update that only grows is passed on as its
// growth, any other replaces the block.

import { textOf } from "../../contract/message-parts.js";
import type { ToolOutput } from "../../contract/messages.js";
import type { SessionEvent } from "../../contract/session-events.js";
import { safeLine } from "../../text/safe.js";
import type { Block, BlockChange, ToolBlock } from "./block.js";
import { OpenBlocks } from "./open-blocks.js";
import { emptyPreflight, type PreflightMemory, previewedDiff, withPreview, withReady } from "./preflight-memory.js";

export type TranscriptState = {
  /** In the order in which they appeared. */
  readonly open: readonly Block[];
  readonly nextNumber: number;
  /** The parts of the message that is being streamed, by the place of their content in it. */
  readonly message: readonly MessagePart[] | null;
  /** What the person sent from here and the agent has not repeated yet. */
  readonly echoed: string | null;
  /** Ids of tool calls that are over; an agent may report them twice. Bounded. */
  readonly endedTools: readonly EndedTool[];
  /** What was shown before permissions were asked for, while the prompt runs. */
  readonly preflight: PreflightMemory;
  /** Questions that are the whole of a tool call: their outcome is shown in place of the call. Bounded. */
  readonly asking: readonly AskingCall[];
};

/** A tool call that is over, and whether its output was marked. */
export type EndedTool = { readonly toolCallId: string; readonly trust: "untrusted" | "unsaid" };

export type AskingCall = { readonly title: string; readonly toolCallId: string };

/** A part of a message is one block; or several, when something happened in the middle of it. */
export type MessagePart = {
  /** The block that grows with it; null when there is none, or none yet after a cut. */
  readonly blockId: string | null;
  /** How much of its text is in earlier blocks. */
  readonly from: number;
};

export type TranscriptInput =
  | SessionEvent
  /** The person sent this from here. */
  | { readonly type: "prompt.sent"; readonly text: string }
  /** A question found its end, in words for the record. */
  | { readonly type: "ask.settled"; readonly title: string; readonly outcome: string };

export type TranscriptStep = { readonly state: TranscriptState; readonly changes: readonly BlockChange[] };

export const emptyTranscript: TranscriptState = {
  open: [],
  nextNumber: 1,
  message: null,
  echoed: null,
  endedTools: [],
  preflight: emptyPreflight,
  asking: [],
};

/** Of a tool's output; a block has to fit into one frame, whatever JSON makes of its characters. */
const OUTPUT_CHARS_MAX = 4 * 1024 * 1024;

export function reduceTranscript(state: TranscriptState, input: TranscriptInput, atMs: number): TranscriptStep {
  const blocks = new OpenBlocks(state);
  apply(blocks, input, atMs);
  return blocks.step();
}

function apply(blocks: OpenBlocks, input: TranscriptInput, atMs: number): void {
  switch (input.type) {
    case "prompt.sent":
      blocks.echoed = input.text;
      blocks.add({ kind: "prompt", text: input.text });
      return;
    case "message.started":
      blocks.endMessage();
      blocks.takeMessage(input.message, "open");
      return;
    case "message.updated":
      blocks.takeMessage(input.message, "open");
      return;
    case "message.grew":
      blocks.growMessage(input.index, input.kind, input.delta);
      return;
    case "message.finished":
      blocks.takeMessage(input.message, "finished");
      return;
    case "tool.started":
      blocks.cutMessage();
      blocks.tool(input.toolCallId, {
        name: input.name,
        args: input.args,
        phase: "running",
        startedAtMs: atMs,
        ...changesIn(input),
      });
      return;
    case "tool.updated":
      blocks.tool(input.toolCallId, {
        name: input.name,
        phase: "running",
        output: outputText(input.output),
        ...changesIn(input),
      });
      return;
    case "tool.finished":
      endTool(blocks, input, {
        name: input.name,
        output: outputText(input.output),
        phase: input.isError ? "failed" : "done",
        endedAtMs: atMs,
        ...trustIn(input.output),
        ...changesIn(input),
      });
      return;
    case "permission.previewed":
      previewed(blocks, input);
      return;
    case "permission.readied":
      readied(blocks, input);
      return;
    case "prompt.finished":
      blocks.endMessage();
      blocks.stopTools(atMs);
      blocks.preflight = emptyPreflight;
      blocks.asking = [];
      return;
    case "ask.raised":
      blocks.raise(input.ask);
      return;
    default:
      applyNotice(blocks, input);
  }
}

function applyNotice(blocks: OpenBlocks, input: TranscriptInput): void {
  switch (input.type) {
    case "notice.shown":
      blocks.add({ kind: "notice", level: input.level, text: input.message });
      return;
    case "agent.failed":
    case "command.failed":
      blocks.add({ kind: "notice", level: "error", text: input.message });
      return;
    case "fault.reported":
      blocks.add({ kind: "notice", level: "warn", text: `from the agent: ${input.fault.message}` });
      return;
    case "events.missed":
      blocks.add({ kind: "notice", level: "warn", text: missedWords(input.count) });
      return;
    case "ask.settled":
      blocks.settle(input.title, input.outcome);
      return;
    case "log.written":
      blocks.add({ kind: "log", text: input.text });
      return;
    default:
      return;
  }
}

function missedWords(count: number): string {
  return count === 1 ? "1 event of the agent is missing here" : `${count} events of the agent are missing here`;
}

function endTool(
  blocks: OpenBlocks,
  { toolCallId, output }: { readonly toolCallId: string; readonly output: ToolOutput },
  fields: Partial<ToolBlock>,
): void {
  blocks.tool(toolCallId, fields);
  blocks.endTool(toolCallId, typeof output === "object" ? output?.content : null);
}

function previewed(blocks: OpenBlocks, event: Extract<SessionEvent, { type: "permission.previewed" }>): void {
  blocks.cutMessage();
  blocks.add({
    kind: "preview",
    tool: event.tool,
    toolCallId: event.toolCallId ?? null,
    filePath: event.filePath ?? null,
    language: event.language ?? null,
    diff: event.diff ?? null,
    summary: event.summary ?? null,
    truncated: event.truncated,
  });
  blocks.preflight = withPreview(blocks.preflight, event);
}

// One quiet line between the preview and the question; a second one for the same call says nothing new.
function readied(blocks: OpenBlocks, event: Extract<SessionEvent, { type: "permission.readied" }>): void {
  const memory = withReady(blocks.preflight, event);
  if (memory === null) return;
  blocks.preflight = memory;
  blocks.cutMessage();
  const isShown = previewedDiff(memory, { toolCallId: event.toolCallId, tool: event.tool }) !== null;
  // A name that ends in half an escape sequence must not swallow the words behind it.
  const tool = safeLine(event.tool);
  const text = isShown ? `review what ${tool} would change, then choose` : `${tool} needs your permission`;
  blocks.add({ kind: "notice", level: "info", text });
}

function changesIn({ changes }: { changes?: ToolBlock["changes"] | undefined }): Pick<ToolBlock, "changes"> {
  return changes === undefined ? {} : { changes };
}

function trustIn(output: ToolOutput): Pick<ToolBlock, "trust"> {
  return typeof output === "object" && output?.trust === "untrusted" ? { trust: "untrusted" } : {};
}

function outputText(output: ToolOutput): string {
  const text = output === null || typeof output === "string" ? (output ?? "") : textOf(output.content);
  if (text.length <= OUTPUT_CHARS_MAX) return text;
  const [head, tail] = [text.slice(0, OUTPUT_CHARS_MAX / 2), text.slice(-OUTPUT_CHARS_MAX / 2)];
  const leftOut = (text.length - OUTPUT_CHARS_MAX).toLocaleString("en");
  return `${head}\n[… ${leftOut} characters left out …]\n${tail}`;
}
