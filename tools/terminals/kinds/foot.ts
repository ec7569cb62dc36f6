// foot: it lives on Wayland, so it gets a compositor that shows itself as one window. Its own window fills that one, and
// the number of cells is changed with the size of the letters, in both directions at once.

import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { Size } from "../../../src/terminal/painter/frame.js";
import { type Desk, elapsed, until } from "../desk.js";
import {
  rowsOf,
  SCROLLBACK_ROWS,
  type TerminalKind,
  type TerminalWindow,
  takePicture,
  X11_PACKAGES,
  X11_PROGRAMS,
} from "../terminal-kind.js";

const LARGER_KEY = "ctrl+F11";
const SMALLER_KEY = "ctrl+F12";
const SAVE_KEY = "ctrl+shift+p";
const SAVE_MS = 400;
/** The window has about 140 columns with the smallest letters and 50 with the largest, half a point apart. */
const STEPS_MAX = 22;
const COLUMNS_MOST = 140;
const COLUMNS_PER_STEP = 4;

let opened = 0;

export const foot: TerminalKind = {
  name: "foot",
  programs: [...X11_PROGRAMS, "foot", "weston"],
  packages: [...X11_PACKAGES, "foot", "weston"],
  async open(desk: Desk, command: readonly string[], _size: Size): Promise<TerminalWindow> {
    opened += 1;
    await desk.openDisplay();
    const saved = desk.path("foot-scrollback");
    const display = `wayland-palaver-${opened}`;
    writeFileSync(desk.path("foot.ini"), settings(saved));
    const compositor = desk.start("weston", compositorArguments(display));
    await until("weston to listen", () => existsSync(desk.path(display)) || undefined);
    const process = desk.start("foot", ["-c", desk.path("foot.ini"), ...command], { WAYLAND_DISPLAY: display });
    const window = await desk.untilWindow("weston");
    await elapsed(1_000);
    let step = 0;
    return {
      resize: async ({ columns }) => {
        const wanted = Math.max(0, Math.min(STEPS_MAX, Math.round((COLUMNS_MOST - columns) / COLUMNS_PER_STEP)));
        const key = wanted > step ? LARGER_KEY : SMALLER_KEY;
        const keys = Array.from({ length: Math.abs(wanted - step) }, () => key);
        step = wanted;
        if (keys.length > 0) await desk.press(window, "--delay", "0", ...keys);
      },
      contents: () => scrollback(desk, window, saved),
      picture: (path) => takePicture(desk, window, path),
      close: async () => {
        await desk.end(process);
        await desk.end(compositor);
      },
    };
  },
};

function compositorArguments(display: string): string[] {
  const size = ["--width=1000", "--height=720"];
  return [
    "--backend=x11-backend.so",
    ...size,
    "--use-pixman",
    "--shell=kiosk-shell.so",
    `--socket=${display}`,
    "--idle-time=0",
  ];
}

function settings(saved: string): string {
  return [
    "[main]",
    "font=DejaVu Sans Mono:size=8",
    "pad=0x0",
    "[scrollback]",
    `lines=${SCROLLBACK_ROWS}`,
    "[csd]",
    "preferred=none",
    "[key-bindings]",
    `pipe-scrollback=[sh -c "cat > ${saved}"] Control+Shift+p`,
    "font-increase=Control+plus Control+F11",
    "font-decrease=Control+minus Control+F12",
    "",
  ].join("\n");
}

// foot 1.13 now and then has nothing to save until it has laid its lines out anew, which another size of letters makes it
// do; so the sizes take turns until a file is there.
async function scrollback(desk: Desk, window: string, saved: string): Promise<string[]> {
  rmSync(saved, { force: true });
  let sizeBefore = -1;
  let tries = 0;
  await until("foot to save its scrollback", async () => {
    const size = existsSync(saved) ? statSync(saved).size : 0;
    if (size > 0 && size === sizeBefore) return true;
    sizeBefore = size;
    if (size === 0) {
      if (tries > 0) await desk.press(window, tries % 2 === 1 ? LARGER_KEY : SMALLER_KEY);
      tries += 1;
      await elapsed(SAVE_MS);
      await desk.press(window, SAVE_KEY);
    }
    await elapsed(SAVE_MS);
    return undefined;
  });
  return rowsOf(readFileSync(saved, "utf8"));
}
