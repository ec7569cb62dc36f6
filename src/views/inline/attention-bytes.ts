// How a terminal is told what its window should say: title, progress, a call to somebody who looks elsewhere. Only what
// the terminal at hand is known to understand is sent; the bell is understood by all of them.
import type { Attention } from "../../session/attention.js";
import type { Environment } from "../../terminal/painter/profile.js";
import { safeLine } from "../../text/safe.js";

export type CallWay = "off" | "bell" | "osc9" | "osc777" | "osc99";

const TITLE_CHARS_MAX = 200;
const CALL_CHARS_MAX = 120;

/** The title of the window is put aside while we have it, and taken back with the terminal. */
export const TITLE_PUSH: string = "\x1b[22;0t";
export const TITLE_POP: string = "\x1b[23;0t";
export const PROGRESS_OFF: string = "\x1b]9;4;0\x07";

export function titleBytes(title: string): string {
  return `\x1b]0;${safeLine(title).slice(0, TITLE_CHARS_MAX)}\x07`;
}

// 3 is work without a measure, 4 is work that waits.
export function progressBytes(progress: Attention["progress"]): string {
  if (progress === "none") return PROGRESS_OFF;
  return progress === "working" ? "\x1b]9;4;3\x07" : "\x1b]9;4;4;50\x07";
}

export function callBytes(call: string, way: CallWay): string {
  const words = safeLine(call).slice(0, CALL_CHARS_MAX).replaceAll(";", ",");
  switch (way) {
    case "off":
      return "";
    case "bell":
      return "\x07";
    case "osc9":
      return `\x1b]9;${words}\x07`;
    case "osc777":
      return `\x1b]777;notify;Palaver;${words}\x07`;
    case "osc99":
      return `\x1b]99;i=palaver:d=0;Palaver\x1b\\\x1b]99;i=palaver:p=body;${words}\x1b\\`;
  }
}

/** Inside a multiplexer these sequences are swallowed or shown as text, and a bell is passed on. */
export function callWayFor(environment: Environment): CallWay {
  const { TERM = "", TERM_PROGRAM = "", TMUX, STY, VTE_VERSION } = environment;
  if (TMUX || STY) return "bell";
  if (TERM.includes("kitty")) return "osc99";
  if (/iterm|wezterm|ghostty/i.test(TERM_PROGRAM)) return "osc9";
  if (VTE_VERSION || TERM.startsWith("foot") || TERM.startsWith("rxvt")) return "osc777";
  return "bell";
}

/** Others take "9;4" for the text of a notification and would show it. */
export function showsProgress({
  TERM_PROGRAM = "",
  TERM = "",
  WT_SESSION,
  ConEmuANSI,
  TMUX,
}: Environment): "yes" | "no" {
  if (TMUX) return "no";
  const isKnown =
    /wezterm|ghostty/i.test(TERM_PROGRAM) || TERM.includes("ghostty") || Boolean(WT_SESSION ?? ConEmuANSI);
  return isKnown ? "yes" : "no";
}
