// konsole: its "select all" gets a key of its own, and the clipboard gives the scrollback. It speaks over a message bus,
// so it gets one for itself.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
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

const SELECT_ALL_KEY = "ctrl+shift+F9";
const COPY_KEY = "ctrl+shift+c";
const KEY_MS = 400;
/** The cells of DejaVu Sans Mono 8 as Qt draws it, and what konsole keeps around all of them, in pixels. */
const CELL = { width: 7, height: 14 };
const AROUND = { width: 11, height: 32 };

export const konsole: TerminalKind = {
  name: "konsole",
  programs: [...X11_PROGRAMS, "konsole", "dbus-run-session", "xclip"],
  packages: [...X11_PACKAGES, "konsole", "dbus", "xclip"],
  async open(desk: Desk, command: readonly string[], size: Size): Promise<TerminalWindow> {
    await desk.openDisplay();
    const home = desk.path("konsole-home");
    writeSettings(home, size);
    const args = ["--", "konsole", "--profile", "palaver", "--hide-menubar", "--hide-tabbar", "-e", ...command];
    const process = desk.start("dbus-run-session", args, { HOME: home });
    const window = await desk.untilWindow("konsole");
    const resize = ({ columns, rows }: Size) =>
      desk.setWindowSize(window, columns * CELL.width + AROUND.width, rows * CELL.height + AROUND.height);
    await elapsed(1_000);
    return {
      resize,
      contents: () => copied(desk, window),
      picture: (path) => takePicture(desk, window, path),
      close: () => desk.end(process),
    };
  },
};

async function copied(desk: Desk, window: string): Promise<string[]> {
  for (const key of [SELECT_ALL_KEY, COPY_KEY]) {
    await desk.press(window, key);
    await elapsed(KEY_MS);
  }
  return rowsOf(await desk.run("xclip", ["-o", "-selection", "clipboard"]));
}

function writeSettings(home: string, { columns, rows }: Size): void {
  write(`${home}/.local/share/konsole/palaver.profile`, [
    "[Appearance]",
    "Font=DejaVu Sans Mono,8,-1,5,50,0,0,0,0,0",
    "[General]",
    "Name=palaver",
    "Parent=FALLBACK/",
    `TerminalColumns=${columns}`,
    `TerminalRows=${rows}`,
    "TerminalMargin=0",
    "[Scrolling]",
    "HistoryMode=1",
    `HistorySize=${SCROLLBACK_ROWS}`,
    "ScrollBarPosition=2",
  ]);
  write(`${home}/.config/konsolerc`, [
    "[KonsoleWindow]",
    "ShowMenuBarByDefault=false",
    "[TabBar]",
    "TabBarVisibility=AlwaysHideTabBar",
    "[MainWindow]",
    "ToolBarsMovable=Disabled",
  ]);
  write(`${home}/.local/share/kxmlgui5/konsole/sessionui.rc`, [
    '<!DOCTYPE gui SYSTEM "kpartgui.dtd">',
    '<gui name="session" version="99" translationDomain="konsole">',
    '<ActionProperties scheme="Default"><Action name="select-all" shortcut="Ctrl+Shift+F9"/></ActionProperties>',
    "</gui>",
  ]);
}

function write(path: string, lines: readonly string[]): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${lines.join("\n")}\n`);
}
