// A process that is stopped reads no keys, and wakes with its timers due before its input is read. What was typed meanwhile
// must not have been silence.
import { join } from "node:path";
import { expect, test } from "vitest";
import { ANSWER_HOLD_MS } from "../../src/contract/limits.js";
import { home, PtySession } from "./pty-session.js";
import { palaver, projectRoot } from "./run-program.js";

test.skipIf(process.platform === "win32")("what is typed while Palaver is stopped answers nothing", async () => {
  const agent = join(projectRoot, "examples", "showcase", "agent.mjs");
  const args = [palaver, "run", "--", process.execPath, agent];
  const env = { SHOWCASE_PACE_MS: "1" };
  const session = new PtySession(process.execPath, args, { columns: 90, rows: 40, cwd: home, env });
  await session.shows("showcase:script-1");
  session.type("fix the failing test\r");
  await session.shows("up/down, enter");
  session.type("1");
  await session.shows("any other key takes it back");
  const stoppedAtMs = performance.now();
  process.kill(session.pty.pid, "SIGSTOP");
  session.type("0 files");
  await expect.poll(() => performance.now() - stoppedAtMs, { timeout: 5_000 }).toBeGreaterThan(ANSWER_HOLD_MS);
  process.kill(session.pty.pid, "SIGCONT");
  await session.shows("› 10 files");
  await session.shows("ctrl+x to answer");
  expect(await session.text()).not.toContain("All 212 tests pass.");
});
