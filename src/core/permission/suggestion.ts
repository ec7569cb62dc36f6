// The rule that "always" would add: as narrow as is still useful, and in words for the dialog. What is dangerous, unclear
// or already ruled on otherwise gets no suggestion, so that the person decides each time.
import { createRedactor } from "../../text/redact.js";
import { splitCommand } from "./command-parts.js";
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

// Commands whose arguments choose what of the project's own is run or shown; * stands for the name of a script. Others
// could run or write anything with the right argument, and are remembered word by word only.
const PREFIXES: readonly string[] = [
  ...["npm test", "npm run *", "npm ls", "pnpm test", "pnpm run *", "yarn test", "yarn run *", "bun test", "bun run *"],
  ...[
    "npx vitest",
    "npx tsc",
    "npx jest",
    "npx biome",
    "npx eslint",
    "npx prettier",
    "vitest",
    "tsc",
    "jest",
    "pytest",
  ],
  ...["cargo test", "cargo build", "cargo check", "cargo clippy", "cargo fmt", "go test", "go build", "go vet"],
  ...["make *", "just *", "mix test", "mix format", "gradle test", "mvn test", "dotnet test", "dotnet build"],
  ...["git status", "git diff", "git log", "git show", "git add", "git commit", "git branch", "git blame"],
];

/** With a policy, a rule that would not help there is not suggested. */
export function suggestRule(request: PermissionRequest, policy?: PermissionPolicy): RuleSuggestion | null {
  // "Always" is written down, and a key in a command must not be.
  if (request.danger !== null || holdsSecret(request.subject)) return null;
  const found = request.access === "execute" ? forCommand(request) : forPath(request);
  if (found === null || policy === undefined) return found;
  const { decision } = decidePermission(withRule(policy, "session", found.rule), request);
  return decision === "allow" ? found : null;
}

function holdsSecret(subject: string): boolean {
  return createRedactor().text(subject) !== subject;
}

function forPath({ tool, subject, reach }: PermissionRequest): RuleSuggestion | null {
  if (reach === "outside") return suggestion(tool, literalGlob(subject), `${tool} of ${subject}`);
  const end = subject.lastIndexOf("/");
  if (end < 0) return suggestion(tool, `./${literalGlob(subject)}`, `${tool} of ${subject}`);
  const folder = subject.slice(0, end);
  return suggestion(tool, `${literalGlob(folder)}/**`, `${tool} in ${folder}/**`);
}

function forCommand({ tool, subject }: PermissionRequest): RuleSuggestion | null {
  const split = splitCommand(subject);
  if (split.kind === "unclear") return null;
  const [only, ...others] = split.parts;
  const prefix = others.length === 0 ? knownPrefix(only?.words ?? []) : undefined;
  if (prefix !== undefined) return suggestion(tool, `${prefix}:*`, `${prefix} with any arguments`);
  const isShort = subject.length <= EXACT_COMMAND_CHARS_MAX && !subject.includes("\n");
  return isShort && !/:\*$|\s\*$/.test(subject) ? suggestion(tool, subject, "exactly this command") : null;
}

function knownPrefix(words: readonly string[]): string | undefined {
  const fits = (prefix: string) =>
    prefix
      .split(" ")
      .every((part, at) =>
        part === "*" ? /^[\w:.-]*$/.test(words[at] ?? "") && /^\w/.test(words[at] ?? "") : part === words[at],
      );
  const prefix = PREFIXES.find(fits);
  return prefix === undefined ? undefined : words.slice(0, prefix.split(" ").length).join(" ");
}

function suggestion(tool: string, pattern: string, words: string): RuleSuggestion {
  const rule: PermissionRule = { decision: "allow", tool, pattern };
  return { rule, text: ruleText(rule), words };
}
