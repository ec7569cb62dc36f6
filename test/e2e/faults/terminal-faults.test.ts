// The terminal UI under a real shell in a real pty, and everything that can end or hinder it: signals in every phase, a
// terminal that is gone, folders that cannot be written, no file left to open. Afterwards the shell has a terminal that works
// and no process is left behind.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { verifies } from "../../verifies.js";
import { childOf, isRunning } from "../processes.js";
import { PtySession } from "../pty-session.js";
import { palaver, projectRoot } from "../run-program.js";

const agent = join(projectRoot, "test/e2e/faults/faulty-agent.mjs");
const WITHIN = { timeout: 20_000, interval: 50 };

type Phase = "starting" | "streaming" | "asking" | "viewer" | "full screen";

interface Running {
  readonly session: PtySession;
  readonly pid: number;
  /** Null when it has not said anything yet. */
  readonly agentPid: number | null;
}

async function shell(env: Record<string, string> = {}): Promise<PtySession> {
  const session = new PtySession("/bin/bash", ["--norc", "--noprofile"], { env });
  session.type("PS1='$ '; echo be''gun\r");
  await session.shows("begun\n");
  return session;
}

async function inPhase(phase: Phase): Promise<Running> {
  const session = await shell();
  const screen = phase === "full screen" ? "--screen full " : "";
  session.type(`${process.execPath} ${palaver} run ${screen}-- ${process.execPath} ${agent}\r`);
  const pid = await childOf(session.pty.pid);
  await expect.poll(() => session.screen(), WITHIN).toContain("›");
  if (phase === "starting") return { session, pid, agentPid: null };
  session.type(phase === "asking" ? "ask\r" : "stream\r");
  await expect.poll(() => session.screen(), WITHIN).toMatch(phase === "asking" ? /▌ ❯/ : /line \d+/);
  const agentPid = Number(/agent (\d+) heard/.exec(`${await session.text()}\n${await session.screen()}`)?.[1]);
  if (phase === "viewer") {
    session.type("\x0f");
    await expect.poll(() => session.emulator.screen(), WITHIN).toBe("alternate");
  }
  return { session, pid, agentPid };
}

async function expectInOrder(session: PtySession): Promise<void> {
  await expect
    .poll(() => ({ ...session.emulator.modes(), screen: session.emulator.screen() }), WITHIN)
    .toMatchObject({ wraparoundMode: true, isCursorShown: true, mouseTrackingMode: "none", screen: "normal" });
  session.type("stty -a | tr ' ;' '\\n\\n' | grep -xc -e icanon -e echo -e isig -e icrnl -e opost; echo che''cked\r");
  await session.shows(/^5\nchecked$/m);
  expect(session.emulator.modes()).toMatchObject({ sendFocusMode: false, synchronizedOutputMode: false });
}

async function expectGone({ pid, agentPid }: Running): Promise<void> {
  await expect.poll(() => isRunning(pid), WITHIN).toBe(false);
  if (agentPid !== null) await expect.poll(() => isRunning(agentPid), WITHIN).toBe(false);
}

describe("a signal", () => {
  test.each<[NodeJS.Signals, Phase]>([
    ["SIGKILL", "starting"],
    ["SIGKILL", "streaming"],
    ["SIGKILL", "viewer"],
    ["SIGKILL", "full screen"],
    ["SIGTERM", "starting"],
    ["SIGTERM", "asking"],
    ["SIGTERM", "viewer"],
    ["SIGHUP", "streaming"],
    ["SIGHUP", "full screen"],
  ])("%s while %s leaves a terminal that works and no process behind", async (signal, phase) => {
    if (signal === "SIGKILL") verifies("safety.terminal-after-kill");
    else verifies("safety.terminal-given-back");
    const running = await inPhase(phase);
    process.kill(running.pid, signal);
    await expectGone(running);
    await expectInOrder(running.session);
  });

  test("SIGSTOP from outside and SIGCONT lose nothing: it goes on where it was", async () => {
    const { session, pid } = await inPhase("streaming");
    process.kill(pid, "SIGSTOP");
    session.type("typed meanwhile");
    process.kill(pid, "SIGCONT");
    await session.shows("› typed meanwhile");
    session.type("\x03\x03");
    await expect.poll(() => isRunning(pid), WITHIN).toBe(false);
    await expectInOrder(session);
  });
});

test("a terminal that vanishes takes the program and its agent with it", async () => {
  verifies("safety.terminal-given-back");
  const running = await inPhase("streaming");
  running.session.pty.kill("SIGHUP");
  await expectGone(running);
});

test("a reader of its output that leaves ends a prompt and its agent", async () => {
  const session = await shell();
  session.type(
    `${process.execPath} ${palaver} prompt stream -- ${process.execPath} ${agent} | head -n 2; echo "piped \${PIPESTATUS[0]}"\r`,
  );
  await session.shows(/piped \d+/);
  const agentPid = Number(/agent (\d+) heard/.exec(await session.text())?.[1]);
  await expect.poll(() => isRunning(agentPid), WITHIN).toBe(false);
  await expectInOrder(session);
});

test("a home that cannot be written is no reason not to talk", async () => {
  const nowhere = "/dev/null/nowhere";
  const session = await shell({ HOME: nowhere, XDG_STATE_HOME: nowhere, XDG_CONFIG_HOME: nowhere });
  session.type(`${process.execPath} ${palaver} run -- ${process.execPath} ${agent}\r`);
  await session.shows("› message");
  session.type("hello\r");
  await session.shows("heard hello");
  session.type("/quit\r");
  await expectInOrder(session);
});

test("no file left to open is said in words, or does not matter, and never hangs", async () => {
  const session = await shell();
  session.type(`(ulimit -n 26; ${process.execPath} ${palaver} run -- ${process.execPath} ${agent}; echo "ended $?")\r`);
  await expect.poll(() => session.screen(), WITHIN).toMatch(/ended \d+|›/);
  session.type("\x03\x03/quit\r");
  await session.shows(/ended \d+/);
  await expectInOrder(session);
});
