// Sets the window title and progress when they change, and alerts the user who looks elsewhere. Only sequences that the
// terminal is known to support are sent; all of them support the bell.

import { type Attention, attentionFor, type Situation } from "../../session/attention.js";
import type { Environment } from "../../terminal/painter/profile.js";
import { safeLine } from "../../text/safe.js";

export type CallWay = "off" | "bell" | "osc9" | "osc777" | "osc99";

const TITLE_CHARS_MAX = 200;
const CALL_CHARS_MAX = 120;

/** The title of the window is put aside while we have it, and taken back with the terminal. */
const TITLE_PUSH: string = "\x1b[22;0t";
const TITLE_POP: string = "\x1b[23;0t";
export const PROGRESS_OFF: string = "\x1b]9;4;0\x07";

export function titleBytes(title: string): string {
  return `\x1b]0;${safeLine(title).slice(0, TITLE_CHARS_MAX)}\x07`;
}

// 3 is work without a measure, 4 is work that waits.
function progressBytes(progress: Attention["progress"]): string {
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

export interface AttentionPorts {
  write(bytes: string): void;
  readonly callWay: CallWay;
  readonly progress: "yes" | "no";
}

export class AttentionCaller {
  private readonly ports: AttentionPorts;
  private before: Situation | null = null;
  private title: string | null = null;
  private progress: Attention["progress"] = "none";

  constructor(ports: AttentionPorts) {
    this.ports = ports;
  }

  update(now: Situation): void {
    const { title, progress, call } = attentionFor(now, this.before);
    this.before = now;
    let bytes = "";
    // Until there is something to say, the window keeps the title it had.
    const hasNews = now.agentTitle !== null || now.asking !== null || this.title !== null;
    if (hasNews && title !== this.title) {
      bytes += (this.title === null ? TITLE_PUSH : "") + titleBytes(title);
      this.title = title;
    }
    if (this.ports.progress === "yes" && progress !== this.progress) {
      bytes += progressBytes(progress);
      this.progress = progress;
    }
    if (call !== null) bytes += callBytes(call, this.ports.callWay);
    if (bytes !== "") this.ports.write(bytes);
  }

  /** The window is the shell's again. */
  end(): void {
    if (this.title !== null) this.ports.write(TITLE_POP);
    if (this.progress !== "none") this.ports.write(PROGRESS_OFF);
    this.title = null;
    this.progress = "none";
  }
}
