// A program in a real pty with an emulator behind it, which shows what the program writes and answers what it asks. What stands
// in the window and in the scrollback can be read as text.
import { type IPty, spawn } from "@lydell/node-pty";
import { Emulator } from "./emulator.js";

export interface PtyProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly columns: number;
  readonly rows: number;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

export class PtyTerminal {
  readonly emulator: Emulator;
  readonly pty: IPty;
  /** How it ended: the exit code, or 128 and the signal's number, as a shell would say it. */
  readonly ended: Promise<number>;
  /** Everything the program wrote. */
  bytes = "";
  protected isGone = false;
  private reading: Promise<void> = Promise.resolve();
  /** What was read from the emulator since its last change: tests read it many times a second while they wait. */
  private seen: { window?: string; text?: string } = {};

  constructor({ command, args, columns, rows, folder, environment }: PtyProgram) {
    this.emulator = new Emulator({ columns, rows });
    this.pty = spawn(command, [...args], { cols: columns, rows, cwd: folder, env: { ...environment } });
    this.pty.onData((data) => {
      this.bytes += data;
      this.reading = this.reading.then(() => this.show(data));
    });
    this.ended = new Promise((resolve) => {
      this.pty.onExit(({ exitCode, signal }) => {
        this.isGone = true;
        resolve(signal ? 128 + signal : exitCode);
      });
    });
  }

  /** Resolves when the emulator has seen everything that has come so far. */
  read(): Promise<void> {
    return this.reading;
  }

  /** What stands in the window now, on whichever screen. */
  async window(): Promise<string> {
    await this.read();
    this.seen.window ??= asText(this.emulator.viewport());
    return this.seen.window;
  }

  /** The scrollback and the window, without the alternate screen. */
  async text(): Promise<string> {
    await this.read();
    this.seen.text ??= asText(this.emulator.allRows());
    return this.seen.text;
  }

  type(keys: string): void {
    if (!this.isGone) this.pty.write(keys);
  }

  resize(columns: number, rows: number): void {
    this.emulator.resize(columns, rows);
    this.seen = {};
    this.pty.resize(columns, rows);
  }

  kill(): void {
    if (!this.isGone) this.pty.kill("SIGKILL");
  }

  private async show(data: string): Promise<void> {
    await this.emulator.write(data);
    this.seen = {};
    for (const reply of this.emulator.replies.splice(0)) this.type(reply);
  }
}

/** Rows as a person sees them, who does not see blanks at their ends. */
export function asText(rows: readonly string[]): string {
  return rows.map((row) => row.trimEnd()).join("\n");
}
