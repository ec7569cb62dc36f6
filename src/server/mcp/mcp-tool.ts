// A tool as data, for every transport and both eras of the protocol, and how the outcome of a question reads for a model:
// a cancel is null (false for a confirmation), never an empty text, and no answer at all is a failure.
import * as z from "zod";
import type { Ask, AskOutcome, WithdrawReason } from "../../contract/asks.js";

/** One call of a tool, as the tool sees it. */
export interface ToolCall {
  /** The name the client gave itself. */
  readonly client: string;
  /** Aborts when the client cancels or goes away. */
  readonly signal: AbortSignal;
  /** Asks the user and waits, however long it takes. */
  ask(question: Ask["question"], options?: { timeoutMs?: number | undefined }): Promise<SettledAsk>;
}

export interface SettledAsk {
  readonly id: string;
  readonly outcome: AskOutcome;
}

/** Text for the model, and the same as data. */
export interface ToolAnswer {
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
  readonly failed?: true;
}

export interface ToolHints {
  readonly reads: "only" | "may-change";
  readonly world: "open" | "closed";
}

export interface McpTool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: z.ZodObject;
  readonly hints: ToolHints;
  /** Whether this call asks something that the client itself may ask. */
  asks?(args: z.output<Input>): boolean;
  run(args: z.output<Input>, call: ToolCall): Promise<ToolAnswer> | ToolAnswer;
}

/** Keeps the arguments typed in the tool, and lets tools of all kinds be in one list. */
export function defineTool<Input extends z.ZodObject>(tool: McpTool<Input>): McpTool {
  return tool as unknown as McpTool;
}

/** Thrown by a tool; the model gets the message. */
export class ToolRefusal extends Error {
  override readonly name = "ToolRefusal";
}

/** The data of every answered question. */
export function answerSchema(value: z.ZodType): z.ZodObject {
  return z.object({
    outcome: z.enum(["answered", "cancelled"]).describe("cancelled: the user closed the question without an answer"),
    value,
    ask_id: z.string(),
  });
}

export interface AnswerWords {
  /** The value for the agent; the answer itself if missing. */
  readAnswer?(answer: unknown): unknown;
  textOf(value: unknown): string;
  /** The value of a cancel; null if missing. */
  readonly cancelled?: false;
}

const CANCELLED = "The user cancelled the question without answering it.";

export function answerOf({ id, outcome }: SettledAsk, words: AnswerWords): ToolAnswer {
  if (outcome.kind === "answered") {
    const value = words.readAnswer === undefined ? outcome.value : words.readAnswer(outcome.value);
    return { text: words.textOf(value), structured: { outcome: "answered", value, ask_id: id } };
  }
  if (outcome.kind === "cancelled") {
    return { text: CANCELLED, structured: { outcome: "cancelled", value: words.cancelled ?? null, ask_id: id } };
  }
  return unanswered(outcome);
}

export function unanswered(outcome: Extract<AskOutcome, { kind: "expired" | "withdrawn" }>): ToolAnswer {
  if (outcome.kind === "expired") {
    return { text: "No one answered in time.", structured: { outcome: "expired" }, failed: true };
  }
  const { reason } = outcome;
  return { text: WITHDRAWN[reason], structured: { outcome: "withdrawn", reason }, failed: true };
}

const WITHDRAWN: Readonly<Record<WithdrawReason, string>> = {
  agent_cancelled: "The question was withdrawn before it was answered.",
  disconnected: "The connection was lost before the question was answered.",
  turn_ended: "The turn ended before the question was answered.",
  session_closed: "The session was closed before the question was answered.",
  overloaded: "Too many questions are already open; ask again later.",
  shutdown: "Palaver is shutting down; the question was not answered.",
};
