// A surface in front of an emulator: the production screens, numbered lines, and a window that changes when told.
import { unicodeGlyphs } from "../../../src/terminal/painter/blocks/glyphs.js";
import type { Frame, Size } from "../../../src/terminal/painter/frame.js";
import { InlineScreen } from "../../../src/terminal/painter/inline-screen.js";
import { TerminalSurface } from "../../../src/views/inline/terminal-surface.js";
import { Emulator } from "../../rigs/emulator.js";
import { ManualClock } from "../../rigs/simulator/manual-clock.js";
import { LIVE, XTERM_JS } from "../../terminal/painter/rig.js";
import { colourless } from "../../terminal/painter/visible.js";

export const PAGE_UP = "\x1b[5~";
export const PAGE_DOWN = "\x1b[6~";
export const CTRL_HOME = "\x1b[1;5H";
export const CTRL_END = "\x1b[1;5F";
export const WHEEL_UP = "\x1b[<64;10;5M";
export const WHEEL_DOWN = "\x1b[<65;10;5M";
export const SHELL: readonly string[] = ["$ ls", "README.md", "$ palaver"];

export class SurfaceRig {
  readonly clock = new ManualClock();
  readonly emulator: Emulator;
  readonly surface: TerminalSurface;
  readonly alternate: string[] = [];
  readonly writes: string[] = [];
  speed: "drained" | "full" = "drained";
  frame: Frame & { transcriptRows?: number } = {
    rows: [`${LIVE} message`, `${LIVE} status`],
    cursor: { row: 0, column: 2 },
  };
  private unread = "";

  constructor(size: Size = { columns: 40, rows: 10 }, shell: readonly string[] = SHELL) {
    this.emulator = new Emulator(size);
    this.unread = shell.map((line) => `${line}\r\n`).join("");
    const apply = (bytes: string) => {
      this.unread += bytes;
      this.writes.push(bytes);
      return this.speed;
    };
    const inline = new InlineScreen({ apply, clock: this.clock, size, profile: XTERM_JS, onViolation: "throw" });
    this.surface = new TerminalSurface({
      inline,
      apply,
      clock: this.clock,
      look: { style: colourless, glyphs: unicodeGlyphs },
      onAlternate: (use) => this.alternate.push(use),
    });
    this.surface.setView(() => this.frame);
    this.surface.requestFrame("now");
  }

  /** Numbered lines, so that one can see where one is. */
  settle(count: number, from = 1): void {
    this.surface.settle(Array.from({ length: count }, (_, index) => `line ${from + index}`));
    this.surface.requestFrame("now");
  }

  write(bytes: string): void {
    this.unread += bytes;
  }

  async read(): Promise<void> {
    const bytes = this.unread;
    this.unread = "";
    await this.emulator.write(bytes);
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.read();
    this.emulator.resize(columns, rows);
    this.surface.resize({ columns, rows });
  }

  async screen(): Promise<string[]> {
    await this.read();
    // The emulator remembers cells to the right of a window that became narrower; nobody can see those.
    const rows = this.emulator.viewport().map((row) => row.slice(0, this.emulator.columns).trimEnd());
    while (rows.at(-1) === "") rows.pop();
    return rows;
  }

  async scrolledTo(): Promise<string> {
    return (await this.screen())[0] ?? "";
  }
}
