// What to do for which terminal. The inline screen works on any terminal that answers nothing at all; a profile names the
// few places where a known terminal needs a trick or can do better. Answers and environment come in as data.

/** What the terminal said to our questions; a missing answer stays undefined. */
export interface TerminalAnswers {
  /** XTVERSION, such as "kitty(0.26.5)" or "tmux 3.3a". */
  readonly version?: string;
  /** The parameters of DA2, such as "0;276;0". */
  readonly secondaryAttributes?: string;
  /** DECRQM for mode 2026: 1 and 2 mean that synchronized updates exist, 0 and 4 that they never will. */
  readonly synchronizedUpdates?: number;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Profile {
  readonly name: "generic" | "xterm.js" | "kitty" | "tmux" | "vte" | "screen" | "xterm";
  /**
   * How the live rows hold together when the width changes. "separate" rows are reflowed one by one. A "group" is joined
   * by soft wraps into one logical line: xterm.js leaves the line that holds the cursor alone, and with it our place.
   */
  readonly rows: "separate" | "group";
  /** Whether the first live row carries the mark of a shell prompt, which kitty clears by itself on a resize. */
  readonly mark: "none" | "prompt";
  /** "known" terminals show nothing of a frame before its end; "unknown" ones get the bytes and a hidden cursor too. */
  readonly synchronized: "known" | "unknown" | "no";
  /** tmux pushes the whole screen into its history when ED arrives at the top left corner. */
  readonly eraseBelow: "anywhere" | "never-at-column-1";
  /** Whether the terminal carries a cursor that waits inside the live area through any reflow of the rows above it. */
  readonly cursorInside: "always" | "short-rows";
  /** An "empty-row" above the live area keeps the transcript from a terminal that may put the cursor one line too high. */
  readonly guard: "none" | "empty-row";
  /**
   * Whether lines wait until a window that changes has come to rest. In GNU screen one was lost that way, and none without.
   * xterm cuts whatever stands in a window that grows narrower: there lines go on until what the shell had printed is out of
   * sight, and wait from then on.
   */
  readonly whileMoving: "lines-wait" | "lines-go-on" | "lines-wait-below-ours";
}

const GENERIC: Profile = {
  name: "generic",
  rows: "separate",
  mark: "none",
  synchronized: "unknown",
  eraseBelow: "never-at-column-1",
  cursorInside: "short-rows",
  guard: "none",
  whileMoving: "lines-wait",
};

const XTERM_JS: Profile = {
  name: "xterm.js",
  rows: "group",
  mark: "none",
  synchronized: "known",
  eraseBelow: "anywhere",
  cursorInside: "always",
  guard: "none",
  whileMoving: "lines-wait",
};

const KITTY: Profile = {
  name: "kitty",
  rows: "separate",
  mark: "prompt",
  synchronized: "known",
  eraseBelow: "anywhere",
  cursorInside: "always",
  guard: "none",
  whileMoving: "lines-wait",
};

const TMUX: Profile = { ...GENERIC, name: "tmux", synchronized: "no", guard: "empty-row" };
const XTERM: Profile = { ...GENERIC, name: "xterm", whileMoving: "lines-wait-below-ours" };
const VTE: Profile = { ...GENERIC, name: "vte", eraseBelow: "anywhere" };
const GNU_SCREEN: Profile = { ...GENERIC, name: "screen", whileMoving: "lines-go-on" };

/** tmux comes first: inside it, the terminal around it does not matter. No answer and no hint make a generic terminal. */
export function profileFor(answers: TerminalAnswers, environment: Environment): Profile {
  return withSynchronization(familyOf(answers, environment), answers.synchronizedUpdates);
}

function familyOf(answers: TerminalAnswers, environment: Environment): Profile {
  const version = answers.version ?? "";
  if (version.startsWith("tmux") || environment["TMUX"]) return TMUX;
  if (/^(?:kitty|ghostty)/i.test(version)) return KITTY;
  if (version.startsWith("XTerm(")) return XTERM;
  if (isXtermJs(answers, environment)) return XTERM_JS;
  if (answers.secondaryAttributes?.startsWith("65;")) return VTE;
  if (answers.secondaryAttributes?.startsWith("83;")) return GNU_SCREEN;
  return GENERIC;
}

function isXtermJs(answers: TerminalAnswers, environment: Environment): boolean {
  if (answers.secondaryAttributes === "0;276;0") return true;
  if (answers.version?.startsWith("xterm.js")) return true;
  return answers.version === undefined && environment["TERM_PROGRAM"] === "vscode";
}

function withSynchronization(profile: Profile, answer: number | undefined): Profile {
  if (answer === undefined) return profile;
  return { ...profile, synchronized: answer === 1 || answer === 2 ? "known" : "no" };
}
