// The inputs that fuzzers begin with: one folder per target, one file per input.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Corpus } from "./fuzz-target.js";

export function readCorpus(folder: string, target: string): Corpus {
  const own = join(folder, target);
  const inputs = readdirSync(own)
    .sort()
    .map((name) => new Uint8Array(readFileSync(join(own, name))));
  if (inputs.length === 0) throw new Error(`There is nothing to begin with in ${own}.`);
  return { inputs };
}
