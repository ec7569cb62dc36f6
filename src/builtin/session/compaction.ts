// Makes room when the model's window fills: the older part of the conversation becomes one message, a summary by the model
// itself, or for a model that cannot sum up, a note that something was left out. What is recent stays word for word.
//
//   | prompt, answer, calls, results, … | last rounds |     →     | summary | last rounds |
import type { Usage } from "../../contract/messages.js";
import type { Clock } from "../../system/timers.js";
import { untilAborted } from "../loop/stoppable-stream.js";
import type { Model } from "../models/model.js";
import { priced } from "../models/provider-table.js";
import type { Conversation } from "./conversation.js";
import { type HistoryMessage, type ToolResultMessage, userMessage } from "./history.js";
import { tokensOf } from "./session-stats.js";

/** Full enough to make room before the next round. */
const FULL = 0.85;
/** How much of the window what is kept may take; of the conversation, when the user asked for room. */
const KEPT = 0.25;
/** How much of the window the text to sum up may take. */
const SUMMED_UP = 0.6;
const CHARS_PER_TOKEN = 3;
const TOOL_OUTPUT_CHARS_MAX = 2_000;
const REQUEST_CHARS_MAX = 16_000;
/** How much of the window the answer of one tool may take. */
const ONE_ANSWER = 0.25;

const SUMMARY_SYSTEM = `You summarise a conversation between a user and a coding agent, so that the agent can continue from \
the summary alone. Write down, tersely: what the user wants, decisions and why, what was done to which files, what was found out \
(names, paths, commands, errors, verbatim where it matters), and what is left to do. No preamble.`;

const SUMMARY_HEAD = "Summary of our conversation so far, written because it became too long to keep:";
const REQUEST_HEAD = "What I asked for last, in my own words:";
const LEFT_OUT = "The beginning of our conversation was left out here because it became too long to keep.";

export function isFull(tokens: number, model: Model): boolean {
  return tokens > model.contextTokens * FULL;
}

/** The answer of a tool as the model reads it: what would fill a small window alone is cut in the middle. */
export function fittedAnswer(result: ToolResultMessage, { contextTokens }: Model): ToolResultMessage {
  const charsMax = Math.floor(contextTokens * ONE_ANSWER * CHARS_PER_TOKEN);
  if (result.content.every(({ text }) => text.length <= charsMax)) return result;
  return { ...result, content: result.content.map((block) => ({ ...block, text: shortened(block.text, charsMax) })) };
}

export type CompactionPorts = {
  /** "full": in the middle of a request. "requested": the user wants room, between two requests. */
  readonly occasion: "full" | "requested";
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** A summary costs something too. */
  onUsage(usage: Usage): void;
};

export type CompactionOutcome = "summarised" | "left out" | "nothing to do";

export async function compact(
  conversation: Conversation,
  model: Model,
  ports: CompactionPorts,
): Promise<CompactionOutcome> {
  const { messages } = conversation;
  const from = placeToCut(messages, model, ports.occasion);
  if (from <= 1) return "nothing to do";
  const older = messages.slice(0, from);
  const summary = model.compaction === "summary" ? await summaryOf(older, model, ports) : "";
  if (ports.signal.aborted) return "nothing to do";
  const text = summary === "" ? LEFT_OUT : `${SUMMARY_HEAD}\n\n${summary}`;
  const whole = [text, ...(ports.occasion === "full" ? requestAtWork(messages, from) : [])].join("\n\n");
  await conversation.compact(userMessage(whole, ports.clock.nowMs()), messages.length - from);
  return summary === "" ? "left out" : "summarised";
}

// When the user asks for room, it is made, also when there is enough. A model that cannot sum up must at least see what it is working
// on, from the beginning.
function placeToCut(
  messages: readonly HistoryMessage[],
  { contextTokens, compaction }: Model,
  occasion: CompactionPorts["occasion"],
): number {
  const all = messages.reduce((sum, message) => sum + tokensOf(message), 0);
  if (occasion === "requested") return firstKept(messages, Math.min(contextTokens, all) * KEPT);
  const from = firstKept(messages, contextTokens * KEPT);
  return compaction === "summary" ? from : Math.min(from, Math.max(0, lastRequest(messages)));
}

// What the user wants right now may be in the part that goes, and a summary in other words is not what was said.
function requestAtWork(messages: readonly HistoryMessage[], from: number): string[] {
  const at = lastRequest(messages);
  const message = messages[at];
  if (at >= from || message?.role !== "user" || isSummary(message.content)) return [];
  return [`${REQUEST_HEAD}\n\n${shortened(message.content, REQUEST_CHARS_MAX)}`];
}

function lastRequest(messages: readonly HistoryMessage[]): number {
  return messages.findLastIndex(({ role }) => role === "user");
}

function isSummary(text: string): boolean {
  return text.startsWith(SUMMARY_HEAD) || text.startsWith(LEFT_OUT);
}

// A result may not lose its call: what is kept begins with a message. The last round is kept in any case.
function firstKept(messages: readonly HistoryMessage[], tokensMax: number): number {
  let tokens = 0;
  let from = messages.length;
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const message = messages[at];
    if (message === undefined) break;
    tokens += tokensOf(message);
    if (tokens > tokensMax && from < messages.length) break;
    if (message.role !== "tool_result") from = at;
  }
  return from;
}

// A summary that fails is no reason to stop: then the beginning is left out.
async function summaryOf(messages: readonly HistoryMessage[], model: Model, ports: CompactionPorts): Promise<string> {
  const told = shortened(messages.map(asTold).join("\n\n"), model.contextTokens * SUMMED_UP * CHARS_PER_TOKEN);
  const request = { system: SUMMARY_SYSTEM, messages: [userMessage(told, 0)], tools: [], signal: ports.signal };
  let summary = "";
  try {
    for await (const part of untilAborted(model.stream(request), ports)) {
      if (part.type === "text") summary += part.delta;
      else if (part.type === "usage") ports.onUsage(priced(model, part.usage));
    }
  } catch {
    return "";
  }
  return summary.trim();
}

function asTold(message: HistoryMessage): string {
  if (message.role === "user") return `Person: ${message.content}`;
  const text = message.content
    .map((block) => {
      if (block.type === "text") return block.text;
      return block.type === "thinking" ? "" : `[calls ${block.name} ${JSON.stringify(block.arguments)}]`;
    })
    .filter(Boolean)
    .join("\n");
  if (message.role === "assistant") return `Agent: ${text}`;
  return `Result of ${message.tool_name}: ${shortened(text, TOOL_OUTPUT_CHARS_MAX)}`;
}

function shortened(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const half = Math.floor(charsMax / 2);
  return `${text.slice(0, half)}\n[… ${text.length - 2 * half} characters left out …]\n${text.slice(-half)}`;
}
