// What a terminal said about itself, as findings: its name, size, colours, keys, updates, background, widths and letters.
// Nothing is asked here; answers, environment and settings come in as data.

import { execFile } from "node:child_process";
import type { Environment } from "../../session/user-folders.js";
import { withoutOwnPrograms } from "../../system/foreign-programs.js";
import { type Profile, profileFor } from "../../terminal/painter/profile.js";
import { colourDepthOf, groundOf, themeFor } from "../../terminal/painter/style/theme-choice.js";
import type { ColourDepth } from "../../text/look.js";
import { safeLine } from "../../text/safe.js";
import { callWayFor } from "../../views/inline/attention-caller.js";
import { isDumbTerminal } from "../../views/reader/dumb-terminal.js";
import type { LoadedConfig } from "../config/load-config.js";
import { type Finding, fine, problem, unasked, warning } from "./doctor-report.js";
import { type TerminalSurvey, type WidthDifference, widthDifferences } from "./terminal-survey.js";

/** What the doctor knows of the terminal: what it answered, or why it was not asked. */
export type TerminalVisit =
  | { readonly kind: "surveyed"; readonly survey: TerminalSurvey }
  | { readonly kind: "no-terminal" }
  | { readonly kind: "dumb" };

/** The screens of the terminal UI are made for this much, and for more. */
const COLUMNS_MIN = 40;
const ROWS_MIN = 10;

export function terminalFindings(visit: TerminalVisit, config: LoadedConfig): Finding[] {
  const { environment } = config;
  const known = [colours(config, visit), letters(environment)];
  if (visit.kind === "no-terminal") {
    const words = "there is none, so keys, updates, background and widths could not be checked";
    return [unasked("terminal", words), ...known];
  }
  if (visit.kind === "dumb") {
    const words = `TERM is ${environment["TERM"]}: a terminal that only appends; Palaver prints plain lines and sends it no queries`;
    return [fine("terminal", words), ...known];
  }
  const { survey } = visit;
  return [
    name(survey, environment),
    size(survey),
    ...known,
    keyboard(survey),
    updates(profileOf(survey, environment)),
    background(survey, config),
    widths(survey),
  ];
}

function profileOf(survey: TerminalSurvey, environment: Environment): Profile {
  const { version, secondaryAttributes, synchronizedUpdates } = survey;
  return profileFor(
    {
      ...(version === null ? {} : { version }),
      ...(secondaryAttributes === null ? {} : { secondaryAttributes }),
      ...(synchronizedUpdates === null ? {} : { synchronizedUpdates }),
    },
    environment,
  );
}

function name(survey: TerminalSurvey, environment: Environment): Finding {
  const term = safeLine(environment["TERM"] || "not set");
  if (survey.answered === "no") {
    const words = `TERM is ${term}; it answered no query in time`;
    return warning(
      "terminal",
      words,
      "Palaver treats it as a plain terminal; on a slow connection, run palaver doctor again",
    );
  }
  const profile = profileOf(survey, environment);
  const said = survey.version ?? environment["TERM_PROGRAM"] ?? null;
  const title = said === null ? `it gives no name (DA2 ${survey.secondaryAttributes ?? "none"})` : safeLine(said);
  return fine("terminal", `${title}, TERM ${term}, treated as ${profile.name}`);
}

function size({ columns, rows }: TerminalSurvey): Finding {
  const words = `${columns} × ${rows}`;
  if (columns >= COLUMNS_MIN && rows >= ROWS_MIN) return fine("size", words);
  if (columns === 0 || rows === 0) {
    return warning("size", "the terminal does not say how large it is", "try stty columns 80 rows 24");
  }
  const advice = `${COLUMNS_MIN} × ${ROWS_MIN} or more shows everything; smaller windows drop details`;
  return warning("size", words, advice);
}

function colours({ settings, environment }: LoadedConfig, visit: TerminalVisit): Finding {
  const depth = colourDepthOf(environment, settings.colour);
  const why = colourReason(settings.colour, environment);
  const isGuess = depth === "16" && settings.colour === "auto" && visit.kind === "surveyed";
  if (!isGuess) return fine("colours", `${depthWords[depth]}, because ${why}`);
  const advice = "if your terminal has more: export COLORTERM=truecolor, or palaver config set colour true";
  return warning("colours", `${depthWords[depth]}, because ${why}`, advice);
}

const depthWords: Readonly<Record<ColourDepth, string>> = {
  none: "none",
  "16": "the 16 of the terminal's own palette",
  "256": "256",
  truecolor: "16 million",
};

function colourReason(setting: LoadedConfig["settings"]["colour"], environment: Environment): string {
  const { TERM = "", COLORTERM = "", NO_COLOR } = environment;
  if (setting !== "auto") return `the setting colour is ${setting}`;
  if (NO_COLOR) return "NO_COLOR is set";
  if (isDumbTerminal(environment)) return `TERM is ${TERM}`;
  if (/^(?:truecolor|24bit)$/.test(COLORTERM)) return `COLORTERM is ${COLORTERM}`;
  return `TERM is ${safeLine(TERM) || "not set"} and COLORTERM does not say truecolor`;
}

// The same rule as the screen's: without a word about the letters, UTF-8 is taken for granted.
function letters(environment: Environment): Finding {
  const variable = ["LC_ALL", "LC_CTYPE", "LANG"].find((each) => environment[each]);
  if (variable === undefined) return fine("letters", "no locale is set, so UTF-8 is assumed");
  const words = `${variable} is ${safeLine(environment[variable] ?? "")}`;
  if (/utf-?8/i.test(environment[variable] ?? "")) return fine("letters", words);
  const advice = "for a UTF-8 terminal: export LANG=C.UTF-8; until then symbols are drawn in ASCII";
  return warning("letters", `${words}, which is not UTF-8`, advice);
}

function keyboard({ keyboard: way, answered }: TerminalSurvey): Finding {
  if (way === "kitty") return fine("keyboard", "the kitty protocol: all keys are distinguishable");
  if (way === "modify-other-keys") return fine("keyboard", "modifyOtherKeys: shift+enter differs from enter");
  const words = answered === "no" ? "it did not answer" : "it reports no newer protocol";
  const advice = "if shift+enter sends instead of beginning a new line, use alt+enter or ctrl+j";
  return warning("keyboard", `${words}; some keys may look alike`, advice);
}

function updates({ synchronized, name: profile }: Profile): Finding {
  if (synchronized === "known") return fine("updates", "synchronized: no half-drawn frames");
  const why = profile === "tmux" ? "tmux does not synchronize them here" : "not synchronized, or not reported";
  return fine("updates", `${why}; frames are small and the cursor is hidden while they are written`);
}

function background({ ground }: TerminalSurvey, { settings, environment }: LoadedConfig): Finding {
  const hints = { ...ground, colorfgbg: environment["COLORFGBG"] };
  const side = groundOf(hints);
  const theme = themeFor(settings.theme, hints);
  const chosen = settings.theme === "auto" ? `so the theme is ${theme}` : `the theme is ${theme}, as you set it`;
  if (side !== null) return fine("background", `${side}, ${chosen}`);
  if (settings.theme !== "auto") return fine("background", `not reported; ${chosen}`);
  const advice = "to use a built-in theme: palaver config set theme harbour (dark) or paper (light)";
  return warning("background", "not reported, so the theme is the terminal's own palette", advice);
}

function widths({ widths: cells, columns, answered }: TerminalSurvey): Finding {
  if (cells === null) {
    const why = answered === "no" ? "it does not answer" : columns < COLUMNS_MIN / 2 ? "the window is too narrow" : "";
    return unasked("widths", `could not be measured${why === "" ? "" : `: ${why}`}`);
  }
  const differences = widthDifferences(cells);
  const of = (kind: WidthDifference["kind"]) => differences.filter((difference) => difference.kind === kind);
  const plain = of("plain");
  const ambiguous = of("ambiguous");
  if (plain.length > 0) {
    const advice = "switch the terminal to UTF-8, in its settings and with LANG=C.UTF-8";
    return problem("widths", `it draws ${listed(plain)}; lines will be misaligned`, advice);
  }
  if (ambiguous.length > 0) {
    const advice = "set its width of ambiguous characters to narrow (one cell)";
    return warning("widths", `it draws ${listed(ambiguous)}; borders and signs will be ragged`, advice);
  }
  const disputed = of("disputed");
  if (disputed.length === 0) return fine("widths", `all ${cells.length} characters have the expected width`);
  return fine("widths", `it draws ${listed(disputed)}; Palaver positions the cursor after those itself`);
}

function listed(differences: readonly WidthDifference[]): string {
  return differences
    .map(({ name: each, measuredCells, expectedCells }) => `${each} ${measuredCells} wide, not ${expectedCells}`)
    .join("; ");
}

// What goes beyond the rows of a terminal: the clipboard, calls when the user looks elsewhere, and the multiplexer between.
// Whether a terminal takes the clipboard cannot be asked of most, so that a few are known by name.
export function windowFindings(visit: TerminalVisit, config: LoadedConfig, tmux: TmuxOptions | null): Finding[] {
  const { environment } = config;
  if (visit.kind !== "surveyed") return [unasked("clipboard", "/copy needs a terminal that supports OSC 52")];
  return [
    clipboard(visit.survey, environment, tmux),
    calls(config, tmux),
    ...(environment["TMUX"] ? tmuxFindings(tmux) : []),
    ...(environment["STY"] && !environment["TMUX"] ? [screenFinding()] : []),
  ];
}

/** DA1 lists 52 where a terminal says so itself. */
const CLIPBOARD_ATTRIBUTE = "52";
const TAKES_IT = /^(?:kitty|ghostty|wezterm|foot|alacritty|contour)/i;
const WANTS_A_SETTING: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [/^iterm/i, "in iTerm2: Settings, General, Selection: let applications access the clipboard"],
  [/^xterm\(/i, "xterm refuses it unless its resource disallowedWindowOps leaves SetSelection out"],
  [/^apple_terminal/i, "Terminal.app does not support it; select with the mouse, or use another terminal"],
];

function clipboard(
  survey: { readonly version: string | null; readonly attributes: string | null },
  environment: Environment,
  tmux: TmuxOptions | null,
): Finding {
  if (environment["TMUX"]) return tmuxClipboard(tmux?.get("set-clipboard"));
  if (environment["STY"]) {
    return warning("clipboard", "GNU screen may keep OSC 52 to itself", "if /copy does nothing, select with the mouse");
  }
  const name = survey.version ?? environment["TERM_PROGRAM"] ?? environment["TERM"] ?? "";
  if (survey.attributes?.split(";").includes(CLIPBOARD_ATTRIBUTE))
    return fine("clipboard", "OSC 52, reported by the terminal");
  if (TAKES_IT.test(name.replace(/^xterm-/, ""))) return fine("clipboard", "OSC 52, known to work in this terminal");
  if (environment["WT_SESSION"]) return fine("clipboard", "OSC 52, known to work in Windows Terminal");
  const advice = WANTS_A_SETTING.find(([pattern]) => pattern.test(name))?.[1];
  const words = "/copy sends OSC 52; whether this terminal supports it is unknown";
  return warning("clipboard", words, advice ?? "try /copy once; if nothing is copied, select with the mouse");
}

function tmuxClipboard(value: string | undefined): Finding {
  if (value === "on") return fine("clipboard", "OSC 52 through tmux (set-clipboard is on)");
  const words = `tmux drops what programs copy (set-clipboard is ${safeLine(value ?? "unknown")})`;
  return warning("clipboard", words, "in tmux.conf: set -s set-clipboard on");
}

const wayWords = {
  off: "off, as you set it",
  bell: "the bell",
  osc9: "a notification (OSC 9)",
  osc777: "a notification (OSC 777)",
  osc99: "a notification (OSC 99)",
} as const;

function calls({ settings, environment }: LoadedConfig, tmux: TmuxOptions | null): Finding {
  const way = settings.notifications === "auto" ? callWayFor(environment) : settings.notifications;
  const words = way === "off" ? wayWords.off : `${wayWords[way]}, when a question waits and the window is not focused`;
  if (way === "off" || tmux?.get("focus-events") !== "off") return fine("calls", words);
  const why = "tmux doesn't report focus (focus-events is off), so notifications won't fire";
  return warning("calls", why, "in tmux.conf: set -g focus-events on");
}

function tmuxFindings(tmux: TmuxOptions | null): Finding[] {
  if (tmux === null) return [unasked("tmux", "its options could not be read")];
  const passing = tmux.get("allow-passthrough") ?? "unknown to it";
  if (tmux.get("extended-keys") !== "off")
    return [fine("tmux", `extended-keys on; allow-passthrough ${passing}, not needed`)];
  const advice = "in tmux.conf: set -s extended-keys on, and set -as terminal-features 'xterm*:extkeys'";
  return [warning("tmux", "extended-keys is off, so shift+enter is a plain enter", advice)];
}

function screenFinding(): Finding {
  const words =
    "GNU screen passes on few of the newer sequences: no notifications except the bell, no synchronized updates";
  return warning("screen", words, "everything works in a plainer form; outside screen, or in tmux, you get more");
}

type TmuxOptions = ReadonlyMap<string, string>;

const LIMIT_MS = 2_000;
const OUTPUT_BYTES_MAX = 1024 * 1024;

/** Server, session and window options in one list; null when tmux does not answer. */
export function readTmuxOptions(): Promise<TmuxOptions | null> {
  const args = ["show-options", "-s", ";", "show-options", "-g", ";", "show-options", "-gw"];
  return new Promise((resolve) => {
    const env = withoutOwnPrograms(process.env);
    execFile("tmux", args, { cwd: "/", env, timeout: LIMIT_MS, maxBuffer: OUTPUT_BYTES_MAX }, (error, stdout) => {
      resolve(error === null ? optionsIn(stdout) : null);
    });
  });
}

/** Lines such as `extended-keys off`. */
export function optionsIn(listing: string): TmuxOptions {
  return new Map(
    listing.split("\n").flatMap((line) => {
      const match = /^([a-z][a-z-]*)(?: (.*))?$/.exec(line);
      return match === null ? [] : [[match[1] ?? "", match[2] ?? ""] as const];
    }),
  );
}
