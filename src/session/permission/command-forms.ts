// The commands that "always" may remember with other arguments than the ones that were asked about: each with the closed
// list of what may stand behind it. None of it writes a file, runs a program of the arguments' choice or looks outside.
// Whatever is not in the list is asked about. The agent reads and lists files with tools of its own.
//
//   bash(git diff:read)   covers   git diff --stat HEAD~1 -- src      and not   git diff --output=x,  git diff /etc/a b
import { isOutside } from "./danger.js";

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
export function formIn(pattern: string): readonly string[] | undefined {
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
