// A file of answers for questions that nobody is there to hear: rules from top to bottom, the first that matches answers.
//
//   {"answers": [{"match": {"kind": "permission", "tool": "bash", "title": "npm *"}, "answer": "allow_once"}]}
//
// A rule says only what somebody wrote down: an answer that does not fit the question is told and answers nothing.

import type { Ask } from "../contract/asks.js";
import { isRecord, objectOf } from "../contract/json-value.js";
import { errorMessage } from "../contract/plain-word.js";
import { type FittedAnswer, fitAnswer, isApproval, isPermissionWord, toolOf } from "./answer-fit.js";
import { OUTSIDE_TOOL } from "./sandbox/outside-approval.js";
import { titleMatches } from "./title-pattern.js";

export interface AnswerRule {
  readonly match: { readonly kind?: AskKind; readonly tool?: string; readonly title?: string };
  readonly answer: unknown;
}

type AskKind = Ask["question"]["kind"];

export type AnswersRead =
  | { readonly ok: true; readonly rules: readonly AnswerRule[] }
  | { readonly ok: false; readonly problem: string };

const kinds: readonly AskKind[] = ["select", "confirm", "input", "editor", "form", "permission"];

/** The text of the file; a problem says which rule and what is wrong with it. */
export function readAnswers(text: string): AnswersRead {
  const parsed = parsedJson(text);
  if (!parsed.ok) return { ok: false, problem: `this is not JSON: ${parsed.problem}` };
  const { answers, ...others } = objectOf(parsed.value);
  if (!Array.isArray(answers)) return { ok: false, problem: 'there must be a list "answers"' };
  const stray = Object.keys(others)[0];
  if (stray !== undefined) return { ok: false, problem: `there is no place for "${stray}" beside "answers"` };
  for (const [index, rule] of answers.entries()) {
    const problem = ruleProblem(rule);
    if (problem !== null) return { ok: false, problem: `answers[${index}]: ${problem}` };
  }
  return { ok: true, rules: answers as AnswerRule[] };
}

export type RuledAnswer = { readonly rule: number; readonly fitted: FittedAnswer };

/** What the first rule that matches says to this question; null when none does. */
export function ruledAnswer(ask: Ask, rules: readonly AnswerRule[]): RuledAnswer | null {
  const rule = rules.findIndex((each) => matches(ask, each));
  const found = rules[rule];
  return found === undefined ? null : { rule, fitted: fitAnswer(ask, found.answer) };
}

// An agent that asks for a permission as a yes or no is meant by rules for permissions too.
function matches(ask: Ask, { match, answer }: AnswerRule): boolean {
  const { kind } = ask.question;
  const isKind = match.kind === undefined || match.kind === kind || (match.kind === "permission" && isApproval(ask));
  const tool = toolOf(ask);
  // Leaving the sandbox is never meant by a rule that does not name it.
  const isTool = match.tool === undefined ? tool !== OUTSIDE_TOOL : match.tool === tool;
  const isTitle = match.title === undefined || titleMatches(match.title, ask.question.params.title);
  // Without a kind, the words of a permission are for approvals alone: no input is ever answered "allow_once".
  const isFor = match.kind !== undefined || !isPermissionWord(answer) || isApproval(ask);
  return isKind && isTool && isTitle && isFor;
}

function ruleProblem(rule: unknown): string | null {
  if (!isRecord(rule)) return "a rule is an object";
  const stray = Object.keys(rule).find((name) => name !== "match" && name !== "answer");
  if (stray !== undefined) return `there is no place for "${stray}"`;
  if (!Object.hasOwn(rule, "answer")) return 'there is no "answer"; null cancels';
  const { match } = rule;
  if (!isRecord(match)) return '"match" must be an object; an empty one matches every question';
  return matchProblem(match);
}

function matchProblem(match: Readonly<Record<string, unknown>>): string | null {
  for (const [name, value] of Object.entries(match)) {
    if (name !== "kind" && name !== "tool" && name !== "title") return `match has kind, tool and title, not "${name}"`;
    if (typeof value !== "string") return `match.${name} must be a text`;
    if (name === "kind" && !kinds.some((kind) => kind === value)) return `match.kind is one of ${kinds.join(", ")}`;
  }
  return null;
}

function parsedJson(text: string): { ok: true; value: unknown } | { ok: false; problem: string } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, problem: errorMessage(error) };
  }
}
