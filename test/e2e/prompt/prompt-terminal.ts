// The built command in a real terminal: a pty with an emulator behind it, what the terminal shows, and what became of the
// process. A test waits for what a person would wait for.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { ENTER_PAUSE_MS } from "../../../src/contract/limits.js";
import { PtyTerminal } from "../../rigs/pty-terminal.js";
import { palaver, plainEnvironment } from "../run-program.js";

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

export class PromptTerminal extends PtyTerminal {
  constructor(command: string, args: readonly string[], folder: string, options: TerminalOptions) {
    const { columns = 80, rows = 24, env = {} } = options;
    const environment = { ...plainEnvironment, HOME: folder, TMPDIR: folder, ...env };
    super({ command, args, columns, rows, folder, environment });
  }

  /** Down to the last row that holds something. */
  override async text(): Promise<string> {
    return (await super.text()).trimEnd();
  }

  async shows(words: string): Promise<void> {
    await expect.poll(() => this.window(), { timeout: 20_000, interval: 25 }).toContain(words);
  }

  /** The dialog is there and takes keys. */
  async dialog(title: string, hint = "esc"): Promise<void> {
    await this.shows(title);
    await this.shows(hint);
  }

  /** Presses Enter until it counts, which it does a moment after a move. */
  async enters(words: string): Promise<void> {
    const pressed = async () => {
      const text = await this.window();
      if (!text.includes(words)) this.type("\r");
      return text;
    };
    await expect.poll(pressed, { timeout: 20_000, interval: ENTER_PAUSE_MS + 100 }).toContain(words);
  }

  /** Everything that a program may have changed is as it was. */
  async expectGivenBack(): Promise<void> {
    await this.read();
    expect(this.emulator.screen()).toBe("normal");
    expect(this.emulator.modes()).toMatchObject({
      bracketedPasteMode: false,
      isCursorShown: true,
      sendFocusMode: false,
      wraparoundMode: true,
      synchronizedOutputMode: false,
    });
  }
}
