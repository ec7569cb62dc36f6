// A program in a real pty with an emulator behind it: what it shows can be waited for and read, scrollback and all.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type IPty, spawn } from "@lydell/node-pty";
import { afterAll, afterEach, expect } from "vitest";
import { Emulator } from "../../src/testing/emulator.js";
import { ownEnvironment, projectRoot } from "./run-program.js";

/** A home of the tests' own. */
export const home = mkdtempSync(join(tmpdir(), "palaver-home-"));

const open: PtySession[] = [];
afterEach(() => {
  for (const session of open.splice(0)) session.pty.kill("SIGKILL");
});
afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

export interface PtyOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const SHOWS_WITHIN_MS = 25_000;

export class PtySession {
  readonly emulator: Emulator;
  readonly pty: IPty;
  readonly ended: Promise<number>;
  /** Everything the program wrote. */
  bytes = "";
  private reading: Promise<void> = Promise.resolve();

  constructor(
    command: string,
    args: string[],
    { columns = 80, rows = 24, cwd = projectRoot, env = {} }: PtyOptions = {},
  ) {
    this.emulator = new Emulator({ columns, rows });
    const own = {
      PATH: process.env.PATH ?? "",
      TERM: "xterm-256color",
      LANG: "C.UTF-8",
      HOME: home,
      ...ownEnvironment,
    };
    this.pty = spawn(command, args, { cols: columns, rows, env: { ...own, ...env }, cwd });
    this.pty.onData((data) => {
      this.bytes += data;
      this.reading = this.reading
        .then(() => this.emulator.write(data))
        .then(() => {
          for (const reply of this.emulator.replies.splice(0)) this.pty.write(reply);
        });
    });
    this.ended = new Promise((resolve) => {
      this.pty.onExit(({ exitCode }) => resolve(exitCode));
    });
    open.push(this);
  }

  async text(): Promise<string> {
    await this.reading;
    return this.emulator
      .allRows()
      .map((row) => row.trimEnd())
      .join("\n");
  }

  /** What stands in the window now, also on the alternate screen. */
  async screen(): Promise<string> {
    await this.reading;
    return this.emulator
      .viewport()
      .map((row) => row.trimEnd())
      .join("\n");
  }

  /** Waits until the window, on whichever screen, or the scrollback shows this. */
  async shows(words: string | RegExp): Promise<void> {
    const isAside = () => this.emulator.screen() === "alternate";
    const all = async () => `${await this.text()}${isAside() ? `\n${await this.screen()}` : ""}`;
    const seen = expect.poll(all, { timeout: SHOWS_WITHIN_MS, interval: 30 });
    await (typeof words === "string" ? seen.toContain(words) : seen.toMatch(words));
  }

  type(keys: string): void {
    this.pty.write(keys);
  }
}
