// Node 20 optimises a function soon after it is first used, on a thread beside ours. A program that draws a few frames a second
// spends more on that than it ever gets back: compiling took more than half of the processor time of its first 5,000 frames.
// Later versions have a cheap compiler in between and wait by themselves; they do not know the flag.
import { setFlagsFromString } from "node:v8";

const IMPATIENT_V8 = "11.";
/** Eight times what Node 20 does, in bytes of bytecode run: loops over megabytes still get there in a moment. */
const OPTIMIZE_LATE = "--interrupt-budget=528000";

export function patienceFor(v8Version: string): string | null {
  return v8Version.startsWith(IMPATIENT_V8) ? OPTIMIZE_LATE : null;
}

/** Lets only what is really hot be optimised, from here on. */
export function makeCompilerPatient(): void {
  const flag = patienceFor(process.versions.v8);
  if (flag !== null) setFlagsFromString(flag);
}
