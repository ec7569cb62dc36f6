// The built command in a real terminal: a pty with an emulator behind it, what the terminal shows, and what became of the
// process. A test waits for what a person would wait for.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type IPty, spawn } from "@lydell/node-pty";
import { expect } from "vitest";
import { Emulator } from "../../../src/testing/emulator.js";
import { palaver } from "../run-program.js";

export const scriptedAgent = fileURLToPath(new URL("scripted-agent.mjs", import.meta.url));

/** What the scripted agent plays, as a prompt. */
export const play = (...steps: object[]) => JSON.stringify(steps);

export interface TerminalOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
}

/** A place for what a test's runs leave behind. */
export class Workplace {
  readonly folder = mkdtempSync(join(tmpdir(), "palaver-prompt-"));
  private readonly open: PromptTerminal[] = [];

  /** `palaver …` on a terminal. */
  palaver(args: readonly string[], options: TerminalOptions = {}): PromptTerminal {
    return this.start(process.execPath, [palaver, ...args], options);
  }

  /** A line of shell on a terminal, in which `$palaver` is the command. */
  shell(line: string, options: TerminalOptions = {}): PromptTerminal {
    const command = `palaver() { "${process.execPath}" "${palaver}" "$@"; }\n${line}`;
    return this.start("sh", ["-c", command], options);
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  read(name: string): string {
    return readFileSync(this.path(name), "utf8");
  }

  endAll(): void {
    for (const terminal of this.open.splice(0)) terminal.kill();
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  private start(command: string, args: readonly string[], options: TerminalOptions): PromptTerminal {
    const terminal = new PromptTerminal(command, args, this.folder, options);
    this.open.push(terminal);
    return terminal;
  }
}

export class PromptTerminal {
  readonly emulator: Emulator;
  readonly pty: IPty;
  readonly ended: Promise<number>;
  bytes = "";
  private reading: Promise<void> = Promise.resolve();
  private isEnded = false;

  constructor(command: string, args: readonly string[], folder: string, options: TerminalOptions) {
    const { columns = 80, rows = 24, env = {} } = options;
    this.emulator = new Emulator({ columns, rows });
    const plain = {
      PATH: process.env.PATH ?? "",
      TERM: "xterm-256color",
      LANG: "C.UTF-8",
      HOME: folder,
      TMPDIR: folder,
    };
    this.pty = spawn(command, [...args], { cols: columns, rows, env: { ...plain, ...env }, cwd: folder });
    this.pty.onData((data) => {
      this.bytes += data;
      this.reading = this.reading
        .then(() => this.emulator.write(data))
        .then(() => {
          for (const reply of this.emulator.replies.splice(0)) if (!this.isEnded) this.pty.write(reply);
        });
    });
    this.ended = new Promise((resolve) => {
      this.pty.onExit(({ exitCode, signal }) => {
        this.isEnded = true;
        resolve(signal ? 128 + signal : exitCode);
      });
    });
  }

  /** What is in the window. */
  async window(): Promise<string> {
    await this.reading;
    return this.emulator
      .viewport()
      .map((row) => row.trimEnd())
      .join("\n");
  }

  /** What the main screen and its scrollback hold. */
  async transcript(): Promise<string> {
    await this.reading;
    return this.emulator
      .allRows()
      .map((row) => row.trimEnd())
      .join("\n")
      .trimEnd();
  }

  async shows(words: string): Promise<void> {
    await expect.poll(() => this.window(), { timeout: 20_000, interval: 25 }).toContain(words);
  }

  /** The dialog is there and takes keys. */
  async dialog(title: string, hint = "esc"): Promise<void> {
    await this.shows(title);
    await this.shows(hint);
  }

  type(keys: string): void {
    this.pty.write(keys);
  }

  resize(columns: number, rows: number): void {
    this.emulator.resize(columns, rows);
    this.pty.resize(columns, rows);
  }

  /** Everything that a program may have changed is as it was. */
  async expectGivenBack(): Promise<void> {
    await this.reading;
    expect(this.emulator.screen()).toBe("normal");
    expect(this.emulator.modes()).toMatchObject({
      bracketedPasteMode: false,
      isCursorShown: true,
      sendFocusMode: false,
      wraparoundMode: true,
      synchronizedOutputMode: false,
    });
  }

  kill(): void {
    if (!this.isEnded) this.pty.kill("SIGKILL");
  }
}
