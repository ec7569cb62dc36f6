// How the terminal at hand is given a picture, if at all. Only terminals that are known to take one well get any; inside a
// multiplexer the terminal around it does not know where its rows are, so there is none.
import type { Environment } from "../painter/profile.js";

export type PictureWay =
  | "kitty"
  /** The same, in a terminal that leaves pictures behind when a resize moves the text. */
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
