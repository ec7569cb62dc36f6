// The progress of an answer that was given on this page, in words that never claim more than is known.
//
//   sending ──the daemon took it──► given ──the agent has it──► delivered
//      └─ another answer was first, the ask was withdrawn, or the answer does not fit
import type { WithdrawReason } from "../../contract/asks.js";
import type { JsonAnswer } from "../net/requests.js";
import { refusalWords } from "../net/requests.js";
import type { SettledAsk } from "./overview.js";

/** What this page knows of the answer that it gave itself. */
export type OwnAnswer =
  | { readonly phase: "sending"; readonly isDelayed: boolean }
  | { readonly phase: "given" | "delivered" }
  /** Another answer or the agent was faster; how it ended comes with the overview. */
  | { readonly phase: "late" }
  | { readonly phase: "refused"; readonly words: string };

export interface AnswerWords {
  readonly text: string;
  readonly mood: "working" | "good" | "bad" | "plain";
  /** No other answer is possible. */
  readonly isOver: boolean;
}

export function ownAnswerOf(answer: JsonAnswer): OwnAnswer {
  const { result } = (answer.body ?? {}) as { readonly result?: unknown };
  if (answer.status === 200) return { phase: result === "delivered" ? "delivered" : "given" };
  if (answer.status === 409) return { phase: "late" };
  return { phase: "refused", words: refusalWords(answer) };
}

const WITHDRAWN: Readonly<Record<WithdrawReason, string>> = {
  agent_cancelled: "the agent took the question back",
  disconnected: "the agent has exited",
  turn_ended: "the turn ended",
  session_closed: "the session was closed",
  overloaded: "too many questions were open",
  shutdown: "the daemon stopped",
};

/** Null while nothing has happened to the ask. */
export function answerWords(own: OwnAnswer | undefined, settled: SettledAsk | undefined): AnswerWords | null {
  if (own?.phase === "refused") return { text: `not sent: ${own.words}`, mood: "bad", isOver: false };
  if (settled !== undefined) return endWords(own, settled);
  if (own === undefined) return null;
  if (own.phase === "sending") {
    const text = own.isDelayed ? "sending… no connection, it is sent again" : "sending…";
    return { text, mood: "working", isOver: true };
  }
  if (own.phase === "delivered") return { text: "delivered to the agent", mood: "good", isOver: true };
  if (own.phase === "late") return { text: "this was answered before", mood: "plain", isOver: true };
  return { text: "given, on its way to the agent", mood: "working", isOver: true };
}

function endWords(own: OwnAnswer | undefined, { outcome, delivery }: SettledAsk): AnswerWords {
  const over = { isOver: true } as const;
  if (outcome.kind === "expired") return { ...over, text: "no answer in time", mood: "plain" };
  if (outcome.kind === "withdrawn") {
    return { ...over, text: `withdrawn: ${WITHDRAWN[outcome.reason]}`, mood: own === undefined ? "plain" : "bad" };
  }
  const isOwn = own?.phase === "given" || own?.phase === "delivered";
  const who = isOwn ? "" : ` by ${outcome.by}`;
  if (delivery === "delivered")
    return { ...over, text: `${isOwn ? "" : `answered${who}, `}delivered to the agent`, mood: "good" };
  if (delivery === "lost") return { ...over, text: `answered${who}, but it did not reach the agent`, mood: "bad" };
  if (own?.phase === "sending") return { ...over, text: "sending…", mood: "working" };
  const way = delivery === undefined ? ", on its way to the agent" : "";
  return { ...over, text: `${isOwn ? "given" : `answered${who}`}${way}`, mood: isOwn ? "working" : "plain" };
}
