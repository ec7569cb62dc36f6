// kitty: a window, and a remote control that gives the whole scrollback.

import type { Size } from "../../../src/terminal/painter/frame.js";
import { type Desk, until } from "../desk.js";
import {
  rowsOf,
  SCROLLBACK_ROWS,
  type TerminalKind,
  type TerminalWindow,
  takePicture,
  X11_PACKAGES,
  X11_PROGRAMS,
} from "../terminal-kind.js";

let opened = 0;

export const kitty: TerminalKind = {
  name: "kitty",
  programs: [...X11_PROGRAMS, "kitty"],
  packages: [...X11_PACKAGES, "kitty", "libgl1-mesa-dri", "libegl1"],
  async open(desk: Desk, command: readonly string[], size: Size): Promise<TerminalWindow> {
    opened += 1;
    await desk.openDisplay();
    const socket = `unix:${desk.path(`kitty-${opened}`)}`;
    const process = desk.start("kitty", ["--config", "NONE", "--listen-on", socket, ...settings(size), ...command]);
    const window = await desk.untilWindow("kitty");
    const remote = (...args: string[]) => desk.run("kitty", ["@", "--to", socket, ...args]);
    await until("kitty to listen", async () => (await remote("ls")) || undefined);
    const { width, height } = await desk.windowSize(window);
    const cell = { width: Math.round(width / size.columns), height: Math.round(height / size.rows) };
    return {
      resize: ({ columns, rows }) => desk.setWindowSize(window, columns * cell.width + 2, rows * cell.height + 2),
      contents: async () => rowsOf(await remote("get-text", "--extent", "all")),
      picture: (path) => takePicture(desk, window, path),
      close: () => desk.end(process),
    };
  },
};

// Its usual pause of a tenth of a second before it takes a new size would swallow most of a burst.
function settings({ columns, rows }: Size): string[] {
  return [
    "allow_remote_control=yes",
    "remember_window_size=no",
    "font_size=8",
    `scrollback_lines=${SCROLLBACK_ROWS}`,
    "confirm_os_window_close=0",
    "resize_debounce_time=0.02",
    "update_check_interval=0",
    `initial_window_width=${columns}c`,
    `initial_window_height=${rows}c`,
  ].flatMap((setting) => ["-o", setting]);
}
