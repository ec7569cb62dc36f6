// The shrinker on failures that need no screen: what is left must still fail, and nothing in it may be superfluous.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Action, Script } from "../rigs/simulator/action.js";
import { generateScript } from "../rigs/simulator/generator.js";
import { shrink } from "../rigs/simulator/shrink.js";

const kinds = ({ actions }: Script): string[] => actions.map((action) => action.do);
const has = (script: Script, ...wanted: Action["do"][]): boolean => {
  let from = 0;
  return wanted.every((kind) => {
    from = kinds(script).indexOf(kind, from) + 1;
    return from > 0;
  });
};

describe("a failing script", () => {
  test("is cut down to the actions that matter, in their order", () => {
    const script = generateScript({ seed: 3, ticks: 300 });
    const fails = (candidate: Script) => has(candidate, "keys", "say", "keys");
    expect(fails(script)).toBe(true);
    expect(kinds(shrink(script, { fails, triesMax: 5000 }))).toEqual(["keys", "say", "keys"]);
  });

  test("keeps only the part of a text that matters", () => {
    const script: Script = {
      session: { profile: "tmux", columns: 91, rows: 17, shell: ["one", "two"], prompt: "%", end: "abrupt" },
      actions: [
        { do: "burst", text: `a\nb\n${"words ".repeat(40)}漢 and more\nc` },
        { do: "frame", urgency: "now" },
      ],
    };
    const fails = ({ actions }: Script) =>
      actions.some((action) => action.do === "burst" && action.text.includes("漢"));
    expect(shrink(script, { fails, triesMax: 2000 })).toEqual({
      session: { profile: "xterm.js", columns: 80, rows: 24, shell: [], prompt: "", end: "orderly" },
      actions: [{ do: "burst", text: "漢" }],
    });
  });

  test("still fails after any number of tries, and never grows", () => {
    const property = fc.property(
      fc.integer({ min: 1, max: 1000 }),
      fc.integer({ min: 0, max: 200 }),
      (seed, triesMax) => {
        const script = generateScript({ seed, ticks: 60 });
        const fails = (candidate: Script) => kinds(candidate).filter((kind) => kind === "say").length >= 3;
        if (!fails(script)) return;
        const smaller = shrink(script, { fails, triesMax });
        expect(fails(smaller)).toBe(true);
        expect(JSON.stringify(smaller).length).toBeLessThanOrEqual(JSON.stringify(script).length);
      },
    );
    fc.assert(property, { numRuns: 30 });
  });

  test("stays as it is when nothing of it can go", () => {
    const script: Script = {
      session: { profile: "xterm.js", columns: 80, rows: 24, shell: [], prompt: "", end: "orderly" },
      actions: [{ do: "clear" }],
    };
    expect(shrink(script, { fails: (candidate) => candidate.actions.length === 1, triesMax: 100 })).toEqual(script);
  });
});
