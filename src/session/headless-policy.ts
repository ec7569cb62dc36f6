// The answers when no one can be asked: permissions given in advance, then the rules of a file, then the policy. Each decision
// names its source, for the record; nothing is allowed that was not explicitly allowed.
//
//   policy    permission   confirm   any other kind
//   deny      no           no        cancelled
//   default   no           no        the default that a script of the user's own gave, else as fail
//   fail      ── the run ends: an answer was needed ──
//   wait      ── left open at the daemon ──
import { type Ask, type PermissionParams, permissionResultSchema } from "../contract/asks.js";
import type { FormField } from "../contract/dialogs.js";
import { fitAnswer } from "./answer-fit.js";
import { isApproval, toolOf } from "./ask-facts.js";
import { type AnswerRule, ruledAnswer } from "./headless-answers.js";
import { isReading } from "./permission/dangerous-ask.js";
import { OUTSIDE_TOOL } from "./sandbox/outside-approval.js";
import { isSameTool } from "./tool-names.js";

export type OnAsk = "deny" | "default" | "fail" | "wait";

export interface GivenBeforehand {
  /** Every approval is a yes, but the one to leave the sandbox: that has to be named. */
  readonly everything: "allowed" | "asked";
  /** Approvals for these tools are a yes. */
  readonly tools: readonly string[];
  readonly rules: readonly AnswerRule[];
}

export type Decision =
  | { readonly kind: "answered"; readonly value: unknown; readonly by: string }
  | { readonly kind: "cancelled"; readonly by: string }
  /** Nothing was said about it. `why` when a rule matched and could not answer. */
  | { readonly kind: "undecided"; readonly why: string };

/** What was decided before the question came; this holds with a terminal too. */
export function decideBeforehand(ask: Ask, { everything, tools, rules }: GivenBeforehand): Decision {
  if (isApproval(ask)) {
    const tool = toolOf(ask);
    const isSkipped = everything === "allowed" && tool !== OUTSIDE_TOOL;
    const by = isSkipped ? "--skip-permissions" : isCovered(ask, tool, tools) ? "--allowed-tools" : null;
    const fitted = by === null ? null : fitAnswer(ask, "allow_once");
    if (by !== null && fitted?.kind === "answered") return { ...fitted, by };
  }
  const ruled = ruledAnswer(ask, rules);
  if (ruled === null) return { kind: "undecided", why: "" };
  const by = `answers[${ruled.rule}]`;
  return ruled.fitted.kind === "unfit"
    ? { kind: "undecided", why: `${by} does not fit: ${ruled.fitted.problem}` }
    : toldWhy(ask, { ...ruled.fitted, by });
}

const NO_ONE = "no one is there to be asked, and what was said beforehand does not allow it";

// A no without a reason ends the turn of some agents; one that was given beforehand lets the agent find another way.
function toldWhy(ask: Ask, decision: Decision): Decision {
  const { question } = ask;
  if (question.kind !== "permission" || question.params.allowReason !== true || decision.kind !== "answered") {
    return decision;
  }
  const { data } = permissionResultSchema.safeParse(decision.value);
  const choice = question.params.choices.find(({ id }) => id === data?.choiceId)?.choice ?? "";
  const isBareNo = data !== undefined && choice.startsWith("reject") && (data.reason ?? "") === "";
  return isBareNo ? { ...decision, value: { ...data, reason: NO_ONE } } : decision;
}

// A tool that was allowed by its name may do what tools of that name do. What is dangerous needs an answer of its own, and a
// tool that reads is not one that runs or writes.
function isCovered(ask: Ask, tool: string | null, tools: readonly string[]): boolean {
  if (tool === OUTSIDE_TOOL) return tools.includes(tool);
  if (tool === null || !tools.some((named) => isSameTool(named, tool))) return false;
  const { question } = ask;
  const about =
    question.kind === "permission" ? question.params : question.kind === "confirm" ? (question.params.opts ?? {}) : {};
  const { danger = "", command, diff, changes } = about as Partial<PermissionParams>;
  const doesMore = command !== undefined || diff !== undefined || (changes ?? []).length > 0;
  return danger === "" && !(isReading(tool) && doesMore);
}

/**
 * What the policy makes of a question that was not decided; undecided ones fail or wait. An agent's default is its own preference, which
 * may be a yes in any words, so that only a question of the user's own script is answered by its default.
 */
export function decideAlone(ask: Ask, onAsk: OnAsk, author: "user" | "agent"): Decision {
  const undecided: Decision = { kind: "undecided", why: "" };
  if (onAsk === "fail" || onAsk === "wait") return undecided;
  const by = `--on-ask ${onAsk}`;
  if (isApproval(ask) || ask.question.kind === "confirm") return declined(ask, by);
  if (onAsk === "deny") return { kind: "cancelled", by };
  const said = author === "user" ? defaultOf(ask) : undefined;
  const fitted = said === undefined ? null : fitAnswer(ask, said);
  return fitted === null || fitted.kind === "unfit" ? undecided : { ...fitted, by };
}

function declined(ask: Ask, by: string): Decision {
  const fitted = fitAnswer(ask, ask.question.kind === "permission" ? "reject_once" : false);
  return fitted.kind === "answered" ? toldWhy(ask, { ...fitted, by }) : { kind: "cancelled", by };
}

/** The answer that the question itself brings along; undefined when it brings none. */
function defaultOf({ question }: Pick<Ask, "question">): unknown {
  switch (question.kind) {
    case "editor":
      return question.params.prefill ?? undefined;
    case "form":
      return formDefaults(question.params.fields);
    case "confirm":
    case "permission":
      return undefined;
    default:
      return question.params.opts?.default;
  }
}

/** A confirm in a form is a no, as it is by itself. */
function formDefaults(fields: readonly FormField[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap(({ name, kind, default: said }) =>
      said === undefined ? [] : [[name, kind === "confirm" ? false : said]],
    ),
  );
}
