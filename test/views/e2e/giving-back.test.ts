// A real process on a real pty with a real emulator behind it: however it ends, the terminal is as it was.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type IPty, spawn } from "@lydell/node-pty";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { childOf } from "../../e2e/processes.js";
import { Emulator } from "../../rigs/emulator.js";
import { verifies } from "../../verifies.js";

const folder = mkdtempSync(join(tmpdir(), "palaver-pty-"));
const program = join(folder, "program.mjs");

beforeAll(async () => {
  const entry = new URL("program.ts", import.meta.url).pathname;
  await build({
    entryPoints: [entry],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
});

afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

class Session {
  readonly emulator = new Emulator({ columns: 60, rows: 12 });
  readonly pty: IPty;
  readonly ended: Promise<{ exitCode: number; signal: number | undefined }>;
  private reading: Promise<void> = Promise.resolve();
  private onRead: () => void = () => undefined;
  /** A slow terminal lets one wait for its answers. */
  answers: "at once" | "later" = "at once";

  constructor(how: string, [command, ...args]: readonly [string, ...string[]] = [process.execPath]) {
    const env = { PATH: process.env["PATH"] ?? "", TERM: "xterm-256color" };
    this.pty = spawn(command, [...args, program, how], { cols: 60, rows: 12, env });
    this.pty.onData((data) => {
      this.reading = this.reading.then(() => this.emulator.write(data)).then(() => this.answer());
    });
    this.ended = new Promise((resolve) => {
      this.pty.onExit(({ exitCode, signal }) => resolve({ exitCode, signal }));
    });
  }

  private answer(): void {
    if (this.answers === "at once") for (const reply of this.emulator.replies.splice(0)) this.pty.write(reply);
    this.onRead();
  }

  answerNow(): void {
    this.answers = "at once";
    this.answer();
  }

  /** Waits for the screen to show something, as a person would. */
  seen(isThere: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.onRead = () => {
        if (isThere()) resolve();
      };
      this.onRead();
    });
  }

  shows(text: string): Promise<void> {
    return this.seen(() => this.emulator.viewport().some((row) => row.includes(text)));
  }

  async end(): Promise<{ exitCode: number; signal: number | undefined }> {
    const result = await this.ended;
    await this.reading;
    return result;
  }
}

function expectGivenBack({ emulator }: Session): void {
  expect(emulator.modes()).toMatchObject({
    bracketedPasteMode: false,
    isCursorShown: true,
    synchronizedOutputMode: false,
    wraparoundMode: true,
  });
  expect(emulator.allRows().filter((row) => row.includes("▌"))).toEqual([]);
  expect(emulator.allRows()[0]).toBe("a settled line");
}

// What a shell learns from waitpid.
async function untilStopped(pid: number): Promise<void> {
  while (
    !execFileSync("ps", ["-o", "state=", "-p", String(pid)], { encoding: "utf8" })
      .trim()
      .startsWith("T")
  ) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("a program on a real terminal", () => {
  test.each([
    ["a normal exit", "exit", 0],
    ["an exception", "throw", 1],
  ])("gives it back after %s", async (_, how, exitCode) => {
    verifies("terminal.given-back");
    const session = new Session(how);
    expect(await session.end()).toMatchObject({ exitCode });
    expectGivenBack(session);
  });

  test.each([
    ["SIGINT", 2],
    ["SIGTERM", 15],
    ["SIGHUP", 1],
  ])("gives it back after %s and is seen to end by it", async (name, signal) => {
    const session = new Session("wait");
    await session.shows("profile xterm.js");
    process.kill(session.pty.pid, name);
    expect(await session.end()).toMatchObject({ signal });
    expectGivenBack(session);
  });

  test.each([
    ["what it was asked at the start", "starting", "later" as const],
    ["whether it has read the rest", "profile xterm.js", "at once" as const],
  ])("keeps the keys until a slow terminal has said %s, so that the shell gets neither", async (_, shown, answers) => {
    // What comes after the program shows all that is left to be read; a ctrl+c that reached it would end it.
    const shell = `${process.execPath} "$0" "$1"; stty -icanon -echo min 0 time 3; echo "left: $(cat -v)."`;
    const session = new Session("wait", ["/bin/sh", "-c", shell]);
    session.answers = answers;
    await session.shows(shown);
    session.answers = "later";
    process.kill(await childOf(session.pty.pid), "SIGTERM");
    await session.seen(() => !session.emulator.modes().bracketedPasteMode && session.emulator.replies.length > 0);
    session.pty.write("\x03");
    session.answerNow();
    await session.shows("left:");
    expect(session.emulator.viewport().find((row) => row.includes("left:"))).toBe("left: .");
    await session.end();
  });

  test("draws the composer with its cursor, and follows a resize", async () => {
    const session = new Session("wait");
    await session.shows("profile xterm.js");
    session.emulator.resize(40, 8);
    session.pty.resize(40, 8);
    session.pty.write("x");
    await session.shows("typed x");
    expect(session.emulator.viewport()[1]).toMatch(/^▌ composer/);
    expect(session.emulator.cursor()).toEqual({ row: 1, column: 10 });
    session.pty.write("q");
    expect(await session.end()).toMatchObject({ exitCode: 0 });
    expectGivenBack(session);
  });

  test("gives it to the shell when stopped and takes it back when continued", async () => {
    const session = new Session("wait");
    await session.shows("profile xterm.js");
    session.pty.write("\x1a");
    await session.seen(() => session.emulator.modes().isCursorShown && !session.emulator.modes().bracketedPasteMode);
    expectGivenBack(session);
    await untilStopped(session.pty.pid);
    process.kill(session.pty.pid, "SIGCONT");
    await session.shows("▌ composer");
    session.pty.write("q");
    await session.end();
    expectGivenBack(session);
  });
});
