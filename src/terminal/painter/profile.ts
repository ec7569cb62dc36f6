// What a known terminal needs beyond the generic way, which works on every terminal. Reports and environment come in as
// data.

/** The terminal's reports; undefined where none came. */
export interface TerminalAnswers {
  /** XTVERSION: "kitty(0.26.5)", "tmux 3.3a". */
  readonly version?: string;
  /** The parameters of DA2: "0;276;0". */
  readonly secondaryAttributes?: string;
  /** DECRQM for mode 2026: 1 and 2 mean supported, 0 and 4 not. */
  readonly synchronizedUpdates?: number;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Profile {
  readonly name: "generic" | "xterm.js" | "kitty" | "tmux" | "vte" | "screen" | "xterm";
  /**
   * "separate" rows reflow one by one. A "group" is joined by soft wraps into one logical line: xterm.js does not
   * reflow the line that holds the cursor.
   */
  readonly rows: "separate" | "group";
  /** Whether the first live row is marked as a shell prompt, which kitty clears on a resize. */
  readonly mark: "none" | "prompt";
  /** "unknown" terminals get synchronized updates and a hidden cursor. */
  readonly synchronized: "known" | "unknown" | "no";
  /** tmux pushes the whole screen into its history when ED arrives at the top left corner. */
  readonly eraseBelow: "anywhere" | "never-at-column-1";
  /** Whether a cursor inside the live area survives any reflow of the rows above it. */
  readonly cursorInside: "always" | "short-rows";
  /** Whether wrapped lines follow the width of the window without damage, so that prose can be left to the terminal. */
  readonly reflow: "right" | "unknown";
  /** An empty row protects the transcript where the cursor may end up one line too high. */
  readonly guard: "none" | "empty-row";
  /**
   * Whether lines wait during a resize. GNU screen lost one that way. xterm cuts the content of a window that gets
   * narrower, so lines wait only once the shell's output is out of sight.
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
  reflow: "unknown",
  guard: "none",
  whileMoving: "lines-wait",
};

const XTERM_JS: Profile = {
  ...GENERIC,
  name: "xterm.js",
  rows: "group",
  synchronized: "known",
  eraseBelow: "anywhere",
  cursorInside: "always",
  reflow: "right",
};

const KITTY: Profile = { ...XTERM_JS, name: "kitty", rows: "separate", mark: "prompt" };
const TMUX: Profile = { ...GENERIC, name: "tmux", synchronized: "no", guard: "empty-row" };
const XTERM: Profile = { ...GENERIC, name: "xterm", whileMoving: "lines-wait-below-ours" };
const VTE: Profile = { ...GENERIC, name: "vte", eraseBelow: "anywhere", reflow: "right" };
/** foot and alacritty, which need nothing beyond the generic way. */
const REFLOWING: Profile = { ...GENERIC, reflow: "right" };
const GNU_SCREEN: Profile = { ...GENERIC, name: "screen", whileMoving: "lines-go-on" };

/** tmux comes first: inside it the outer terminal does not matter. */
export function profileFor(answers: TerminalAnswers, environment: Environment): Profile {
  return withSynchronization(familyOf(answers, environment), answers.synchronizedUpdates);
}

function familyOf(answers: TerminalAnswers, environment: Environment): Profile {
  const version = answers.version ?? "";
  if (version.startsWith("tmux") || environment["TMUX"]) return TMUX;
  if (/^(?:kitty|ghostty)/i.test(version)) return KITTY;
  if (version.startsWith("XTerm(")) return XTERM;
  if (isXtermJs(answers, environment)) return XTERM_JS;
  if (/^(?:foot|alacritty)/i.test(version)) return REFLOWING;
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
