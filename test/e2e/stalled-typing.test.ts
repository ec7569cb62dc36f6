// A process that is busy reads no keys. When it is done, its timers are due before its input is read, so what was typed
// meanwhile must not have been silence.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ANSWER_HOLD_MS } from "../../src/contract/limits.js";
import { home, PtySession } from "./pty-session.js";
import { palaver, projectRoot } from "./run-program.js";

test.skipIf(process.platform === "win32")("what is typed while Palaver is busy answers nothing", async () => {
  const folder = mkdtempSync(join(tmpdir(), "palaver-stall-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const until = join(folder, "done");
  const agent = join(projectRoot, "examples", "showcase", "agent.mjs");
  const stall = join(import.meta.dirname, "stall-on-signal.mjs");
  const args = ["--import", stall, palaver, "run", "--", process.execPath, agent];
  const env = { SHOWCASE_PACE_MS: "1", STALL_UNTIL: until };
  const session = new PtySession(process.execPath, args, { columns: 90, rows: 40, cwd: home, env });
  await session.shows("showcase:script-1");
  session.type("fix the failing test\r");
  await session.shows("up/down, enter");
  session.type("y");
  await session.shows("any other key takes it back");
  const heldAtMs = performance.now();
  process.kill(session.pty.pid, "SIGUSR2");
  await expect.poll(() => existsSync(`${until}.begun`), { timeout: 20_000, interval: 10 }).toBe(true);
  session.type("es, the files");
  await expect.poll(() => performance.now() - heldAtMs, { timeout: 5_000 }).toBeGreaterThan(ANSWER_HOLD_MS);
  writeFileSync(until, "");
  await session.shows("› yes, the files");
  await session.shows("ctrl+x to answer");
  expect(await session.text()).not.toContain("All 212 tests pass.");
});
