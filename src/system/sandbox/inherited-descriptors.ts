// Files that were open when this process was started and that its children would inherit: a shell script may hold a lock, a
// log or a folder open. Node closes its own files in a child, and not these.
import { readdirSync, readFileSync } from "node:fs";
import { SandboxError } from "./sandbox-error.js";

const CLOSED_ON_EXEC = 0o2000000;
const DESCRIPTORS_MAX = 65_536;

/** What each number from 3 on is for a child. Throws a SandboxError for numbers that are too high to list. */
export function inheritedDescriptors(): ("none" | "inherited")[] {
  const inherited = new Set(openNumbers().filter((number) => number > 2 && isInherited(number)));
  const highest = Math.max(2, ...inherited);
  if (highest > DESCRIPTORS_MAX) throw new SandboxError(`descriptor ${highest} is open and would be inherited`);
  return Array.from({ length: highest - 2 }, (_, at) => (inherited.has(at + 3) ? "inherited" : "none"));
}

function openNumbers(): number[] {
  return readdirSync("/proc/self/fdinfo").map(Number);
}

function isInherited(number: number): boolean {
  try {
    const [, flags = "0"] = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${number}`, "utf8")) ?? [];
    return (Number.parseInt(flags, 8) & CLOSED_ON_EXEC) === 0;
  } catch {
    // The one that the list was read from.
    return false;
  }
}
