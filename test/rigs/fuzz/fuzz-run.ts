// Runs one fuzzer: every input follows from the seed and its number, so that a failure can be seen again from the two.
import { SeededRandom } from "../simulator/seeded-random.js";
import { anyBytes, mutateBytes } from "./byte-mutation.js";
import type { Corpus, FuzzTarget } from "./fuzz-target.js";
import { mutateJsonLines } from "./json-mutation.js";
import { shrinkBytes } from "./shrink-bytes.js";

export interface FuzzFailure {
  readonly target: string;
  readonly seed: number;
  readonly round: number;
  readonly words: string;
  readonly input: Uint8Array;
}

interface FuzzOptions {
  readonly seed: number;
  /** Asked before every round; the rounds before this one are done. */
  isOver(round: number): boolean;
}

export async function fuzz(
  target: FuzzTarget,
  corpus: Corpus,
  options: FuzzOptions,
): Promise<{ rounds: number; failure: FuzzFailure | null }> {
  for (let round = 0; ; round++) {
    if (options.isOver(round)) return { rounds: round, failure: null };
    const input = inputOf(target, corpus, options.seed, round);
    const words = await failureOf(target, input);
    if (words === null) continue;
    const small = await shrinkBytes(input, words, (bytes) => failureOf(target, bytes));
    const failure = { target: target.name, seed: options.seed, round, input: small };
    return { rounds: round + 1, failure: { ...failure, words: (await failureOf(target, small)) ?? words } };
  }
}

export function failureText({ target, seed, round, words, input }: FuzzFailure): string {
  const text = new TextDecoder().decode(input);
  return [
    `${target}: seed ${seed}, round ${round}: ${words}`,
    `input, ${input.length} bytes: ${JSON.stringify(text.slice(0, 4_000))}`,
    `base64: ${Buffer.from(input).toString("base64").slice(0, 8_000)}`,
  ].join("\n");
}

// The first rounds play the corpus as it is, so that a corpus that is broken by itself is noticed.
export function inputOf(target: FuzzTarget, { inputs }: Corpus, seed: number, round: number): Uint8Array {
  const own = inputs[round];
  if (own !== undefined) return own;
  const random = new SeededRandom(Math.imul(seed, 0x01000193) ^ Math.imul(round + 1, 0x85ebca6b));
  if (random.chance(0.05)) return anyBytes(random);
  const from = random.pick(inputs);
  if (target.shape === "text" || random.chance(0.35)) return mutateBytes(from, inputs, random);
  const donors = linesOf(random.pick(inputs));
  return new TextEncoder().encode(mutateJsonLines(new TextDecoder().decode(from), donors, random));
}

async function failureOf(target: FuzzTarget, input: Uint8Array): Promise<string | null> {
  try {
    await target.check(input);
    return null;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

function linesOf(input: Uint8Array): string[] {
  const lines = new TextDecoder().decode(input).split("\n");
  return ["{}", ...lines.filter((line) => line !== "")];
}
