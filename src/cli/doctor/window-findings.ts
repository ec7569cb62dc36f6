// What goes beyond the rows of a terminal: the clipboard, a call to somebody who looks elsewhere, and the multiplexer that
// stands between. Whether a terminal takes the clipboard cannot be asked of most, so that a few are known by name.

import { execFile } from "node:child_process";
import { withoutOwnPrograms } from "../../agents/found-program.js";
import { safeLine } from "../../text/safe.js";
import { callWayFor } from "../../views/inline/attention-caller.js";
import type { LoadedConfig } from "../config/load-config.js";
import { type Finding, fine, unasked, warning } from "./doctor-report.js";
import type { Environment, TerminalVisit } from "./terminal-findings.js";

export function windowFindings(visit: TerminalVisit, config: LoadedConfig, tmux: TmuxOptions | null): Finding[] {
  const { environment } = config;
  if (visit.kind !== "surveyed") return [unasked("clipboard", "/copy needs a terminal that takes OSC 52")];
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
  [/^apple_terminal/i, "Terminal.app does not take it; select with the mouse, or use another terminal"],
];

function clipboard(
  survey: { readonly version: string | null; readonly attributes: string | null },
  environment: Environment,
  tmux: TmuxOptions | null,
): Finding {
  if (environment["TMUX"]) return tmuxClipboard(tmux?.get("set-clipboard"));
  if (environment["STY"]) {
    return warning(
      "clipboard",
      "GNU screen may keep OSC 52 to itself",
      "select with the mouse where /copy does nothing",
    );
  }
  const name = survey.version ?? environment["TERM_PROGRAM"] ?? environment["TERM"] ?? "";
  if (survey.attributes?.split(";").includes(CLIPBOARD_ATTRIBUTE))
    return fine("clipboard", "OSC 52, it says so itself");
  if (TAKES_IT.test(name.replace(/^xterm-/, "")))
    return fine("clipboard", "OSC 52, which this terminal is known to take");
  if (environment["WT_SESSION"]) return fine("clipboard", "OSC 52, which Windows Terminal is known to take");
  const advice = WANTS_A_SETTING.find(([pattern]) => pattern.test(name))?.[1];
  const words = "/copy sends OSC 52; whether this terminal takes it cannot be asked";
  return warning("clipboard", words, advice ?? "try /copy once; where nothing comes, select with the mouse");
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
  const words = way === "off" ? wayWords.off : `${wayWords[way]}, when a question waits and you look elsewhere`;
  if (way === "off" || tmux?.get("focus-events") !== "off") return fine("calls", words);
  const why = "tmux does not tell where you look (focus-events is off), so you are not called";
  return warning("calls", why, "in tmux.conf: set -g focus-events on");
}

function tmuxFindings(tmux: TmuxOptions | null): Finding[] {
  if (tmux === null) return [unasked("tmux", "it did not tell its options")];
  const passing = tmux.get("allow-passthrough") ?? "unknown to it";
  if (tmux.get("extended-keys") !== "off")
    return [fine("tmux", `extended-keys on; allow-passthrough ${passing}, not needed`)];
  const advice = "in tmux.conf: set -s extended-keys on, and set -as terminal-features 'xterm*:extkeys'";
  return [warning("tmux", "extended-keys is off, so that shift+enter is a plain enter", advice)];
}

function screenFinding(): Finding {
  const words =
    "GNU screen passes few of the newer sequences on: no notifications but the bell, no synchronized updates";
  return warning("screen", words, "everything works, more plainly; outside of screen, or in tmux, there is more");
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
