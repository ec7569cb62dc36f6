// A sharp slice of `npm run faults`: the built command under a real shell in a real pty, and what can end or hinder it.
// Afterwards the terminal is as it was, nobody is left behind, settled lines stand there once and in order, and what was
// written can be read. The rest of the matrix takes minutes and runs by hand.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tryFault } from "../../../tools/faults/faults.js";
import { verifies } from "../../verifies.js";
import { childOf, isRunning } from "../processes.js";
import { PtySession } from "../pty-session.js";
import { palaver, projectRoot } from "../run-program.js";

const agent = join(projectRoot, "tools/faults/faulty-agent.mjs");
const isLinux = process.platform === "linux";
const isRoot = process.getuid?.() === 0;
const WITHIN = { timeout: 20_000, interval: 50 };

// Everything is looked up in /proc: who is left behind, and whose they were. Most of each is waiting, so they wait together.
describe.skipIf(!isLinux).concurrent("all is in order after", { timeout: 60_000 }, () => {
  test.each([
    "run · starting · SIGKILL",
    "run · viewer · SIGKILL",
    "run-full · streaming · SIGKILL",
    "prompt · asking · SIGKILL",
    "attach · idle · SIGKILL",
  ])("%s", async (name) => {
    verifies("terminal.reset-after-kill");
    expect(await tryFault(name, { palaver, agent })).toEqual([]);
  });

  test("run · stubborn · SIGKILL, though the agent ends for nothing but a kill of its own", async () => {
    verifies("processes.none-left");
    expect(await tryFault("run · stubborn · SIGKILL", { palaver, agent })).toEqual([]);
  });

  test.each([
    "run · asking · SIGTERM",
    "run · editor · SIGTERM",
    "run · leaving · SIGHUP",
    "run · idle · stop+term",
    "run · asking · ctrl+z+term",
    "run-full · idle · SIGHUP",
    "run · streaming · vanish",
    "prompt · streaming · vanish",
    "prompt · from the start · EPIPE",
    "run · from the start · stdin closed",
  ])("%s", async (name) => {
    verifies("terminal.given-back");
    expect(await tryFault(name, { palaver, agent })).toEqual([]);
  });

  test.each(["run · streaming · stop+cont", "run · streaming · frozen", "run · from the start · few files (24)"])(
    "%s",
    async (name) => {
      expect(await tryFault(name, { palaver, agent })).toEqual([]);
    },
  );

  // Only root can cover a folder with a file system of its own.
  test.skipIf(!isRoot).each(["run · from the start · full disk", "run · from the start · read-only home"])(
    "%s",
    async (name) => {
      expect(await tryFault(name, { palaver, agent })).toEqual([]);
    },
  );
});

test("a home that cannot be written is no reason not to talk", async () => {
  const nowhere = "/dev/null/nowhere";
  const session = new PtySession(process.execPath, [palaver, "run", "--", process.execPath, agent], {
    env: { HOME: nowhere, XDG_STATE_HOME: nowhere, XDG_CONFIG_HOME: nowhere },
  });
  await session.shows("› message");
  session.type("hello\r");
  await session.shows("heard hello");
  session.type("/quit\r");
  expect(await session.ended).toBe(0);
});

test("an agent that is killed is said to be gone, and the conversation stays", async () => {
  const session = new PtySession(process.execPath, [palaver, "run", "--", process.execPath, agent]);
  await session.shows("› message");
  session.type("hello\r");
  await session.shows(/agent \d+ heard hello/);
  const agentPid = Number(/agent (\d+) heard/.exec(await session.text())?.[1]);
  expect(await childOf(session.pty.pid)).toBeGreaterThan(0);
  process.kill(agentPid, "SIGKILL");
  await expect.poll(() => isRunning(agentPid), WITHIN).toBe(false);
  await session.shows(/ended/);
  session.type("still here");
  await session.shows("still here");
});
