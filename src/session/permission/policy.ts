// The policy: whether a call may happen, must be asked about, or may not happen, and why. Pure: the rules, the mode and
// whether a user is present come in, a verdict goes out.
//
// Within one layer the most specific rule that speaks of the call counts; of equally specific ones deny beats ask beats
// allow. Between layers a deny always stands, else the most specific rule counts, by the same order.
//
//   rules that speak of `edit src/a.ts`                          verdict
//   (none)                                                       ask: it changes files
//   allow edit                                                   allow
//   allow edit            deny edit(src/**)                      deny   (a pattern beats the whole tool)
//   deny  edit(src/**)    allow edit(./src/a.ts)                 allow  (this very file beats a pattern)
//   allow edit(src/**)    ask edit(*.ts)                         ask    (patterns are equal: the stricter)
//   user: deny edit       project or session: allow edit(src/**) deny   (a deny of another layer stands)
//   session: allow edit(src/**)    user: ask edit                allow  (more specific)
//
// Before the rules comes the mode: read-only denies whatever writes or runs. After them comes presence: where no
// one can be asked, here or elsewhere, ask becomes deny. An edit tells what was there, so it is judged as a read as well. A
// command is judged by each of its simple parts, and the strictest verdict counts.

import { createRedactor } from "../../text/redact.js";
import { formOf } from "./command-forms.js";
import { splitCommand, splitWords } from "./command-parts.js";
import { dangerOfCommand, dangerOfPath } from "./danger.js";
import { literalGlob } from "./glob.js";
import type { PermissionDecision, PermissionRequest, PermissionVerdict } from "./request.js";
import { type PermissionRule, ruleText } from "./rule.js";
import { type CommandUnit, rankForCommand, rankForPath, speaksOfTool } from "./rule-match.js";

/** Where a rule comes from. Headless rules apply only while no user is at the terminal. */
export type PermissionLayer = "user" | "project" | "session" | "headless" | "project-headless";
export type PermissionMode = "normal" | "read-only";
/** "away": no user is at the terminal, but a file, a rule of the run or someone elsewhere may answer. */
export type Presence = "person" | "away" | "headless";
export type LayeredRule = { readonly layer: PermissionLayer; readonly rule: PermissionRule };

export type PermissionPolicy = {
  readonly mode: PermissionMode;
  readonly presence: Presence;
  readonly rules: readonly LayeredRule[];
};

export const defaultPolicy: PermissionPolicy = { mode: "normal", presence: "person", rules: [] };

/** The policy with one rule more; a rule it already has is not added again. */
export function withRule(policy: PermissionPolicy, layer: PermissionLayer, rule: PermissionRule): PermissionPolicy {
  const isSame = (other: LayeredRule) =>
    other.layer === layer && other.rule.decision === rule.decision && ruleText(other.rule) === ruleText(rule);
  return policy.rules.some(isSame) ? policy : { ...policy, rules: [...policy.rules, { layer, rule }] };
}

export function decidePermission(policy: PermissionPolicy, request: PermissionRequest): PermissionVerdict {
  const verdict = decideOne(policy, request);
  return request.reveals === true ? stricter(verdict, decideOne(policy, asRead(request))) : verdict;
}

/** Reading what a call is about, as a request of its own. */
export function asRead({ subject, reach }: Pick<PermissionRequest, "subject" | "reach">): PermissionRequest {
  const danger = dangerOfPath({ access: "read", path: subject, reach });
  return { tool: "read", access: "read", subject, reach, danger };
}

function decideOne(policy: PermissionPolicy, request: PermissionRequest): PermissionVerdict {
  if (policy.mode === "read-only" && request.access !== "read") {
    return { decision: "deny", because: "this session is read-only" };
  }
  const spoken = policy.rules.filter(
    ({ layer, rule }) => (policy.presence !== "person" || !layer.endsWith("headless")) && speaksOfTool(rule, request),
  );
  const verdict = request.access === "execute" ? judgeCommand(spoken, request) : judgePath(spoken, request);
  if (verdict.decision !== "ask" || policy.presence !== "headless") return verdict;
  return { decision: "deny", because: `no one can be asked, and no rule allows it: ${verdict.because}` };
}

type RankedRule = LayeredRule & { readonly rank: number };

const STRICTNESS: Readonly<Record<PermissionDecision, number>> = { allow: 0, ask: 1, deny: 2 };

function judgePath(rules: readonly LayeredRule[], request: PermissionRequest): PermissionVerdict {
  const winner = winnerOf(ranked(rules, (rule) => rankForPath(rule, request)));
  return winner === undefined ? defaultVerdict(request) : verdictOf(winner);
}

function judgeCommand(rules: readonly LayeredRule[], request: PermissionRequest): PermissionVerdict {
  const split = splitCommand(request.subject);
  if (split.kind === "unclear") return judgeUnclear(rules, request, split.why);
  const [first, ...others] = split.parts.map((unit) => judgeUnit(rules, unit, request));
  const strictest = others.reduce(stricter, first ?? defaultVerdict(request));
  const isOnePart = split.parts.length === 1;
  if (strictest.decision === "ask" && !isOnePart) return exactAllowance(rules, request) ?? strictest;
  if (strictest.decision !== "allow" || isOnePart) return strictest;
  return hasJointDanger(request, split.parts) ? (exactAllowance(rules, request) ?? defaultVerdict(request)) : strictest;
}

function judgeUnit(rules: readonly LayeredRule[], unit: CommandUnit, request: PermissionRequest): PermissionVerdict {
  // The parts are looked at again only when the whole was found dangerous, by someone who knows the workspace.
  const danger = request.danger === null ? null : dangerOfCommand(unit.text);
  const command = { ...unit, danger, reach: request.reach };
  const winner = winnerOf(ranked(rules, (rule) => rankForCommand(rule, command)));
  return winner === undefined ? defaultVerdict({ ...request, danger: danger ?? request.danger }) : verdictOf(winner);
}

// What it runs is not known, so only a rule with this very text allows it, and only where no other layer denies or asks
// about commands: those rules cannot be checked against it.
function judgeUnclear(rules: readonly LayeredRule[], request: PermissionRequest, why: string): PermissionVerdict {
  const verdict = judgeUnit(rules, { text: request.subject, words: null }, request);
  if (verdict.decision === "deny") return verdict;
  if (verdict.decision === "ask") return { ...verdict, because: `${verdict.because}, and ${why}` };
  const isExact = ({ rule }: LayeredRule) => rule.decision === "allow" && rule.pattern === request.subject;
  const layers = new Set(rules.filter(isExact).map(({ layer }) => layer));
  const isRestricted = rules.some(
    ({ layer, rule }) => rule.decision !== "allow" && rule.pattern !== null && !layers.has(layer),
  );
  return isRestricted
    ? { decision: "ask", because: `it cannot be checked against the rules, because ${why}` }
    : verdict;
}

function exactAllowance(rules: readonly LayeredRule[], { subject }: PermissionRequest): PermissionVerdict | undefined {
  const exact = rules.find(({ rule }) => rule.decision === "allow" && rule.pattern === subject);
  return exact === undefined ? undefined : verdictOf(exact);
}

/** Whether the parts are dangerous together in a way that none of them is alone, as in `curl … | sh`. */
function hasJointDanger({ danger }: PermissionRequest, parts: readonly CommandUnit[]): boolean {
  if (danger === null) return false;
  const alone = new Set(parts.flatMap(({ text }) => dangerOfCommand(text)?.split("; ") ?? []));
  return danger.split("; ").some((each) => !alone.has(each));
}

function ranked(rules: readonly LayeredRule[], rankOf: (rule: PermissionRule) => number | null): RankedRule[] {
  return rules.flatMap((each) => {
    const rank = rankOf(each.rule);
    return rank === null ? [] : [{ ...each, rank }];
  });
}

function winnerOf(rules: readonly RankedRule[]): RankedRule | undefined {
  const layers: PermissionLayer[] = ["user", "project", "headless", "project-headless", "session"];
  const winners = layers.flatMap((layer) => rules.filter((each) => each.layer === layer).reduce(strongest, []));
  return winners.find(({ rule }) => rule.decision === "deny") ?? winners.reduce(strongest, [])[0];
}

function strongest(best: readonly RankedRule[], next: RankedRule): RankedRule[] {
  const [known] = best;
  if (known === undefined || next.rank > known.rank) return [next];
  const isStricter = STRICTNESS[next.rule.decision] > STRICTNESS[known.rule.decision];
  return next.rank === known.rank && isStricter ? [next] : [known];
}

function stricter(a: PermissionVerdict, b: PermissionVerdict): PermissionVerdict {
  return STRICTNESS[b.decision] > STRICTNESS[a.decision] ? b : a;
}

const OWNERS: Readonly<Record<PermissionLayer, string>> = {
  user: "your rules",
  project: "the rules of this project",
  session: "your choices in this session",
  headless: "the rules for unattended runs",
  "project-headless": "this project's rules for unattended runs",
};

function verdictOf({ layer, rule }: LayeredRule): PermissionVerdict {
  const verb = rule.decision === "ask" ? "ask about" : rule.decision;
  return { decision: rule.decision, because: `${OWNERS[layer]} ${verb} ${ruleText(rule)}` };
}

/** What holds without any rule: reading inside the workspace is free unless it looks like a secret, all else asks. */
function defaultVerdict({ access, reach, danger }: PermissionRequest): PermissionVerdict {
  if (danger !== null) return { decision: "ask", because: danger };
  if (access === "execute") return { decision: "ask", because: "it runs a command" };
  if (access === "write") return { decision: "ask", because: "it changes files" };
  if (reach === "outside") return { decision: "ask", because: "it reads outside the workspace" };
  return { decision: "allow", because: "reading inside the workspace is allowed" };
}

// The rule that "always" would add, as it is written: as narrow as is still useful. What is dangerous, unclear or already
// ruled on otherwise gets none, so that the user decides each time.
const EXACT_COMMAND_CHARS_MAX = 120;

/** With a policy, a rule that would not help there is not suggested. */
export function suggestRule(request: PermissionRequest, policy?: PermissionPolicy): string | null {
  // "Always" is written down, and a key in a command must not be.
  if (request.danger !== null || holdsSecret(request.subject)) return null;
  const pattern = request.access === "execute" ? commandPattern(request) : pathPattern(request);
  if (pattern === null) return null;
  const rule: PermissionRule = { decision: "allow", tool: request.tool, pattern };
  const helps =
    policy === undefined || decidePermission(withRule(policy, "session", rule), request).decision === "allow";
  return helps ? ruleText(rule) : null;
}

/** Whether a key or a password of a known shape stands in a text. */
export function holdsSecret(subject: string): boolean {
  return createRedactor().text(subject) !== subject;
}

function pathPattern({ subject, reach }: PermissionRequest): string {
  if (reach === "outside") return literalGlob(subject);
  const end = subject.lastIndexOf("/");
  return end < 0 ? `./${literalGlob(subject)}` : `${literalGlob(subject.slice(0, end))}/**`;
}

// Remembered is this very text, or a form whose other arguments are known to be harmless; never "with any arguments".
function commandPattern({ subject }: PermissionRequest): string | null {
  const split = splitWords(subject);
  if (split.kind === "unclear") return null;
  const [only, ...others] = split.parts;
  const form = others.length === 0 ? formOf(only?.words ?? []) : undefined;
  if (form !== undefined) return form;
  const isShort = subject.length <= EXACT_COMMAND_CHARS_MAX && !subject.includes("\n");
  return isShort && !/:\*$|\s\*$/.test(subject) ? subject : null;
}
