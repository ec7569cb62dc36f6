// How the end of a question reads for a model. A cancel is an answer of its own: null, and false for a confirmation, and never
// the same as an empty text. An answer that nobody gave is a failure.
import * as z from "zod";
import type { AskOutcome, WithdrawReason } from "../../contract/asks.js";
import type { SettledAsk, ToolAnswer } from "./mcp-tool.js";

/** The data that comes with every answered question; `value` is what the kind of question says it is. */
export function answerSchema(value: z.ZodType): z.ZodObject {
  return z.object({
    outcome: z.enum(["answered", "cancelled"]).describe("cancelled: the person closed the question without an answer"),
    value,
    ask_id: z.string(),
  });
}

export interface AnswerWords {
  /** The value, as it goes to the agent. */
  valueOf(answer: unknown): unknown;
  textOf(value: unknown): string;
  /** What stands for a cancel. */
  readonly cancelled: null | false;
}

const CANCELLED = "The person cancelled the question without answering it.";

export function answerOf({ id, outcome }: SettledAsk, words: AnswerWords): ToolAnswer {
  if (outcome.kind === "answered") {
    const value = words.valueOf(outcome.value);
    return { text: words.textOf(value), structured: { outcome: "answered", value, ask_id: id } };
  }
  if (outcome.kind === "cancelled") {
    return { text: CANCELLED, structured: { outcome: "cancelled", value: words.cancelled, ask_id: id } };
  }
  return nobodyAnswered(outcome);
}

export function nobodyAnswered(outcome: Extract<AskOutcome, { kind: "expired" | "withdrawn" }>): ToolAnswer {
  if (outcome.kind === "expired") {
    return { text: "Nobody answered in time.", structured: { outcome: "expired" }, failed: true };
  }
  const { reason } = outcome;
  return { text: WITHDRAWN[reason], structured: { outcome: "withdrawn", reason }, failed: true };
}

const WITHDRAWN: Readonly<Record<WithdrawReason, string>> = {
  agent_cancelled: "The question was taken back before anybody answered it.",
  disconnected: "The connection was lost before anybody answered.",
  turn_ended: "The turn ended before anybody answered.",
  session_closed: "The session was closed before anybody answered.",
  overloaded: "Too many questions wait for the person already; ask again later.",
  shutdown: "Palaver is shutting down; the question was not answered.",
};
