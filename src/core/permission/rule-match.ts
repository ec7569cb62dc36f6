// Whether a rule speaks of a call, and how specifically. An allowance is read narrowly, a denial and a demand to ask
// widely: whoever writes "never rm" means `sudo rm` too, and whoever allows `npm test` did not mean what comes after &&.
import type { CommandPart } from "./command-parts.js";
import { dangerOfCommand, dangerOfPath } from "./danger.js";
import { compileGlob, isLiteral } from "./glob.js";
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

/** The rank of a rule that speaks of this one command, or null. */
export function rankForCommand(rule: PermissionRule, unit: CommandUnit, danger: string | null): number | null {
  const { pattern, tool } = rule;
  if (pattern === null || pattern === "*") {
    return rule.decision === "allow" && danger !== null ? null : wholeRank({ tool });
  }
  if (pattern === unit.text) return EXACT;
  const prefix = prefixWords(pattern);
  if (prefix === undefined) return null;
  const rank = PATTERN + Math.min(prefix.length, PREFIX_WORDS_MAX);
  if (rule.decision !== "allow") return mentions(unit.text, prefix) ? rank : null;
  if (unit.words === null || !beginsWith(unit.words, prefix)) return null;
  return danger === null || dangerOfCommand(prefix.join(" ")) === danger ? rank : null;
}

/** A rule about reading speaks for every tool that reads, one about writing for every tool that writes. */
export function speaksOfTool({ tool, decision }: PermissionRule, request: PermissionRequest): boolean {
  if (tool === "*" || tool === request.tool) return true;
  if (tool === "read" || tool === "write") return tool === request.access;
  // Who forbids edits does not want the file written anew instead.
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

function mentions(text: string, prefix: readonly string[]): boolean {
  return commandsIn(text).some(({ name, args }) => beginsWith([name, ...args], prefix));
}
