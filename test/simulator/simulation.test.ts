// A slice of the simulation with seeds that never change, and the proof that it would notice: sessions whose screen is
// broken on purpose must fail.
import { describe, expect, test } from "vitest";
import { generateScript } from "../rigs/simulator/generator.js";
import { profileName, replay, type ScriptFailure, scriptText, shrunk, simulate } from "../rigs/simulator/simulation.js";
import { verifies } from "../verifies.js";

const SLICE_TICKS = 600;
const SHRINK_TRIES_MAX = 300;

/** What a reader needs to see the failure again: what was wrong, and a script that shows it. */
function story(failure: ScriptFailure): string {
  const script = scriptText(shrunk(failure, SHRINK_TRIES_MAX));
  return `${replay(script).text}\n${script}`;
}

describe("random sessions", () => {
  test.each([
    ["xterm.js", 11],
    ["xterm.js", 12],
    ["generic", 13],
    ["kitty", 14],
    ["tmux", 15],
    ["xterm", 16],
  ])("keep every promise of the inline screen on %s", { timeout: 60_000 }, (name, seed) => {
    verifies("screen.settled-never-changes", "screen.exactly-once", "screen.idle-writes-nothing");
    const { failure, ticks } = simulate({ seed, ticks: SLICE_TICKS, profile: profileName(name) });
    expect(failure === undefined ? "passed" : story(failure)).toBe("passed");
    expect(ticks).toBe(SLICE_TICKS);
  });

  test("are the same for the same seed and others for another", () => {
    const script = (seed: number) => scriptText(generateScript({ seed, ticks: 60 }));
    expect(script(5)).toBe(script(5));
    expect(script(5)).not.toBe(script(6));
  });

  test("can be written down and played again", () => {
    const source = scriptText(generateScript({ seed: 21, ticks: 80 }));
    expect(replay(source)).toEqual({ result: "passed", text: "passed, 80 ticks" });
    expect(() => replay(`${source}{"do":"dance"}\n`)).toThrow("Line 82");
  });
});
