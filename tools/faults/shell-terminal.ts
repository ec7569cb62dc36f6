// A plain shell in a pty with an emulator behind it, for trying what a fault leaves of a terminal. The shell is `sh`: bash mends
// the terminal after a program that was killed, and would hide what the program left undone.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { IPty } from "@lydell/node-pty";
import { asText, PtyTerminal } from "../../test/rigs/pty-terminal.js";

const SIZE = { columns: 90, rows: 24 } as const;
const LOOK_EVERY_MS = 40;
/** Modes that a program may change: cursor keys, wrapping, the cursor, the mouse, focus, the other screen, pastes, updates. */
const MODES = [1, 7, 25, 1000, 1002, 1003, 1004, 1006, 1049, 2004, 2026, 2031] as const;
/** What kitty's keyboard protocol and its forerunner are switched with; the emulator does not know them. */
const KEYBOARD_CHANGE = /\x1b\[(?:(>)5u|(<)u|>4(;2)?m)/g;

export interface TerminalState {
  readonly stty: string;
  /** Number of the mode → what DECRQM says of it. */
  readonly modes: Readonly<Record<string, string>>;
  readonly keyboard: "plain" | "changed";
}

export class ShellTerminal extends PtyTerminal {
  private readonly folder: string;
  private marks = 0;

  constructor(folder: string, environment: Readonly<Record<string, string>>) {
    super({ ...SIZE, command: "/bin/sh", args: ["-i"], folder, environment: { ...environment, PS1: "$ ", ENV: "" } });
    this.folder = folder;
  }

  /** Scrollback and screen in the lines that were written, however the window wrapped them. */
  override async text(): Promise<string> {
    await this.read();
    return asText(this.emulator.lines());
  }

  /** Waits for words in the scrollback or in the window. */
  async shows(words: RegExp, limitMs: number): Promise<void> {
    const isThere = async () => words.test(await this.text()) || words.test(await this.window());
    if (await until(isThere, limitMs)) return;
    throw new Error(`never showed ${words}; the window:\n${await this.window()}`);
  }

  /** Runs something in the shell and waits for its end; false when the shell does not answer. */
  async answers(line: string, limitMs: number): Promise<boolean> {
    this.marks += 1;
    const word = `done${this.marks}`;
    // An empty line first: keys that were on their way when the program ended are no part of the command. The quotes keep the
    // word apart from its own echo.
    this.type(`\r${line}; echo do''ne${this.marks}\r`);
    return until(async () => new RegExp(`^.*${word}$`, "m").test(await this.text()), limitMs);
  }

  async state(limitMs: number): Promise<TerminalState | null> {
    const file = join(this.folder, "stty.txt");
    if (!(await this.answers(`stty -a > '${file}' 2>&1`, limitMs))) return null;
    return { stty: readFileSync(file, "utf8"), modes: await this.modes(), keyboard: this.keyboard() };
  }

  /** The window is closed, as when a connection drops. */
  vanish(): void {
    this.isGone = true;
    // Closing the master is what makes the terminal go; the process of the shell then gets its SIGHUP from the system.
    (this.pty as IPty & { destroy(): void }).destroy();
  }

  /** Nobody reads what the program writes, until `thaw`. */
  freeze(): void {
    this.pty.pause();
  }

  thaw(): void {
    this.pty.resume();
  }

  close(): void {
    this.kill();
    this.emulator.dispose();
  }

  private async modes(): Promise<Record<string, string>> {
    await this.read();
    await this.emulator.write(MODES.map((mode) => `\x1b[?${mode}$p`).join(""));
    const replies = this.emulator.replies.splice(0).join("");
    return Object.fromEntries([...replies.matchAll(/\x1b\[\?(\d+);(\d)\$y/g)].map(([, mode, value]) => [mode, value]));
  }

  private keyboard(): "plain" | "changed" {
    let [pushed, isModified] = [0, false];
    for (const [, push, pop, modified] of this.bytes.matchAll(KEYBOARD_CHANGE)) {
      if (push !== undefined) pushed += 1;
      else if (pop !== undefined) pushed = Math.max(0, pushed - 1);
      else isModified = modified !== undefined;
    }
    return pushed > 0 || isModified ? "changed" : "plain";
  }
}

/** Looks again and again; false when it never became so. */
export async function until(isSo: () => boolean | Promise<boolean>, limitMs: number): Promise<boolean> {
  const deadlineMs = performance.now() + limitMs;
  for (;;) {
    if (await isSo()) return true;
    if (performance.now() > deadlineMs) return false;
    await elapsed(LOOK_EVERY_MS);
  }
}

export function elapsed(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs));
}
