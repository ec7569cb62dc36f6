// Which picture protocol to use. Only terminals known to handle one well get any, and none inside a multiplexer, which
// does not tell the outer terminal where its rows are.
import type { Environment } from "../painter/profile.js";

export type PictureWay =
  | "kitty"
  /** Pictures stay in place when a resize moves the text. */
  | "kitty-fixed"
  | "iterm"
  | "none";

export function pictureWayFor(environment: Environment): PictureWay {
  const { TERM = "", TERM_PROGRAM = "", TMUX, STY, ZELLIJ, KITTY_WINDOW_ID } = environment;
  if (TMUX || STY || ZELLIJ || /^(?:screen|tmux|dumb)/.test(TERM)) return "none";
  if (/ghostty/.test(TERM) || /^(?:ghostty|wezterm)$/i.test(TERM_PROGRAM)) return "kitty";
  if (KITTY_WINDOW_ID || /kitty/.test(TERM)) return "kitty-fixed";
  return TERM_PROGRAM === "iTerm.app" ? "iterm" : "none";
}
