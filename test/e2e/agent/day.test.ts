// A day's work with the built-in agent in a real terminal, without a model: allow, deny with a reason, queue, stop, copy, switch,
// quit, continue. `npm run day` does the same with real agents. What Palaver itself leaves in the scrollback is counted.
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ownRows } from "../../../tools/real-agents/day.js";
import { PtySession } from "../pty-session.js";
import { palaver } from "../run-program.js";

const ALT_UP = "\x1b[1;3A";
const ALT_N = "\x1bn";
const ESCAPE = "\x1b";

test("a day's work leaves the conversation in the scrollback, one row per call, and can be continued", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "palaver-day-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const open = (...args: string[]) => {
    const env = { PALAVER_MODEL: "offline", XDG_STATE_HOME: join(folder, "state") };
    return new PtySession(process.execPath, [palaver, ...args], { columns: 100, rows: 30, cwd: folder, env });
  };
  const day = open();
  await day.shows("no model");
  day.type('write "hello" to a.txt\r');
  await day.answers("y");
  await day.shows(/● write a\.txt {2}\+1 −0 {2}allowed once/);

  day.type('replace "hello" with "bye" in a.txt\r');
  await day.shows(/-1 hello/);
  await day.answers("r");
  await day.shows("why not?");
  day.type("keep it\r");
  await day.shows(/✕ edit a\.txt {2}denied\nkeep it\n/);
  expect(readFileSync(join(folder, "a.txt"), "utf8")).toMatch(/^hello\n?$/);

  day.type("count to 1000\r");
  await day.shows("49 50");
  day.type("helo\r");
  await day.shows(/◌ helo/);
  day.type(ESCAPE);
  await day.shows(/ℹ stopped\n\n› helo\n/);
  day.type("\r");
  await day.shows("Hello!");

  day.type("/copy\r");
  await day.shows("copied");
  expect(ownRows(await day.text())).toEqual([
    expect.stringMatching(/^● write a\.txt {2}\+1 −0 {2}allowed once/),
    "✕ edit a.txt  denied",
    "ℹ stopped",
  ]);

  day.type(ALT_N);
  await day.shows("session 2");
  day.type("thanks\r");
  await day.shows("You are welcome.");
  day.type(ALT_UP);
  await day.shows(/session 1[\s\S]*Hello!/);
  day.type("/quit\r");
  expect(await day.ended).toBe(0);
  expect(await day.text()).toMatch(/resume: palaver --resume \S+/);

  const next = open("-c");
  await next.shows(/Hello!|You are welcome\./);
  next.type("/quit\r");
  expect(await next.ended).toBe(0);
});
