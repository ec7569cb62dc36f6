// A real terminal emulator without a window (`@xterm/headless`) as a judge: tests and benches write the production bytes
// into it and read back everything a person could see or scroll to, and everything an attack would want to change.

import { Unicode11Addon } from "@xterm/addon-unicode11";
import { Terminal } from "@xterm/headless";

interface EmulatorOptions {
  readonly columns: number;
  readonly rows: number;
  readonly scrollbackRows?: number;
}

export class Emulator {
  readonly titles: string[] = [];
  readonly clipboardWrites: string[] = [];
  /** What the terminal answered: reports, as the program would read them from its input. */
  readonly replies: string[] = [];
  private readonly terminal: Terminal;

  constructor(options: EmulatorOptions) {
    this.terminal = new Terminal({
      cols: options.columns,
      rows: options.rows,
      scrollback: options.scrollbackRows ?? 20_000,
      allowProposedApi: true,
    });
    this.terminal.loadAddon(new Unicode11Addon());
    this.terminal.unicode.activeVersion = "11";
    this.terminal.onTitleChange((title) => this.titles.push(title));
    this.terminal.onData((reply) => this.replies.push(reply));
    this.terminal.parser.registerOscHandler(52, (data) => {
      this.clipboardWrites.push(data);
      return false;
    });
  }

  get columns(): number {
    return this.terminal.cols;
  }

  get rows(): number {
    return this.terminal.rows;
  }

  /** Resolves when the emulator has read everything that was written so far. */
  write(bytes: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => this.terminal.write(bytes, resolve));
  }

  resize(columns: number, rows: number): void {
    this.terminal.resize(columns, rows);
  }

  /** Every row of the main screen, oldest first: the scrollback, then what the window shows of it. */
  allRows(): string[] {
    const buffer = this.terminal.buffer.normal;
    return Array.from({ length: buffer.length }, (_, index) => buffer.getLine(index)?.translateToString(true) ?? "");
  }

  scrollback(): string[] {
    return this.allRows().slice(0, this.terminal.buffer.normal.baseY);
  }

  /** The rows in the window, of whichever screen is shown. */
  viewport(): string[] {
    const buffer = this.terminal.buffer.active;
    return Array.from(
      { length: this.terminal.rows },
      (_, index) => buffer.getLine(buffer.baseY + index)?.translateToString(true) ?? "",
    );
  }

  /** Logical lines of the main screen: rows that the terminal wrapped itself are one line, as when copied. */
  lines(): string[] {
    const buffer = this.terminal.buffer.normal;
    const lines: string[] = [];
    for (let index = 0; index < buffer.length; index++) {
      const line = buffer.getLine(index);
      const isWrapped = buffer.getLine(index + 1)?.isWrapped ?? false;
      const text = line?.translateToString(!isWrapped) ?? "";
      if (line?.isWrapped && lines.length > 0) lines.push((lines.pop() ?? "") + text);
      else lines.push(text);
    }
    return lines;
  }

  cursor(): { row: number; column: number } {
    const buffer = this.terminal.buffer.active;
    return { row: buffer.cursorY, column: buffer.cursorX };
  }

  /** The row of the cursor counted from the oldest row of the scrollback. */
  cursorInAllRows(): number {
    return this.terminal.buffer.active.baseY + this.terminal.buffer.active.cursorY;
  }

  modes(): Terminal["modes"] & { readonly isCursorShown: boolean } {
    return { ...modesOf(this.terminal), isCursorShown: isCursorShown(this.terminal) };
  }

  screen(): "normal" | "alternate" {
    return this.terminal.buffer.active.type;
  }

  /** Style of a cell in the window, enough to tell whether something bled into it. */
  cell(row: number, column: number): { text: string; isInverse: boolean; isBold: boolean; hasBackground: boolean } {
    const buffer = this.terminal.buffer.active;
    const cell = buffer.getLine(buffer.baseY + row)?.getCell(column);
    return {
      text: cell?.getChars() ?? "",
      isInverse: (cell?.isInverse() ?? 0) !== 0,
      isBold: (cell?.isBold() ?? 0) !== 0,
      hasBackground: !(cell?.isBgDefault() ?? true),
    };
  }

  dispose(): void {
    this.terminal.dispose();
  }
}

// The public modes are getters on an inner object; a copy keeps what they said at this moment.
function modesOf(terminal: Terminal): Terminal["modes"] {
  const { modes } = terminal;
  return {
    applicationCursorKeysMode: modes.applicationCursorKeysMode,
    applicationKeypadMode: modes.applicationKeypadMode,
    bracketedPasteMode: modes.bracketedPasteMode,
    insertMode: modes.insertMode,
    mouseTrackingMode: modes.mouseTrackingMode,
    originMode: modes.originMode,
    reverseWraparoundMode: modes.reverseWraparoundMode,
    sendFocusMode: modes.sendFocusMode,
    synchronizedOutputMode: modes.synchronizedOutputMode,
    wraparoundMode: modes.wraparoundMode,
  };
}

// Whether the cursor is shown is not public; DECRQM would say it, but only asynchronously.
function isCursorShown(terminal: Terminal): boolean {
  const core: unknown = Reflect.get(terminal, "_core");
  if (typeof core !== "object" || core === null) return true;
  const service: unknown = Reflect.get(core, "coreService") ?? Reflect.get(core, "_coreService");
  if (typeof service !== "object" || service === null) return true;
  return Reflect.get(service, "isCursorHidden") !== true;
}
