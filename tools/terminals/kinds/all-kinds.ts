// The terminals that are tried, from those without a window to the one that does not reflow.

import { join } from "node:path";
import type { TerminalKind } from "../terminal-kind.js";
import { alacritty } from "./alacritty.js";
import { foot } from "./foot.js";
import { kitty } from "./kitty.js";
import { konsole } from "./konsole.js";
import { screen } from "./screen.js";
import { tmux } from "./tmux.js";
import { vte } from "./vte.js";
import { xterm } from "./xterm.js";

/** `sources` is the folder that holds vte.py. */
export function terminalKinds(sources: string): TerminalKind[] {
  return [tmux, screen, kitty, vte(join(sources, "vte.py")), alacritty, konsole, foot, xterm];
}
