// VTE, the engine of GNOME Terminal, in a small window of our own that takes orders.

import { existsSync, readFileSync, rmSync } from "node:fs";
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

const PYTHON = "/usr/bin/python3";
const LOAD_VTE = 'import gi; gi.require_version("Gtk", "3.0"); gi.require_version("Vte", "2.91")';

/** `helper` is the path of vte.py. */
export function vte(helper: string): TerminalKind {
  return {
    name: "vte",
    programs: [...X11_PROGRAMS, PYTHON],
    packages: [...X11_PACKAGES, "python3-gi", "gir1.2-gtk-3.0", "gir1.2-vte-2.91"],
    probe: [PYTHON, "-c", LOAD_VTE],
    async open(desk: Desk, command: readonly string[], size: Size): Promise<TerminalWindow> {
      await desk.openDisplay();
      const numbers = [size.columns, size.rows, SCROLLBACK_ROWS].map(String);
      const process = desk.start(PYTHON, [helper, ...numbers, ...command]);
      const window = await desk.untilWindow("vte.py");
      const tell = (order: string) => process.stdin?.write(`${order}\n`);
      return {
        resize: async ({ columns, rows }) => {
          tell(`resize ${columns} ${rows}`);
        },
        contents: async () => {
          const file = desk.path("vte-contents");
          rmSync(file, { force: true });
          tell(`write ${file}`);
          await until("VTE to write", () => existsSync(file) || undefined);
          return rowsOf(readFileSync(file, "utf8"));
        },
        picture: (path) => takePicture(desk, window, path),
        close: () => desk.end(process),
      };
    },
  };
}
