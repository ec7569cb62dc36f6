// The signs that begin a block, and their ASCII versions.
import type { Environment } from "../profile.js";
import type { Style } from "../style/style.js";

/** How everything on the screen looks. */
export interface Appearance {
  readonly style: Style;
  readonly glyphs: Glyphs;
}

export const unicodeGlyphs = {
  prompt: "›",
  thinking: "∴",
  done: "●",
  waiting: "◌",
  failed: "✕",
  warning: "▲",
  notice: "ℹ",
  answered: "?",
  /** Only before dialogs; `text/safe.ts` keeps it out of untrusted text. */
  live: "▌",
  /** Before the agent's widget lines; reserved, too. */
  widget: "┊",
  selected: "❯",
  more: "…",
  separator: "·",
  minus: "−",
  spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"],
};

export type Glyphs = Readonly<typeof unicodeGlyphs>;

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
  widget: ".",
  selected: ">",
  more: "...",
  separator: "-",
  minus: "-",
  spinner: ["-", "\\", "|", "/"],
};

/** Without a locale UTF-8 is assumed. */
export function glyphsFor(environment: Environment): Glyphs {
  const locale = environment["LC_ALL"] || environment["LC_CTYPE"] || environment["LANG"] || "UTF-8";
  return /utf-?8/i.test(locale) ? unicodeGlyphs : asciiGlyphs;
}

export function spinnerAt({ spinner }: Glyphs, tick: number): string {
  return spinner[tick % spinner.length] ?? "";
}
