// Asks for a front end in another process: list the open ones, answer one. The registry in this room implements it; asks of
// another process or machine can be reached through the same port.
import type { Ask, AskOutcome } from "../../contract/asks.js";

export type AnswerVerdict =
  /** This answer settled the ask. */
  | { kind: "accepted"; outcome: AskOutcome }
  /** Another answer was first. */
  | { kind: "late"; outcome: AskOutcome }
  | { kind: "unknown" }
  /** The value does not fit the question; the ask stays open. */
  | { kind: "unfit"; problem: string };

export type AskAnswer = { value: unknown } | "cancel";

export interface AskPort {
  /** The clock of the deadlines; the wall clock if missing. */
  nowMs?(): number;
  /** In the order in which they came. */
  openAsks(): readonly Ask[];
  answer(askId: string, answer: AskAnswer, by: string): AnswerVerdict;
  /** A view elsewhere has shown it; an unknown id is ignored. */
  shown(askId: string): void;
  /** Calls back after every change of what is open; the returned function ends it. */
  subscribe(listener: () => void): () => void;
}
