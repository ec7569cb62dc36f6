// The full screen and the reader in real processes on real ptys: what is seen, and what is left when they end.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { childOf } from "../processes.js";
import { PtySession } from "../pty-session.js";

const folder = mkdtempSync(join(tmpdir(), "palaver-faces-"));
const programs = { full: join(folder, "full-program.mjs"), reader: join(folder, "reader-program.mjs") };

beforeAll(async () => {
  await build({
    entryPoints: ["full-program.ts", "reader-program.ts"].map((name) => new URL(name, import.meta.url).pathname),
    outdir: folder,
    bundle: true,
    platform: "node",
    format: "esm",
    outExtension: { ".js": ".mjs" },
    banner: { js: "import { createRequire as from } from 'node:module'; const require = from(import.meta.url);" },
    logLevel: "error",
  });
});

afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

function opened(command: string, args: string[], term = "xterm-256color"): PtySession {
  return new PtySession(command, args, { columns: 80, rows: 12, env: { TERM: term, XDG_STATE_HOME: folder } });
}

const numbered = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`).join("\n");

async function onFullScreen(): Promise<PtySession> {
  const session = opened(process.execPath, [programs.full]);
  await session.shows("line 20");
  expect(session.emulator.screen()).toBe("alternate");
  expect(session.emulator.modes()).toMatchObject({ mouseTrackingMode: "vt200" });
  return session;
}

async function expectLeft(session: PtySession): Promise<void> {
  expect(await session.text()).toContain(`${numbered}\n`);
  expect(session.emulator.screen()).toBe("normal");
  const inOrder = { mouseTrackingMode: "none", isCursorShown: true, wraparoundMode: true, bracketedPasteMode: false };
  expect(session.emulator.modes()).toMatchObject(inOrder);
}

describe("the full screen", () => {
  test.each([
    ["it exits", "q", 0],
    ["it crashes", "x", 1],
  ])("leaves all its lines in the scrollback when %s", async (_, key, code) => {
    const session = await onFullScreen();
    session.pty.write(key);
    expect(await session.ended).toBe(code);
    await expectLeft(session);
  });

  test("leaves all its lines in the scrollback when it is terminated", async () => {
    const session = await onFullScreen();
    process.kill(session.pty.pid, "SIGTERM");
    await session.ended;
    await expectLeft(session);
  });

  test("scrolls by the wheel of a real mouse report, and goes over to the inline screen and back to the shell", async () => {
    const session = await onFullScreen();
    session.pty.write("\x1b[<64;5;5M");
    await session.shows("lines below · end: follow");
    session.pty.write("i");
    await expect.poll(() => session.emulator.screen(), { timeout: 25_000 }).toBe("normal");
    await session.shows(`${numbered}\n▌ composer`);
    session.pty.write("q");
    expect(await session.ended).toBe(0);
    await expectLeft(session);
  });

  test("after ctrl+z the shell has its screen, after fg the full screen is there again, after kill -9 all is in order", async () => {
    const session = opened("/bin/bash", ["--norc", "--noprofile"]);
    session.pty.write(`PS1='$ '; ${process.execPath} ${programs.full}\r`);
    await session.shows("line 20");
    await expect.poll(() => session.emulator.screen(), { timeout: 25_000 }).toBe("alternate");
    session.pty.write("\x1a");
    await session.shows("Stopped");
    expect(session.emulator.screen()).toBe("normal");
    expect(await session.text()).toContain(numbered);
    session.pty.write("fg\r");
    await expect.poll(() => session.emulator.screen(), { timeout: 25_000 }).toBe("alternate");
    await session.shows("▌ composer");
    process.kill(await childOf(session.pty.pid), "SIGKILL");
    await expect.poll(() => session.emulator.screen(), { timeout: 25_000 }).toBe("normal");
    // What the shell said of it may have gone with the other screen; that it listens is what counts.
    session.pty.write("echo he''re\r");
    await session.shows("here");
    expect(session.emulator.modes()).toMatchObject({ mouseTrackingMode: "none" });
  });
});

describe("the reader", () => {
  test("a conversation on a terminal that can only append: not one escape sequence", async () => {
    const session = opened(process.execPath, [programs.reader], "dumb");
    await session.shows("Ready.");
    session.pty.write("is it good?\r");
    await session.shows("Question: Delete it?");
    // Enter says the question again, as soon as anybody can have heard it; before that it does nothing at all.
    await expect
      .poll(
        async () => {
          session.pty.write("\r");
          return (await session.text()).split("Question: Delete it?").length;
        },
        { timeout: 10_000, interval: 1_500 },
      )
      .toBeGreaterThan(2);
    session.pty.write("2");
    await session.shows("Answer: 2");
    // An Enter right behind the number would be taken for a paste.
    const entered = async () => {
      session.pty.write("\r");
      return session.text();
    };
    await expect.poll(entered, { timeout: 10_000, interval: 200 }).toContain("Done.");
    session.pty.write("\x04");
    expect(await session.ended).toBe(0);
    expect(session.bytes).not.toContain("\x1b");
    expect(await session.text()).toMatch(
      /^Starting agent\.\nReady\. .*\nYou: is it good\?\nAgent: I look at it\.\nIt is fine\.\nQuestion: Delete it\?/,
    );
  });

  test("gives the keyboard back on ctrl+z and after kill -9, and takes it again", async () => {
    const session = opened("/bin/bash", ["--norc", "--noprofile"]);
    session.pty.write(`PS1='$ '; ${process.execPath} ${programs.reader}\r`);
    await session.shows("Ready.");
    session.pty.write("half");
    await session.shows("You: half");
    session.pty.write("\x1a");
    await session.shows("Stopped");
    session.pty.write("stty -a | grep -o -w -e '-\\?icanon' ; fg\r");
    await session.shows("\nicanon");
    await expect.poll(async () => (await session.text()).split("You: half").length, { timeout: 25_000 }).toBe(3);
    process.kill(await childOf(session.pty.pid), "SIGKILL");
    await session.shows("Killed");
    session.pty.write("stty -a | grep -o -w -e '-\\?echo'; echo checked\r");
    await session.shows("\necho\nchecked");
  });
});
