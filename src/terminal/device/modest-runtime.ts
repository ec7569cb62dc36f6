// Node 20 optimises a function soon after it is first used, on a thread beside ours. A program that draws a few frames a second
// spends more on that than it ever gets back: compiling took more than half of the processor time of its first 5,000 frames.
// Later versions have a cheap compiler in between and wait by themselves; they do not know the flag.
import { setFlagsFromString } from "node:v8";

const EAGER_V8 = "11.";
const MODEST: readonly string[] = [
  // Eight times what Node 20 does, in bytes of bytecode run: loops over megabytes still get there in a moment.
  "--interrupt-budget=528000",
  // What is not optimised leaves more behind, but all of it is gone with the next frame: no need for more room.
  "--semi-space-growth-factor=1",
];

export function runtimeFlagsFor(v8Version: string): readonly string[] {
  return v8Version.startsWith(EAGER_V8) ? MODEST : [];
}

/** Lets only what is really hot be optimised, from here on. */
export function makeRuntimeModest(): void {
  for (const flag of runtimeFlagsFor(process.versions.v8)) setFlagsFromString(flag);
}
