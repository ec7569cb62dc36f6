// The rule that "always" would add: as narrow as is still useful, and in words for the dialog. What is dangerous, unclear
// or already ruled on otherwise gets no suggestion, so that the person decides each time.
import { createRedactor } from "../../text/redact.js";
import { formOf } from "./command-forms.js";
import { splitWords } from "./command-parts.js";
import { literalGlob } from "./glob.js";
import { decidePermission, type PermissionPolicy, withRule } from "./policy.js";
import type { PermissionRequest } from "./request.js";
import { type PermissionRule, ruleText } from "./rule.js";

export type RuleSuggestion = {
  readonly rule: PermissionRule;
  /** The rule as it is written: edit(src/**) */
  readonly text: string;
  /** What is allowed then, as the rest of "always allow": edit in src/** */
  readonly words: string;
};

const EXACT_COMMAND_CHARS_MAX = 120;

/** With a policy, a rule that would not help there is not suggested. */
export function suggestRule(request: PermissionRequest, policy?: PermissionPolicy): RuleSuggestion | null {
  // "Always" is written down, and a key in a command must not be.
  if (request.danger !== null || holdsSecret(request.subject)) return null;
  const found = request.access === "execute" ? forCommand(request) : forPath(request);
  if (found === null || policy === undefined) return found;
  const { decision } = decidePermission(withRule(policy, "session", found.rule), request);
  return decision === "allow" ? found : null;
}

/** Whether a key or a password of a known shape stands in a text. */
export function holdsSecret(subject: string): boolean {
  return createRedactor().text(subject) !== subject;
}

function forPath({ tool, subject, reach }: PermissionRequest): RuleSuggestion | null {
  if (reach === "outside") return suggestion(tool, literalGlob(subject), `${tool} of ${subject}`);
  const end = subject.lastIndexOf("/");
  if (end < 0) return suggestion(tool, `./${literalGlob(subject)}`, `${tool} of ${subject}`);
  const folder = subject.slice(0, end);
  return suggestion(tool, `${literalGlob(folder)}/**`, `${tool} in ${folder}/**`);
}

// Remembered is this very text, or a form whose other arguments are known to be harmless; never "with any arguments".
function forCommand({ tool, subject }: PermissionRequest): RuleSuggestion | null {
  const split = splitWords(subject);
  if (split.kind === "unclear") return null;
  const [only, ...others] = split.parts;
  const form = others.length === 0 ? formOf(only?.words ?? []) : undefined;
  if (form !== undefined && only !== undefined) {
    return suggestion(tool, form, `${only.words.slice(0, 2).join(" ")} with arguments that only read`);
  }
  const isShort = subject.length <= EXACT_COMMAND_CHARS_MAX && !subject.includes("\n");
  return isShort && !/:\*$|\s\*$/.test(subject) ? suggestion(tool, subject, "exactly this command") : null;
}

function suggestion(tool: string, pattern: string, words: string): RuleSuggestion {
  const rule: PermissionRule = { decision: "allow", tool, pattern };
  return { rule, text: ruleText(rule), words };
}
