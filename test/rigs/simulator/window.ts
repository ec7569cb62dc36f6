// The terminal's side of a simulation: an emulator that reads its bytes at once instead of in a later turn, so that a
// session is one straight run, and that hands out single rows, so that most checks need not read the whole scrollback.

import { Unicode11Addon } from "@xterm/addon-unicode11";
import { type IBufferLine, Terminal } from "@xterm/headless";
import type { Size } from "../../../src/terminal/painter/frame.js";

/** Far more than a session prints; what falls out of the scrollback would look like a lost line. */
const SCROLLBACK_ROWS = 100_000;

export interface Erasure {
  readonly what: number;
  readonly row: number;
  readonly column: number;
  readonly screen: "normal" | "alternate";
}

export class Window {
  /** Every ED that arrived since it was last taken: its parameter and where the cursor stood. */
  private erasures: Erasure[] = [];
  private readonly terminal: Terminal;
  private readonly core: object;

  constructor(size: Size) {
    this.terminal = new Terminal({
      cols: size.columns,
      rows: size.rows,
      scrollback: SCROLLBACK_ROWS,
      allowProposedApi: true,
      logLevel: "off",
    });
    this.terminal.loadAddon(new Unicode11Addon());
    this.terminal.unicode.activeVersion = "11";
    this.core = innerPart(this.terminal, "_core");
    this.terminal.parser.registerCsiHandler({ final: "J" }, ([what]) => {
      const { cursorY: row, cursorX: column, type: screen } = this.terminal.buffer.active;
      this.erasures.push({ what: typeof what === "number" ? what : 0, row, column, screen });
      return false;
    });
  }

  get size(): Size {
    return { columns: this.terminal.cols, rows: this.terminal.rows };
  }

  /** Reads all of the bytes before it returns; they may end inside of a sequence. */
  read(bytes: string): void {
    const writeSync: unknown = Reflect.get(this.core, "writeSync");
    if (typeof writeSync !== "function") throw new Error("This emulator cannot read at once.");
    writeSync.call(this.core, bytes);
    if (this.rowCount >= SCROLLBACK_ROWS) throw new Error("This session prints more than the emulator can keep.");
  }

  resize(size: Size): void {
    this.terminal.resize(size.columns, size.rows);
  }

  takeErasures(): readonly Erasure[] {
    const taken = this.erasures;
    if (taken.length > 0) this.erasures = [];
    return taken;
  }

  get screen(): "normal" | "alternate" {
    return this.terminal.buffer.active.type;
  }

  /** All rows that can be scrolled to, with those in the window. */
  get rowCount(): number {
    return this.terminal.buffer.normal.length;
  }

  /** In rows from the oldest one of the scrollback. */
  cursor(): { row: number; column: number; state: "shown" | "hidden" } {
    const { baseY, cursorY, cursorX } = this.terminal.buffer.active;
    const service = innerPart(this.core, "coreService");
    const state = Reflect.get(service, "isCursorHidden") === true ? "hidden" : "shown";
    return { row: baseY + cursorY, column: cursorX, state };
  }

  modes(): { readonly wrap: "on" | "off"; readonly update: "begun" | "none" } {
    const { wraparoundMode, synchronizedOutputMode } = this.terminal.modes;
    return { wrap: wraparoundMode ? "on" : "off", update: synchronizedOutputMode ? "begun" : "none" };
  }

  /** A row without the spaces at its end. */
  row(index: number): string {
    return this.line(index)?.translateToString(true).trimEnd() ?? "";
  }

  /** Whether the terminal takes this row for the continuation of the one above it. */
  isContinuation(index: number): boolean {
    return this.line(index)?.isWrapped ?? false;
  }

  /** The line that ends with this row, as one would copy it: rows that the terminal wrapped itself are joined. */
  logicalLineUpTo(lastRow: number): { readonly text: string; readonly firstRow: number } {
    let text = this.row(lastRow);
    let row = lastRow;
    while (row > 0 && this.isContinuation(row)) {
      row -= 1;
      text = this.fullRow(row) + text;
    }
    return { text: text.trimEnd(), firstRow: row };
  }

  dispose(): void {
    this.terminal.dispose();
  }

  // A wide character that does not fit into the last cell leaves it empty; that cell is no part of the text.
  private fullRow(index: number): string {
    const line = this.line(index);
    if (line === undefined) return "";
    const last = line.getCell(line.length - 1);
    const isSkipped =
      last?.getChars() === "" &&
      last.getWidth() === 1 &&
      this.line(index + 1)
        ?.getCell(0)
        ?.getWidth() === 2;
    return line.translateToString(false, 0, isSkipped ? line.length - 1 : line.length);
  }

  private line(index: number): IBufferLine | undefined {
    return this.terminal.buffer.normal.getLine(index);
  }
}

// Reading at once and the visibility of the cursor are not public in this emulator.
function innerPart(owner: object, name: string): object {
  const part: unknown = Reflect.get(owner, name);
  if (typeof part !== "object" || part === null) throw new Error(`This emulator has no inner ${name}.`);
  return part;
}
