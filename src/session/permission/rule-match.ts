// Whether a rule speaks of a call, and how specifically. An allowance is read narrowly: `npm test:*` does not mean what
// comes after &&, nor an argument that makes npm run something else. A denial and a demand to ask are read widely: "never
// rm" means `sudo rm` too. Finding rm in a shell text is a help and no wall, so what cannot be taken apart is never allowed.
import { formIn, formOf } from "./command-forms.js";
import { type CommandPart, splitWords } from "./command-parts.js";
import { dangerOfCommand, dangerOfPath } from "./danger.js";
import { compileGlob, isLiteral } from "./glob.js";
import { hasArgumentTrick, hiddenCommand } from "./hidden-commands.js";
import { commandsIn } from "./loose-commands.js";
import type { PermissionRequest } from "./request.js";
import { type PermissionRule, prefixWords } from "./rule.js";

// How specifically a rule speaks, from every tool to this very call. Of two beginnings of a command that both fit, the
// longer one is inside the shorter one, so words count; two path patterns are never ranked against each other.
const EVERY_TOOL = 0;
const WHOLE_TOOL = 1_000;
const PATTERN = 2_000;
const EXACT = 3_000;
const PREFIX_WORDS_MAX = 900;

/** One simple command of a request; without words when it could not be taken apart. */
export type CommandUnit = Pick<CommandPart, "text"> & { readonly words: CommandPart["words"] | null };

/** The rank of a rule that speaks of this path, or null. */
export function rankForPath(rule: PermissionRule, request: PermissionRequest): number | null {
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
export type JudgedCommand = CommandUnit & Pick<PermissionRequest, "danger" | "reach">;

/** The rank of a rule that speaks of this one command, or null. */
export function rankForCommand(rule: PermissionRule, command: JudgedCommand): number | null {
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
export function speaksOfTool({ tool, decision }: PermissionRule, request: PermissionRequest): boolean {
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
