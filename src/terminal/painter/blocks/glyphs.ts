// The few signs that begin a block, and their twins for terminals without UTF-8.

import type { Environment } from "../profile.js";

export interface Glyphs {
  readonly prompt: string;
  readonly thinking: string;
  readonly done: string;
  readonly waiting: string;
  readonly failed: string;
  readonly warning: string;
  readonly notice: string;
  readonly answered: string;
  /** Before a dialog, and before nothing else; `text/reserved-signs.ts` keeps it out of text from outside. */
  readonly live: string;
  /** Before what the agent is writing. */
  readonly writing: string;
  /** Before a line that the agent put around the composer; reserved, too. */
  readonly widget: string;
  readonly selected: string;
  readonly more: string;
  readonly separator: string;
  readonly minus: string;
  readonly spinner: readonly string[];
}

export const unicodeGlyphs: Glyphs = {
  prompt: "›",
  thinking: "∴",
  done: "●",
  waiting: "◌",
  failed: "✕",
  warning: "▲",
  notice: "ℹ",
  answered: "?",
  live: "▌",
  writing: "│",
  widget: "┊",
  selected: "❯",
  more: "…",
  separator: "·",
  minus: "−",
  spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"],
};

export const asciiGlyphs: Glyphs = {
  prompt: ">",
  thinking: "~",
  done: "*",
  waiting: "o",
  failed: "x",
  warning: "!",
  notice: "i",
  answered: "?",
  live: "|",
  writing: ":",
  widget: ".",
  selected: ">",
  more: "...",
  separator: "-",
  minus: "-",
  spinner: ["-", "\\", "|", "/"],
};

/** The signs that a terminal with this locale can show; where nothing is said, it can show all. */
export function glyphsFor(environment: Environment): Glyphs {
  const locale = environment["LC_ALL"] || environment["LC_CTYPE"] || environment["LANG"] || "UTF-8";
  return /utf-?8/i.test(locale) ? unicodeGlyphs : asciiGlyphs;
}
