// Somebody who can be asked, as prompt mode sees him: questions go in, outcomes come out, and he says when he needs the
// terminal for himself. A mini dialog, plain lines and a script in a test are all persons.
import type { Ask, AskOutcome, WithdrawReason } from "../../contract/asks.js";

/** A question that is spoken stands below what was printed before it; one that is drawn has a screen of its own. */
export type AskManner = "drawn" | "spoken";

export interface PersonHandlers {
  /** The terminal is about to be taken: nobody else may write to it from now on. */
  onOpening(manner: AskManner): void;
  /** The terminal is as it was. */
  onClosed(): void;
  onOutcome(ask: Ask, outcome: AskOutcome): void;
}

export interface Person {
  /** Questions queue; each has an outcome, once. */
  ask(ask: Ask): void;
  withdraw(askId: string, reason: WithdrawReason): void;
  /** Whatever is open is withdrawn; resolves when the terminal was given back. */
  close(): Promise<void>;
}

export type OpenPerson = (handlers: PersonHandlers) => Person;
