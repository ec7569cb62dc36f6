// A pty whose screen is filmed: an emulator without a window reads what the program writes, and whenever the screen is another
// one than before, a frame is kept with the moment it came. Keys are typed at a user's pace.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pty from "@lydell/node-pty";
import unicode11 from "@xterm/addon-unicode11";
import headless from "@xterm/headless";
import { makeWorkspace } from "./workspace.mjs";

const KEY_MS = 55;
const LOOK_EVERY_MS = 60;
const LIMIT_MS = 60_000;

export class FilmedTerminal {
  size;
  #emulator;
  #pty;
  #home;
  #frames = [];
  #camera;

  constructor({ columns, rows, args }) {
    this.size = { columns, rows };
    this.#home = mkdtempSync(join(tmpdir(), "palaver-demo-"));
    this.#emulator = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
    this.#emulator.loadAddon(new unicode11.Unicode11Addon());
    this.#emulator.unicode.activeVersion = "11";
    this.#pty = pty.spawn(process.execPath, args, {
      name: "xterm-256color",
      cols: columns,
      rows,
      cwd: makeWorkspace(this.#home),
      env: {
        PATH: process.env.PATH,
        HOME: this.#home,
        LANG: "C.UTF-8",
        TERM: "xterm-256color",
        COLORTERM: "truecolor",
      },
    });
    this.#pty.onData((text) => this.#emulator.write(text));
    this.#emulator.onData((reply) => this.#pty.write(reply));
    this.#camera = setInterval(() => this.#look(), LOOK_EVERY_MS);
  }

  press(keys) {
    this.#pty.write(keys);
  }

  async types(text) {
    for (const key of text) {
      this.press(key);
      await this.rests(KEY_MS);
    }
  }

  rests(ms) {
    return new Promise((resolve) => setTimeout(resolve, ms));
  }

  async shows(text) {
    const untilMs = performance.now() + LIMIT_MS;
    while (
      !this.#rows().some((row) =>
        row
          .map(({ text: cell }) => cell)
          .join("")
          .includes(text),
      )
    ) {
      if (performance.now() > untilMs) throw new Error(`the demo never showed "${text}"`);
      await this.rests(LOOK_EVERY_MS);
    }
  }

  /** Each with the rows of cells it shows, and when it was first seen. */
  frames() {
    this.#look();
    return this.#frames;
  }

  close() {
    clearInterval(this.#camera);
    this.#pty.kill();
    rmSync(this.#home, { recursive: true, force: true });
  }

  #look() {
    const rows = this.#rows();
    const picture = JSON.stringify(rows);
    if (this.#frames.at(-1)?.picture === picture) return;
    this.#frames.push({ atMs: performance.now(), rows, picture });
  }

  #rows() {
    const { active } = this.#emulator.buffer;
    return Array.from({ length: this.size.rows }, (_, index) => {
      const line = active.getLine(active.baseY + index);
      return Array.from({ length: this.size.columns }, (_, column) => cellOf(line?.getCell(column)));
    });
  }
}

function cellOf(cell) {
  if (cell === undefined || cell.getWidth() === 0) return { text: "", style: "" };
  const colour = (value, isRgb, isPalette) => (isRgb ? `#${hex(value)}` : isPalette ? `p${value}` : "");
  return {
    text: cell.getChars() || " ",
    style: [
      colour(cell.getFgColor(), cell.isFgRGB(), cell.isFgPalette()),
      colour(cell.getBgColor(), cell.isBgRGB(), cell.isBgPalette()),
      cell.isBold() ? "b" : "",
      cell.isDim() ? "d" : "",
      cell.isItalic() ? "i" : "",
      cell.isUnderline() ? "u" : "",
      cell.isInverse() ? "r" : "",
    ].join("|"),
  };
}

function hex(value) {
  return value.toString(16).padStart(6, "0");
}
