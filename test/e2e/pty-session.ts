// A program in a real pty with an emulator behind it: what it shows can be waited for and read, scrollback and all.
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { PtyTerminal } from "../rigs/pty-terminal.js";
import { aside, ownEnvironment, plainEnvironment, projectRoot } from "./run-program.js";

/** A home of the tests' own. */
export const home = join(aside, "home");

export interface PtyOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const SHOWS_WITHIN_MS = 25_000;

export class PtySession extends PtyTerminal {
  constructor(
    command: string,
    args: string[],
    { columns = 80, rows = 24, cwd = projectRoot, env = {} }: PtyOptions = {},
  ) {
    const own = { HOME: home, ...plainEnvironment, ...ownEnvironment };
    super({ command, args, columns, rows, folder: cwd, environment: { ...own, ...env } });
    onTestFinished(() => this.kill());
  }

  /** Presses a key until it moved the selection there: a question that has just appeared leaves moves to the composer. */
  async moves(key: string, to: string): Promise<void> {
    const waiting = "ready in a moment";
    const shown = async () => {
      const window = await this.window();
      return window.includes(to) ? "there" : window.includes(waiting) ? "waiting" : "neither";
    };
    const seen = (state: () => unknown) => expect.poll(state, { timeout: SHOWS_WITHIN_MS, interval: 30 });
    await seen(shown).not.toBe("waiting");
    for (let tries = 0; tries < 3; tries += 1) {
      this.type(key);
      await seen(shown).not.toBe("neither");
      if ((await shown()) === "there") return;
      await seen(shown).not.toBe("waiting");
    }
    await this.shows(to);
  }

  /**
   * Presses an answer key when the question takes it: one that has just appeared leaves it to the composer. So does one whose
   * process stalled, which happens on a busy machine: then the letter is deleted and pressed again.
   */
  async answers(key: string): Promise<void> {
    const state = async () => {
      const window = await this.window();
      return window.includes("ctrl+x to answer") ? "typed" : /up\/down, enter/.test(window) ? "open" : "other";
    };
    const seen = () => expect.poll(state, { timeout: SHOWS_WITHIN_MS, interval: 30 });
    for (let tries = 0; tries < 5; tries += 1) {
      await seen().toBe("open");
      this.type(key);
      await seen().not.toBe("open");
      if ((await state()) !== "typed") return;
      this.type("\x7f");
    }
  }

  /** Waits until the agent's turn has ended. */
  async rests(): Promise<void> {
    await expect.poll(() => this.window(), { timeout: SHOWS_WITHIN_MS, interval: 30 }).not.toContain("esc stop");
  }

  /** Waits until the window, on whichever screen, or the scrollback shows this. */
  async shows(words: string | RegExp): Promise<void> {
    const isAside = () => this.emulator.screen() === "alternate";
    const all = async () => `${await this.text()}${isAside() ? `\n${await this.window()}` : ""}`;
    const seen = expect.poll(all, { timeout: SHOWS_WITHIN_MS, interval: 30 });
    await (typeof words === "string" ? seen.toContain(words) : seen.toMatch(words));
  }
}
