// A slice of every fuzzer, the same inputs in every run. `node scripts/fuzz.mjs` looks at others, for as long as it is told to.
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fuzzTargets } from "../rigs/fuzz/all-targets.js";
import { readCorpus } from "../rigs/fuzz/corpus-files.js";
import { failureText, fuzz, inputOf } from "../rigs/fuzz/fuzz-run.js";
import type { FuzzTarget } from "../rigs/fuzz/fuzz-target.js";
import { verifies } from "../verifies.js";

const folder = join(import.meta.dirname, "corpus");
const seed = fc.readConfigureGlobal().seed ?? 1;

/**
 * Rounds, not seconds: a slow machine has to see what a fast one sees. Each fuzzer has an equal share of some three seconds,
 * measured on one core of the machine of docs/performance.md.
 */
const ROUNDS: Readonly<Record<string, number>> = {
  "lines-outputs": 70,
  "lines-commands": 140,
  rpc: 85,
  "lines-dialect": 230,
  acp: 90,
  claude: 165,
  pi: 225,
  codelia: 205,
  codex: 115,
  "bare-rpc": 630,
  sse: 155,
  http: 45,
  "terminal-input": 365,
  toml: 1500,
  diff: 6665,
  markdown: 20,
  command: 6665,
  recording: 135,
};
const ROUNDS_OF_A_NEW_ONE = 150;

// The seed stands in the name, so that also a run in which all went well says what it has looked at.
describe("a decoder", () => {
  test.each(fuzzTargets.map((target) => [target.name, target] as const))(
    `%s withstands whatever comes with seed ${seed}`,
    async (name, target) => {
      verifies("wires.bad-frame-is-a-fault", "wires.any-chunking");
      const rounds = ROUNDS[name] ?? ROUNDS_OF_A_NEW_ONE;
      const { failure } = await fuzz(target, readCorpus(folder, name), { seed, isOver: (round) => round >= rounds });
      if (failure !== null) expect.fail(failureText(failure));
    },
  );
});

describe("the fuzzer itself", () => {
  const fragile: FuzzTarget = {
    name: "fragile",
    shape: "json-lines",
    check(bytes) {
      const text = new TextDecoder().decode(bytes);
      if (text.includes("\\u0000") || text.includes("__proto__")) throw new Error("fell over");
    },
  };

  test("plays its corpus as it is before it damages it, and damages it the same way again", () => {
    const corpus = { inputs: [new TextEncoder().encode('{"a":1}\n')] };
    expect(inputOf(fragile, corpus, seed, 0)).toBe(corpus.inputs[0]);
    expect(inputOf(fragile, corpus, seed, 7)).toEqual(inputOf(fragile, corpus, seed, 7));
    expect(inputOf(fragile, corpus, seed, 7)).not.toEqual(inputOf(fragile, corpus, seed + 1, 7));
  });

  test("finds what a fragile decoder falls over, names the seed, and makes the input small", async () => {
    const inputs = [new TextEncoder().encode(`{"a":1,"b":[2,{"c":"d"}],"e":"${"f".repeat(500)}"}\n`)];
    const { failure } = await fuzz(fragile, { inputs }, { seed, isOver: (round) => round >= 3_000 });
    expect(failure).toMatchObject({ target: "fragile", seed, words: expect.stringContaining("fell over") });
    expect(failure?.input.length).toBeLessThanOrEqual(9);
    const again = await fuzz(fragile, { inputs }, { seed, isOver: (round) => round > (failure?.round ?? 0) });
    expect(again.failure?.input).toEqual(failure?.input);
  });
});
