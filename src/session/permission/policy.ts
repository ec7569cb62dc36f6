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
import { type CommandPart, splitCommand, splitWords } from "./command-parts.js";
import { dangerOfCommand, dangerOfPath, isOutside } from "./danger.js";
import { compileGlob, isLiteral, literalGlob } from "./glob.js";
import { hasArgumentTrick, hiddenCommand } from "./hidden-commands.js";
import { commandsIn } from "./loose-commands.js";
import type { PermissionDecision, PermissionRequest, PermissionVerdict } from "./request.js";
import { type PermissionRule, prefixWords, ruleText } from "./rule.js";

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

// Whether a rule speaks of a call, and how specifically. An allowance is read narrowly: `npm test:*` does not mean what
// comes after &&, nor an argument that makes npm run something else. A denial and a demand to ask are read widely: "never
// rm" means `sudo rm` too. Finding rm in a shell text is a help and no wall, so what cannot be taken apart is never allowed.

// How specifically a rule speaks, from every tool to this very call. Of two beginnings of a command that both fit, the
// longer one is inside the shorter one, so words count; two path patterns are never ranked against each other.
const EVERY_TOOL = 0;
const WHOLE_TOOL = 1_000;
const PATTERN = 2_000;
const EXACT = 3_000;
const PREFIX_WORDS_MAX = 900;

/** One simple command of a request; without words when it could not be taken apart. */
type CommandUnit = Pick<CommandPart, "text"> & { readonly words: CommandPart["words"] | null };

/** The rank of a rule that speaks of this path, or null. */
function rankForPath(rule: PermissionRule, request: PermissionRequest): number | null {
  if (!speaksOfTool(rule, request)) return null;
  const { pattern } = rule;
  const isWhole = pattern === null || pattern === "*" || pattern === "**";
  if (rule.decision !== "allow") return isWhole ? wholeRank(rule) : rankOfPathPattern(rule, pattern, request);
  if (isWhole) return request.reach === "inside" && request.danger === null ? wholeRank(rule) : null;
  const rank = rankOfPathPattern(rule, pattern, request);
  if (rank === null || (request.reach === "outside" && !pattern.startsWith("/"))) return null;
  return rank === EXACT || namesPathDanger(pattern, request) ? rank : null;
}

/** One simple command of a request, with what is dangerous about it. */
type JudgedCommand = CommandUnit & Pick<PermissionRequest, "danger" | "reach">;

/** The rank of a rule that speaks of this one command, or null. */
function rankForCommand(rule: PermissionRule, command: JudgedCommand): number | null {
  const { pattern, tool, decision } = rule;
  const isWhole = pattern === null || pattern === "*";
  if (isWhole) return decision !== "allow" || isOrdinary(command) ? wholeRank({ tool }) : null;
  if (pattern === command.text) return EXACT;
  const form = formIn(pattern);
  // A denial of one text is about its words, too: another blank or another word between them changes little.
  const prefix = form ?? prefixWords(pattern) ?? (decision === "allow" ? undefined : wordsOfText(pattern));
  if (prefix === undefined) return null;
  const rank = PATTERN + Math.min(prefix.length, PREFIX_WORDS_MAX);
  if (decision !== "allow") return mentions(command.text, prefix) ? rank : null;
  if (form !== undefined) return isOrdinary(command) && formOf(command.words ?? []) === pattern ? rank : null;
  return isCovered(command, prefix) ? rank : null;
}

/** Plain words, about the workspace, and nothing is known of them that the user should look at. */
function isOrdinary({ words, danger, reach }: JudgedCommand): boolean {
  return words !== null && danger === null && reach === "inside" && hiddenCommand(words) === null;
}

/** Whether a command only continues these words; what is dangerous or tricky about it has to be in the words already. */
function isCovered({ words, danger }: JudgedCommand, prefix: readonly string[]): boolean {
  if (words === null || !beginsWith(words, prefix)) return false;
  if (danger !== null && dangerOfCommand(prefix.join(" ")) !== danger) return false;
  const hidden = hiddenCommand(words);
  if (hidden !== null && hiddenCommand(prefix) !== hidden) return false;
  return !hasArgumentTrick(words.slice(prefix.length));
}

/** A rule about reading speaks for every tool that reads, one about writing for every tool that writes. */
function speaksOfTool({ tool, decision }: PermissionRule, request: PermissionRequest): boolean {
  if (tool === "*" || tool === request.tool) return true;
  if (tool === "read" || tool === "write") return tool === request.access;
  // A rule that forbids edits also forbids rewriting the whole file.
  return tool === "edit" && request.access === "write" && decision !== "allow";
}

function wholeRank({ tool }: Pick<PermissionRule, "tool">): number {
  return tool === "*" ? EVERY_TOOL : WHOLE_TOOL;
}

function rankOfPathPattern(rule: PermissionRule, pattern: string, { subject }: PermissionRequest): number | null {
  const anchored = pattern.startsWith("./") ? pattern.slice(2) : pattern;
  const trimmed = anchored.endsWith("/") ? `${anchored}**` : anchored;
  const isAnyFolder = !pattern.startsWith("./") && !trimmed.includes("/");
  const globs = isAnyFolder ? [`**/${trimmed}`] : [trimmed];
  // A denied folder is denied with all that is in it.
  if (rule.decision !== "allow") globs.push(...globs.map((glob) => `${glob}/**`));
  const isSpokenOf = (glob: string) =>
    compileGlob(glob).matches(subject) ||
    (rule.decision !== "allow" && compileGlob(plainCase(glob)).matches(plainCase(subject)));
  if (!globs.some(isSpokenOf)) return null;
  return isLiteral(pattern) && !isAnyFolder ? EXACT : PATTERN;
}

// Many file systems take .ENV for .env, and one way to write é for the other.
function plainCase(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

function namesPathDanger(pattern: string, { access, reach, danger }: PermissionRequest): boolean {
  return danger === null || dangerOfPath({ access, reach, path: pattern.replace(/^\.\//, "") }) === danger;
}

function beginsWith(words: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((word, at) => words[at] === word);
}

/** Whether one of the commands has all these words, in this order; other words may stand between them. */
function mentions(text: string, [first = "", ...rest]: readonly string[]): boolean {
  return commandsIn(text).some(({ name, args }) => {
    let at = 0;
    for (const arg of args) if (arg === rest[at]) at++;
    return name === baseName(first) && at === rest.length;
  });
}

function wordsOfText(pattern: string): string[] | undefined {
  const split = splitWords(pattern);
  return split.kind === "parts" && split.parts.length === 1 ? [...(split.parts[0]?.words ?? [])] : undefined;
}

function baseName(path: string): string {
  return path.split("/").at(-1) ?? path;
}

// The commands that "always" may remember with other arguments than the ones that were asked about: each with the closed
// list of what may stand behind it. None of it writes a file, runs a program of the arguments' choice or looks outside.
// Whatever is not in the list is asked about. The agent reads and lists files with tools of its own.
//
//   bash(git diff:read)   covers   git diff --stat HEAD~1 -- src      and not   git diff --output=x,  git diff /etc/a b

type CommandForm = {
  /** The words it begins with. */
  readonly words: string;
  readonly flags: RegExp;
  /** Flags whose value is the next word. */
  readonly valued?: readonly string[];
  readonly operands: "revisions and paths" | "none";
};

const FORM_MARK = ":read";
const NUMBER = "\\d{1,9}";
const WHEN = "(?:=(?:always|never|auto))?";

const SHOWS_CHANGES =
  `stat|numstat|shortstat|summary|name-only|name-status|patch|no-patch|raw|check|full-index|binary|unified=${NUMBER}|` +
  `minimal|patience|histogram|word-diff|color-words|color${WHEN}|no-color|ignore-all-space|ignore-space-change|` +
  "ignore-blank-lines|find-renames|no-renames|diff-filter=[A-Za-z*]+|no-ext-diff|no-textconv|relative|exit-code|quiet";
const SHOWS_COMMITS =
  `oneline|graph|decorate|no-decorate|all|branches|tags|remotes|reverse|first-parent|merges|no-merges|follow|` +
  `max-count=${NUMBER}|skip=${NUMBER}|since=[^-].*|until=[^-].*|after=[^-].*|before=[^-].*|author=.+|grep=.+|` +
  "format=.+|pretty(?:=.+)?|abbrev-commit|no-abbrev-commit|date=[\\w:%. -]+|left-right|cherry-pick|merge-base";

const FORMS: readonly CommandForm[] = [
  {
    words: "git status",
    flags:
      /^(?:-[sbvz]+|--(?:short|branch|long|verbose|null|porcelain(?:=v?[12])?|show-stash|ahead-behind|no-renames|ignored|untracked-files(?:=(?:no|normal|all))?)|-u(?:no|normal|all)?)$/,
    operands: "revisions and paths",
  },
  {
    words: "git diff",
    flags: new RegExp(`^(?:-[pusRwbzM]|-U${NUMBER}|--(?:${SHOWS_CHANGES}|cached|staged|merge-base)|--)$`),
    operands: "revisions and paths",
  },
  {
    words: "git log",
    flags: new RegExp(`^(?:-[puswbzMm]|-${NUMBER}|-[nU]${NUMBER}|--(?:${SHOWS_CHANGES}|${SHOWS_COMMITS})|--)$`, "s"),
    valued: ["-n", "-S", "-G"],
    operands: "revisions and paths",
  },
  {
    words: "git show",
    flags: new RegExp(`^(?:-[puswbzMm]|-U${NUMBER}|--(?:${SHOWS_CHANGES}|${SHOWS_COMMITS})|--)$`, "s"),
    operands: "revisions and paths",
  },
  {
    words: "git branch",
    flags: /^(?:-[arv]+|--(?:all|remotes|list|verbose|show-current|no-color|no-column))$/,
    operands: "none",
  },
];

/** A revision, a range of them, or a path; nothing that leads outside, and nothing that could be an option. */
const OPERAND = /^[\w@.][\w@.^~:/+,=-]*$/;

/** The words that a pattern such as `git diff:read` names, or undefined when it names no form. */
function formIn(pattern: string): readonly string[] | undefined {
  if (!pattern.endsWith(FORM_MARK)) return undefined;
  const words = pattern.slice(0, -FORM_MARK.length);
  return FORMS.some((form) => form.words === words) ? words.split(" ") : undefined;
}

/** The pattern of the form that these words fit, or undefined. */
export function formOf(words: readonly string[]): string | undefined {
  const form = FORMS.find((each) => each.words === words.slice(0, 2).join(" "));
  return form !== undefined && fits(form, words.slice(2)) ? `${form.words}${FORM_MARK}` : undefined;
}

function fits({ flags, valued = [], operands }: CommandForm, args: readonly string[]): boolean {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (valued.includes(arg)) {
      if (!/^[^-]/.test(args[++at] ?? "")) return false;
    } else if (arg.startsWith("-") ? !flags.test(arg) : operands === "none" || !isOperand(arg)) return false;
  }
  return true;
}

// A revision and a path can be joined by a colon, and each side is looked at.
function isOperand(arg: string): boolean {
  return OPERAND.test(arg) && arg.split(":").every((part) => !isOutside(part, undefined));
}
