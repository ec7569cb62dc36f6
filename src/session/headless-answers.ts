// A file of answers for unattended runs; the first matching rule answers. An answer that does not fit is reported.
//
//   {"answers": [{"match": {"kind": "permission", "tool": "bash", "title": "npm *"}, "answer": "allow_once"}]}

import type { Ask } from "../contract/asks.js";
import { dialogMethods } from "../contract/dialogs.js";
import { isRecord, objectOf } from "../contract/json-value.js";
import { errorMessage } from "../contract/plain-word.js";
import { type FittedAnswer, fitWritten, isPermissionWord } from "./answer-fit.js";
import { isApproval, toolOf } from "./ask-facts.js";
import { walk } from "./permission/glob.js";
import { OUTSIDE_TOOL } from "./sandbox/outside-approval.js";
import { isSameTool } from "./tool-names.js";

export interface AnswerRule {
  readonly match: { readonly kind?: AskKind; readonly tool?: string; readonly title?: string };
  readonly answer: unknown;
}

type AskKind = Ask["question"]["kind"];

type AnswersRead =
  | { readonly ok: true; readonly rules: readonly AnswerRule[] }
  | { readonly ok: false; readonly problem: string };

const kinds: readonly AskKind[] = [...dialogMethods, "permission"];

export function readAnswers(text: string): AnswersRead {
  const parsed = parsedJson(text);
  if (!parsed.ok) return { ok: false, problem: `this is not JSON: ${parsed.problem}` };
  const { answers, ...others } = objectOf(parsed.value);
  if (!Array.isArray(answers)) return { ok: false, problem: 'there must be a list "answers"' };
  const stray = Object.keys(others)[0];
  if (stray !== undefined) return { ok: false, problem: `unexpected field "${stray}" beside "answers"` };
  for (const [index, rule] of answers.entries()) {
    const problem = ruleProblem(rule);
    if (problem !== null) return { ok: false, problem: `answers[${index}]: ${problem}` };
  }
  return { ok: true, rules: answers as AnswerRule[] };
}

/** What the first rule that matches says to this question; null when none does. */
export function ruledAnswer(ask: Ask, rules: readonly AnswerRule[]): { rule: number; fitted: FittedAnswer } | null {
  const rule = rules.findIndex((each) => matches(ask, each));
  const found = rules[rule];
  return found === undefined ? null : { rule, fitted: fitWritten(ask, found.answer) };
}

// Rules for permissions also match an agent that asks for one as a yes or no.
function matches(ask: Ask, { match, answer }: AnswerRule): boolean {
  const { kind } = ask.question;
  const isKind = match.kind === undefined || match.kind === kind || (match.kind === "permission" && isApproval(ask));
  // A yes to every question is none to what an agent wants to do.
  const isAnyConfirm = match.kind === undefined || match.kind === "confirm";
  const isBroadYes = isAnyConfirm && answer === true && match.tool === undefined && match.title === undefined;
  const tool = toolOf(ask);
  // A rule must name the tool that leaves the sandbox.
  const isNamed = match.tool === tool || (tool !== null && tool !== OUTSIDE_TOOL && isSameTool(match.tool ?? "", tool));
  const isTool = match.tool === undefined ? tool !== OUTSIDE_TOOL : isNamed;
  const isTitle = match.title === undefined || titleMatches(match.title, ask.question.params.title);
  // Without a kind, the words of a permission match approvals only: no input is answered "allow_once".
  const isFor = match.kind !== undefined || !isPermissionWord(answer) || isApproval(ask);
  return isKind && !(isBroadYes && isApproval(ask)) && isTool && isTitle && isFor;
}

function ruleProblem(rule: unknown): string | null {
  if (!isRecord(rule)) return "a rule is an object";
  const stray = Object.keys(rule).find((name) => name !== "match" && name !== "answer");
  if (stray !== undefined) return `unexpected field "${stray}"`;
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

/** `*` matches any characters, also slashes, `?` one. */
export function titleMatches(pattern: string, title: string): boolean {
  const isAny = (sign: string) => sign === "*";
  return walk([...pattern], [...title], isAny, (sign, character) => sign === "?" || sign === character);
}
