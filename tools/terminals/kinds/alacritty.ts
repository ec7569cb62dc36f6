// alacritty: the scrollback is selected in its vi mode, from the first line to the last, and read from the clipboard.

import { writeFileSync } from "node:fs";
import type { Size } from "../../../src/terminal/painter/frame.js";
import { type Desk, elapsed } from "../desk.js";
import {
  rowsOf,
  SCROLLBACK_ROWS,
  type TerminalKind,
  type TerminalWindow,
  takePicture,
  X11_PACKAGES,
  X11_PROGRAMS,
} from "../terminal-kind.js";

const KEY_MS = 150;
const VI_MODE = "ctrl+shift+space";

export const alacritty: TerminalKind = {
  name: "alacritty",
  programs: [...X11_PROGRAMS, "alacritty", "xclip"],
  packages: [...X11_PACKAGES, "alacritty", "xclip", "libgl1-mesa-dri", "libegl1"],
  async open(desk: Desk, command: readonly string[], size: Size): Promise<TerminalWindow> {
    await desk.openDisplay();
    const config = desk.path("alacritty.yml");
    writeFileSync(
      config,
      `font: {size: 8}\nscrolling: {history: ${SCROLLBACK_ROWS}}\nwindow: {padding: {x: 0, y: 0}}\n`,
    );
    const dimensions = [
      "-o",
      `window.dimensions.columns=${size.columns}`,
      "-o",
      `window.dimensions.lines=${size.rows}`,
    ];
    const process = desk.start("alacritty", ["--config-file", config, ...dimensions, "-e", ...command], {
      WINIT_X11_SCALE_FACTOR: "1",
    });
    const window = await desk.untilWindow("Alacritty");
    await elapsed(500);
    const { width, height } = await desk.windowSize(window);
    const cell = { width: Math.floor(width / size.columns), height: Math.floor(height / size.rows) };
    return {
      resize: ({ columns, rows }) => desk.setWindowSize(window, columns * cell.width + 2, rows * cell.height + 2),
      contents: () => copied(desk, window),
      picture: (path) => takePicture(desk, window, path),
      close: () => desk.end(process),
    };
  },
};

async function copied(desk: Desk, window: string): Promise<string[]> {
  for (const key of [VI_MODE, "g", "shift+v", "shift+g", "y", VI_MODE]) {
    await desk.press(window, key);
    await elapsed(KEY_MS);
  }
  return rowsOf(await desk.run("xclip", ["-o", "-selection", "clipboard"]));
}
