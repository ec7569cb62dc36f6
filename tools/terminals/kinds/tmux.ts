// tmux: no window at all. It is resized with a command and gives its history as rows.

import type { Size } from "../../../src/terminal/painter/frame.js";
import type { Desk } from "../desk.js";
import { rowsOf, SCROLLBACK_ROWS, type TerminalKind, type TerminalWindow } from "../terminal-kind.js";

let opened = 0;

export const tmux: TerminalKind = {
  name: "tmux",
  programs: ["tmux"],
  packages: ["tmux"],
  async open(desk: Desk, command: readonly string[], size: Size): Promise<TerminalWindow> {
    opened += 1;
    const server = ["-L", `palaver-${process.pid}-${opened}`, "-f", "/dev/null"];
    const tell = (...args: string[]) => desk.run("tmux", [...server, ...args]);
    const { columns, rows } = size;
    const options = ["set", "-g", "history-limit", String(SCROLLBACK_ROWS), ";", "set", "-g", "status", "off", ";"];
    await tell("start-server", ";", ...options, "new-session", "-d", "-x", `${columns}`, "-y", `${rows}`, ...command);
    return {
      resize: async (next) => {
        await tell("resize-window", "-x", String(next.columns), "-y", String(next.rows));
      },
      contents: async () => rowsOf(await tell("capture-pane", "-p", "-S", "-")),
      close: async () => {
        await tell("kill-server");
      },
    };
  },
};
