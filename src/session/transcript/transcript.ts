// The transcript of one session as a reducer. It keeps only what can still change, so its cost does not depend on the length of
// the session. Agents repeat messages, skip beginnings and change their minds: an update that only grows is passed on as its
// growth, any other replaces the block.

import type { Ask, AskOutcome, Delivery } from "../../contract/asks.js";
import { textOf } from "../../contract/message-parts.js";
import type { ToolOutput } from "../../contract/messages.js";
import type { SessionEvent } from "../../contract/session-events.js";
import { faultWords } from "../fault-words.js";
import { isDiff } from "../file-diff.js";
import type { AskingCall } from "./asking-calls.js";
import type { Block, BlockChange, ToolBlock } from "./block.js";
import { OpenBlocks } from "./open-blocks.js";

export type TranscriptState = {
  /** In the order in which they appeared. */
  readonly open: readonly Block[];
  readonly nextNumber: number;
  /** The parts of the message that is being streamed, by the place of their content in it. */
  readonly message: readonly MessagePart[] | null;
  /** What the user sent from here and the agent has not repeated yet. */
  readonly echoed: string | null;
  /** Ids of tool calls that are over; an agent may report them twice. Bounded. */
  readonly endedTools: readonly EndedTool[];
  /** Tool calls that a question is about. Bounded. */
  readonly asking: readonly AskingCall[];
};

/** A tool call that is over, whether its output was marked, and whether the user denied it. */
export type EndedTool = {
  readonly toolCallId: string;
  readonly trust: "untrusted" | "unsaid";
  readonly denied?: true;
};

/** A part of a message is one block; or several, when something happened in the middle of it. */
export type MessagePart = {
  /** The block that grows with it; null when there is none, or none yet after a cut. */
  readonly blockId: string | null;
  /** How much of its text is in earlier blocks. */
  readonly from: number;
};

export type TranscriptInput =
  | SessionEvent
  /** The user's own shell reports, not the agent. */
  | { readonly type: "shell"; readonly event: SessionEvent }
  /** The view ends, and what the user runs from it. */
  | { readonly type: "cut-short" }
  /** The user sent this from here. */
  | { readonly type: "prompt.sent"; readonly text: string }
  /** A question was answered, or is not open any more; the agent may not have the outcome yet. */
  | { readonly type: "ask.closed"; readonly ask: Ask; readonly outcome: AskOutcome }
  /** The outcome was delivered, or never will be; null where there was none to deliver. */
  | {
      readonly type: "ask.settled";
      readonly ask: Ask;
      readonly outcome: AskOutcome;
      readonly delivery: Delivery | null;
    };

export type TranscriptStep = { readonly state: TranscriptState; readonly changes: readonly BlockChange[] };

export const emptyTranscript: TranscriptState = {
  open: [],
  nextNumber: 1,
  message: null,
  echoed: null,
  endedTools: [],
  asking: [],
};

/** Of a tool's output; a block has to fit into one frame, whatever JSON makes of its characters. */
const OUTPUT_CHARS_MAX = 4 * 1024 * 1024;

export function reduceTranscript(state: TranscriptState, input: TranscriptInput, atMs: number): TranscriptStep {
  const blocks = new OpenBlocks(state);
  apply(blocks, input, atMs);
  return blocks.step();
}

function apply(blocks: OpenBlocks, input: TranscriptInput, atMs: number, by: Pick<ToolBlock, "by"> = {}): void {
  switch (input.type) {
    case "shell":
      apply(blocks, input.event, atMs, { by: "user" });
      return;
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
        ...by,
        ...changesIn(input),
      });
      return;
    case "tool.updated":
      blocks.tool(input.toolCallId, {
        name: input.name,
        phase: "running",
        output: outputText(input.output),
        ...by,
        ...changesIn(input),
      });
      return;
    case "tool.finished":
      endTool(blocks, input, {
        name: input.name,
        ...(isStop(input) ? { phase: "stopped", output: "" } : endIn(input)),
        endedAtMs: atMs,
        ...by,
        ...trustIn(input.output),
        ...diffIn(input.output),
        ...changesIn(input),
      });
      return;
    case "prompt.finished":
    case "cut-short":
      blocks.echoed = null;
      blocks.endMessage();
      blocks.stopTools(atMs, input.type === "cut-short" ? "all" : "the agent's");
      blocks.endAsking();
      return;
    case "ask.raised":
      blocks.raise(input.ask);
      return;
    case "ask.closed":
      blocks.closeAsk(input.ask, input.outcome, atMs);
      return;
    case "ask.settled":
      blocks.closeAsk(input.ask, input.outcome, atMs);
      blocks.settle(input.ask, input.outcome, input.delivery);
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
      blocks.add({ kind: "notice", level: "warn", text: `from the agent: ${faultWords(input.fault)}` });
      return;
    case "events.missed":
      blocks.add({ kind: "notice", level: "warn", text: missedWords(input.count) });
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

type ToolEnd = { readonly output: ToolOutput; readonly isError: boolean };

// What an agent reports of a call that ended with its turn; the row says it.
function isStop({ output, isError }: ToolEnd): boolean {
  return isError && outputText(output) === "Stopped.";
}

function endIn({ output, isError }: ToolEnd): Pick<ToolBlock, "phase" | "output"> {
  return { phase: isError ? "failed" : "done", output: outputText(output) };
}

function changesIn({ changes }: { changes?: ToolBlock["changes"] | undefined }): Pick<ToolBlock, "changes"> {
  return changes === undefined ? {} : { changes };
}

function trustIn(output: ToolOutput): Pick<ToolBlock, "trust"> {
  return typeof output === "object" && output?.trust === "untrusted" ? { trust: "untrusted" } : {};
}

// A diff that was cut is not the change, and the words beside it say how much there is.
function diffIn(output: ToolOutput): Pick<ToolBlock, "diff"> {
  const { diff, truncated } = (typeof output === "object" ? (output?.details ?? {}) : {}) as Record<string, unknown>;
  return typeof diff === "string" && truncated !== true && isDiff(diff) ? { diff } : {};
}

function outputText(output: ToolOutput): string {
  const text = output === null || typeof output === "string" ? (output ?? "") : textOf(output.content);
  if (text.length <= OUTPUT_CHARS_MAX) return text;
  const [head, tail] = [text.slice(0, OUTPUT_CHARS_MAX / 2), text.slice(-OUTPUT_CHARS_MAX / 2)];
  const leftOut = (text.length - OUTPUT_CHARS_MAX).toLocaleString("en");
  return `${head}\n[… ${leftOut} characters left out …]\n${tail}`;
}
