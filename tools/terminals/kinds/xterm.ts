// xterm: its print action writes everything to a file. It does not reflow, and what it prints of cells that nobody has
// written yet is no text at all. What was right of the edge when it grew narrower is partly kept, and comes back.

import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
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

const PRINT_KEY = "ctrl+shift+p";
/** From the first character that no session contains to the end of the row: cells that nobody has written. */
const UNWRITTEN =
  / *[^\x20-\x7e▌\u2801-\u28ff\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff5e\u{1f300}-\u{1faff}].*$/u;

export const xterm: TerminalKind = {
  name: "xterm",
  programs: [...X11_PROGRAMS, "xterm"],
  packages: [...X11_PACKAGES, "xterm"],
  // Its rows are as long as the next multiple of four; no sequence reaches the cells behind the edge.
  keptCells: 3,
  async open(desk: Desk, command: readonly string[], size: Size): Promise<TerminalWindow> {
    await desk.openDisplay();
    const file = desk.path("xterm-print");
    const process = desk.start("xterm", [...settings(size, file), "-e", ...command]);
    const window = await desk.untilWindow("xterm");
    await elapsed(500);
    const { width, height } = await desk.windowSize(window);
    const cell = { width: Math.floor(width / size.columns), height: Math.floor(height / size.rows) };
    return {
      resize: ({ columns, rows }) => desk.setWindowSize(window, columns * cell.width, rows * cell.height),
      contents: () => printed(desk, window, file),
      picture: (path) => takePicture(desk, window, path),
      close: () => desk.end(process),
    };
  },
};

function settings({ columns, rows }: Size, file: string): string[] {
  const resources = [
    "xterm*printAttributes: 0",
    `xterm*printerCommand: cat > ${file}`,
    "xterm*VT100.translations: #override Ctrl Shift<Key>P: print-everything()",
  ];
  const look = ["-fa", "DejaVu Sans Mono", "-fs", "8", "-u8", "-b", "0", "+sb"];
  const sizes = ["-geometry", `${columns}x${rows}`, "-sl", String(SCROLLBACK_ROWS)];
  return [...look, ...sizes, ...resources.flatMap((resource) => ["-xrm", resource])];
}

async function printed(desk: Desk, window: string, file: string): Promise<string[]> {
  rmSync(file, { force: true });
  await desk.press(window, PRINT_KEY);
  let sizeBefore = -1;
  await until("xterm to print", async () => {
    await elapsed(200);
    const size = existsSync(file) ? statSync(file).size : 0;
    const isWhole = size > 0 && size === sizeBefore;
    sizeBefore = size;
    return isWhole || undefined;
  });
  return rowsOf(readFileSync(file, "utf8")).map((row) => row.replace(/[\uffff\f\r]/g, "").replace(UNWRITTEN, ""));
}
