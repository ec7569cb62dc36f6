// An agent that talks and talks behind a dialog: what it says is held up to a bound, then the agent itself is held back in its
// pipe, and in the end every word is there, once and in order.
import { existsSync } from "node:fs";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { HELD_UNITS_MAX } from "../../../src/session/prompt-mode.js";
import { childOf } from "../processes.js";
import { play, scriptedAgent, Workplace } from "./prompt-terminal.js";

const place = new Workplace();
afterEach(() => place.endAll());
afterAll(() => place.remove());

const LINE_CHARS = 1_024;
const LINES = 6 * (HELD_UNITS_MAX / LINE_CHARS);

async function flooding(name: string) {
  const tally = place.path(`${name}-tally`);
  const asked = { ask: "input", params: { title: "Go on?" }, meanwhile: LINES, chars: LINE_CHARS, tally };
  const prompt = play({ say: "before" }, asked, { say: "after" });
  const agent = `"${process.execPath}" "${scriptedAgent}"`;
  const terminal = place.shell(`palaver prompt '${prompt}' -- ${agent} > ${name}-out; echo "code $?"`);
  await terminal.dialog("┌ Go on?");
  const counted = () => (existsSync(tally) ? Number(place.read(`${name}-tally`)) : 0);
  // Standing still is seen by looking twice.
  let before = -1;
  const stands = () => {
    const [last, now] = [before, counted()];
    before = now;
    return now > 0 && now === last;
  };
  await expect.poll(stands, { timeout: 20_000, interval: 300 }).toBe(true);
  const said = () =>
    place
      .read(`${name}-out`)
      .split("\n")
      .filter((line) => line !== "");
  return { terminal, counted, said };
}

const lines = (count: number) =>
  Array.from({ length: count }, (_, index) => `meanwhile ${index + 1}`.padEnd(LINE_CHARS, "."));

describe("an agent that floods behind a dialog", () => {
  test("is held back, and nothing is lost or mixed when it goes on", async () => {
    const { terminal, counted, said } = await flooding("goes-on");
    expect(counted() * LINE_CHARS).toBeGreaterThan(HELD_UNITS_MAX / 2);
    expect(counted() * LINE_CHARS).toBeLessThan(2 * HELD_UNITS_MAX);
    expect(said()).toEqual(["before"]);
    terminal.type("yes\r");
    await terminal.shows("code 0");
    expect(said()).toEqual(["before", ...lines(LINES), 'answer "yes"', "after"]);
    await terminal.expectGivenBack();
  });

  test("and is killed while it is held back: the dialog closes, and what it had said is all there", async () => {
    const { terminal, counted, said } = await flooding("killed");
    const palaverPid = await childOf(terminal.pty.pid);
    process.kill(await childOf(palaverPid), "SIGKILL");
    await terminal.shows("code 1");
    const [first, ...rest] = said();
    expect(first).toBe("before");
    expect(rest.length).toBeGreaterThanOrEqual(counted());
    expect(rest).toEqual(lines(rest.length));
    await terminal.expectGivenBack();
  });
});
