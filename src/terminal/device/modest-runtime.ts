// Node 20 compiles hot functions early, on another thread. For a program that draws a few frames a second this took
// more than half of the processor time of the first 5,000 frames. Later versions wait by themselves and do not have the
// flag.
import { setFlagsFromString } from "node:v8";

const EAGER_V8 = "11.";
const MODEST: readonly string[] = [
  // Eight times the default of Node 20, in bytes of bytecode.
  "--interrupt-budget=528000",
  // Unoptimised code allocates more, but all of it is garbage by the next frame.
  "--semi-space-growth-factor=1",
];

export function runtimeFlagsFor(v8Version: string): readonly string[] {
  return v8Version.startsWith(EAGER_V8) ? MODEST : [];
}

export function makeRuntimeModest(): void {
  for (const flag of runtimeFlagsFor(process.versions.v8)) setFlagsFromString(flag);
}
