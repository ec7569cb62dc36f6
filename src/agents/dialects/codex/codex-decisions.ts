// The decisions that codex takes about a command or a change, as choices in our own words. A decision that this version does
// not know cannot be named truthfully, so it is not offered.
import { type PermissionParams, permissionResultSchema } from "../../../contract/asks.js";
import { isRecord, objectOf } from "../../../contract/json-value.js";
import { plainWord } from "../../../contract/plain-word.js";
import { argvLine } from "../acp/run-line.js";
import type { AskReply } from "../pending-asks.js";

type Choice = PermissionParams["choices"][number];
type Named = { readonly label: string; readonly choice: Choice["choice"]; readonly description?: string };

/** A decision as it goes back to codex, with the choice that stands for it. */
export type Decision<Answer = unknown> = { readonly answer: Answer; readonly choice: Choice };

/** What codex takes where it does not list its decisions. */
export const usualDecisions: readonly unknown[] = ["accept", "acceptForSession", "decline", "cancel"];

const plainChoices: Readonly<Record<string, Named>> = {
  accept: { label: "allow once", choice: "allow_once" },
  acceptForSession: { label: "always allow", choice: "allow_always", description: "this session; remembered by codex" },
  decline: { label: "no", choice: "reject_once" },
  cancel: { label: "no, and stop", choice: "reject_once", description: "ends the turn" },
};

export function decisionsIn(listed: readonly unknown[], onUnknown: (word: string) => void): Decision[] {
  const decisions = listed.flatMap((answer, place): Decision[] => {
    const word = isRecord(answer) ? (Object.keys(answer)[0] ?? "") : plainWord(answer);
    const choice = isRecord(answer) ? ruleChoice(answer, word) : choiceNamed(word);
    if (choice === null) onUnknown(word);
    return choice === null ? [] : [{ answer, choice: { id: isRecord(answer) ? `${word}-${place}` : word, ...choice } }];
  });
  return decisions.sort((a, b) => order.indexOf(a.choice.choice) - order.indexOf(b.choice.choice));
}

const order: readonly Choice["choice"][] = ["allow_once", "allow_always", "reject_once", "reject_always"];

/** What the user decided; anything that is not clearly a choice is the first no. `unanswered` is for when none will come. */
export function decided<Answer>(decisions: readonly Decision<Answer>[], reply: AskReply, unanswered: Answer): Answer {
  if (reply.kind === "unanswered") return unanswered;
  const { data } = permissionResultSchema.safeParse(reply.value);
  const chosen = decisions.find(({ choice }) => choice.id === data?.choiceId);
  const no = decisions.find(({ choice }) => choice.choice === "reject_once");
  return (chosen ?? no ?? { answer: unanswered }).answer;
}

function choiceNamed(word: string): Named | null {
  return Object.hasOwn(plainChoices, word) ? (plainChoices[word] ?? null) : null;
}

function ruleChoice(answer: Readonly<Record<string, unknown>>, word: string): Named | null {
  if (Object.keys(answer).length !== 1) return null;
  if (word === "acceptWithExecpolicyAmendment") return commandRule(objectOf(answer[word])["execpolicy_amendment"]);
  if (word === "applyNetworkPolicyAmendment") return hostRule(objectOf(answer[word])["network_policy_amendment"]);
  return null;
}

function commandRule(words: unknown): Named | null {
  if (!Array.isArray(words) || words.length === 0 || !words.every((word) => typeof word === "string")) return null;
  const description = "every command that begins with these words; codex keeps the rule";
  return { label: `always allow ${argvLine(words)}`, choice: "allow_always", description };
}

function hostRule(rule: unknown): Named | null {
  const { host, action } = objectOf(rule);
  if (typeof host !== "string" || (action !== "allow" && action !== "deny")) return null;
  const description = "codex keeps the rule";
  return action === "allow"
    ? { label: `always allow ${host}`, choice: "allow_always", description }
    : { label: `never allow ${host}`, choice: "reject_always", description };
}
