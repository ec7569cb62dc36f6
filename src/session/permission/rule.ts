// A rule as people write it: a tool, and in parentheses what it is about. Paths are patterns, commands are a beginning
// or the whole.
//
//   read               every file of the workspace          bash                every command of plain words
//   edit(src/**)       all below src                        bash(npm test)      exactly this
//   edit(*.md)         by name, in any folder               bash(npm test:*)    npm test with other plain words
//   edit(./README.md)  this one file                        bash(git diff:read) git diff that only reads
//   *                  every tool
//   read(/usr/share/**)  outside the workspace: only a pattern that begins with / speaks of that
import { shellTrim, splitWords } from "./command-parts.js";
import { hiddenCommand } from "./hidden-commands.js";
import type { PermissionDecision } from "./request.js";

export type PermissionRule = {
  readonly decision: PermissionDecision;
  /** The name of a tool, or * for every one. */
  readonly tool: string;
  /** What stands in the parentheses; null when there are none. */
  readonly pattern: string | null;
};

type ParsedRule =
  | { readonly ok: true; readonly rule: PermissionRule }
  | { readonly ok: false; readonly problem: string };

const SHAPE = /^([^()\s]+)(?:\(([\s\S]*)\))?$/;
const PREFIX_MARK = ":*";

/** `where` it is written, as the user would find it: a file, a line, a flag. */
export function parseRule(
  text: string,
  { decision, where }: { decision: PermissionDecision; where: string },
): ParsedRule {
  const written = shellTrim(text);
  const [, tool = "", pattern] = SHAPE.exec(written) ?? [];
  const problem = shapeProblem(written, tool, pattern) ?? patternProblem(tool, pattern, decision);
  if (problem !== undefined) return { ok: false, problem: `${where}: the rule ${JSON.stringify(text)} ${problem}` };
  return { ok: true, rule: { decision, tool, pattern: pattern === undefined ? null : shellTrim(pattern) } };
}

function shapeProblem(written: string, tool: string, pattern: string | undefined): string | undefined {
  if (written === "") return "is empty: write a tool, such as read or bash(npm test:*)";
  if (written.includes("(") && !written.endsWith(")")) return "has no closing parenthesis: write tool(pattern)";
  if (tool === "") return "is not of the form tool(pattern): write it like bash(npm test:*) or edit(src/**)";
  if (tool !== "*" && !/^[a-z][\w.-]*$/.test(tool)) {
    return `names no tool: ${JSON.stringify(tool)} should be a name in lower case, such as ${nearName(tool)}`;
  }
  if (pattern !== undefined && shellTrim(pattern) === "")
    return `has nothing in its parentheses: write ${tool} for all of it`;
  return undefined;
}

function nearName(tool: string): string {
  const lower = tool.toLowerCase().replace(/[^a-z0-9_.-]/g, "");
  return /^[a-z]/.test(lower) ? lower : "bash";
}

function patternProblem(tool: string, written: string | undefined, decision: PermissionDecision): string | undefined {
  if (written === undefined) return undefined;
  const pattern = shellTrim(written);
  if (pattern.startsWith("~")) return "begins with ~: write the home folder out, as in /home/me/**";
  if (tool !== "bash" || pattern === "*") return undefined;
  if (/\s\*$/.test(pattern))
    return `ends with a star: write bash(${pattern.replace(/\s+\*$/, "")}:*) for any arguments`;
  if (!pattern.endsWith(PREFIX_MARK)) return undefined;
  const words = prefixWords(pattern);
  if (words === undefined) return "can only have a single plain command before :*, without operators or expansions";
  const hidden = decision === "allow" ? hiddenCommand([...words, "./x"]) : null;
  if (hidden?.covered !== "never") return undefined;
  return `allows nothing, because of ${words[0]}: ${hidden.why}. Write the whole command instead, without :*`;
}

export function ruleText({ tool, pattern }: Pick<PermissionRule, "tool" | "pattern">): string {
  return pattern === null ? tool : `${tool}(${pattern})`;
}

/** The words a command has to begin with, or undefined when the rule is about a whole command. */
export function prefixWords(pattern: string): readonly string[] | undefined {
  if (!pattern.endsWith(PREFIX_MARK)) return undefined;
  const split = splitWords(pattern.slice(0, -PREFIX_MARK.length));
  return split.kind === "parts" && split.parts.length === 1 ? split.parts[0]?.words : undefined;
}

/** The lists of a configuration as rules, and what is wrong with the others. */
export function parseRuleLists(
  lists: Readonly<Partial<Record<PermissionDecision, readonly string[]>>>,
  where: string,
): { rules: PermissionRule[]; problems: string[] } {
  const parsed = (["deny", "ask", "allow"] as const).flatMap((decision) =>
    (lists[decision] ?? []).map((text, at) => parseRule(text, { decision, where: `${where}, ${decision}[${at}]` })),
  );
  return {
    rules: parsed.flatMap((each) => (each.ok ? [each.rule] : [])),
    problems: parsed.flatMap((each) => (each.ok ? [] : [each.problem])),
  };
}
