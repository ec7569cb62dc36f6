// GNU screen: it needs a terminal around it, and tmux is one without a window. The outer one is resized, screen hears of it
// as it would from any terminal, and its copy mode gives the history: its hardcopy knows no UTF-8.

import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { Size } from "../../../src/terminal/painter/frame.js";
import { type Desk, until } from "../desk.js";
import { rowsOf, SCROLLBACK_ROWS, type TerminalKind, type TerminalWindow } from "../terminal-kind.js";
import { tmux } from "./tmux.js";

/** From the first column of the first row to the end of the last one. */
const MARK_ALL = 'stuff "g0 G$ "';

let opened = 0;

export const screen: TerminalKind = {
  name: "screen",
  programs: [...tmux.programs, "screen"],
  packages: [...tmux.packages, "screen"],
  async open(desk: Desk, command: readonly string[], size: Size): Promise<TerminalWindow> {
    opened += 1;
    const session = `palaver-${process.pid}-${opened}`;
    const sockets = desk.path("screens");
    const config = desk.path("screenrc");
    mkdirSync(sockets, { recursive: true, mode: 0o700 });
    writeFileSync(config, `startup_message off\ndefutf8 on\ndefscrollback ${SCROLLBACK_ROWS}\n`);
    // The program inside must not take the terminal around screen for its own.
    const alone = ["env", "-u", "TMUX", "-u", "TMUX_PANE", "-u", "TERM_PROGRAM", `SCREENDIR=${sockets}`];
    const around = await tmux.open(desk, [...alone, "screen", "-c", config, "-U", "-S", session, ...command], size);
    const tell = (...args: string[]) =>
      desk.run("screen", ["-S", session, "-X", ...args], { SCREENDIR: sockets, TERM: "screen" });
    return {
      resize: (next) => around.resize(next),
      contents: async () => {
        const saved = desk.path("screen-history");
        rmSync(saved, { force: true });
        await tell("eval", "copy", MARK_ALL);
        await until("screen to save its history", async () => {
          if (existsSync(saved) && statSync(saved).size > 1) return true;
          await tell("writebuf", "-e", "utf8", saved);
          return undefined;
        });
        return rowsOf(readFileSync(saved, "utf8"));
      },
      close: async () => {
        await tell("quit");
        await around.close();
      },
    };
  },
};
