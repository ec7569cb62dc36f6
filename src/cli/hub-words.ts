// Sentences about questions at a hub and late answers, for the commands and for the attached view.
import type { AskHistoryEntry } from "../contract/ask-history.js";
import type { AnswerResult } from "../contract/daemon.js";
import type { HubAsk, HubVerdict } from "../host/asks/hub-view.js";
import { safeLine } from "../text/safe.js";

export function onlyThereWords({ onlyThere, address: { machine } }: HubAsk): string {
  const why = onlyThere === "secret" ? "a secret does not go through the hub" : "it is too large to be shown elsewhere";
  return `this question can be answered on ${safeLine(machine)} only: ${why}`;
}

/**
 * Questions under the ids by which they are listed and answered. Machines choose the ids of their questions: one that is the same as
 * another one, or its beginning, stands behind the names of its machine and daemon, which the broker vouches for.
 */
export function namedHubAsks(found: readonly HubAsk[]): { readonly id: string; readonly question: HubAsk }[] {
  return found.map((question) => {
    const { machine, daemon, ask } = question.address;
    const isAlike = (other: string) => other.startsWith(ask) || ask.startsWith(other);
    const isOnly = found.every((other) => other === question || !isAlike(other.address.ask));
    return { id: isOnly ? ask : `${machine}/${daemon}/${ask}`, question };
  });
}

/** Null when the daemon has taken the answer. `person` has given it. */
export function verdictWords(verdict: HubVerdict, { address }: HubAsk, person: string): string | null {
  if (verdict.kind === "taken") return null;
  if (verdict.kind === "stored") {
    const { first } = verdict;
    const order = first === person ? "" : ` behind that of ${safeLine(first)}, who was first`;
    return `the answer is stored${order}; ${safeLine(address.machine)} has not taken it yet`;
  }
  return verdict.entry === null ? "the daemon that asked was killed" : lateEntryWords(verdict.entry);
}

export function lateEntryWords({ outcome }: AskHistoryEntry): string {
  const { kind } = outcome;
  const by = kind === "answered" || kind === "cancelled" ? { by: outcome.by } : {};
  return lateWords({ outcome: kind, ...by, ...(kind === "withdrawn" ? { reason: outcome.reason } : {}) });
}

export function lateWords({ outcome, by, reason }: AnswerResult): string {
  if (outcome === "answered") return `${safeLine(by ?? "another client")} already answered it`;
  if (outcome === "cancelled") return `${safeLine(by ?? "another client")} already cancelled it`;
  return outcome === "expired"
    ? "too late: the question has timed out"
    : `it was withdrawn: ${reason ?? "the agent no longer asks"}`;
}
