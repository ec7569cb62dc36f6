// Child processes that must not outlive us. Each leads a process group of its own and would not hear the terminal's
// signals, so whatever ends this program ends them; one listener does it for all, however many agents there are, and what no
// listener hears of is in the last will.
import type { ChildProcess } from "node:child_process";
import { type LastWill, writeLastWill } from "./child-reaper.js";

/** A child that leads a group goes with all of it; one that shares ours, such as an editor, goes alone and may tidy up. */
export type ChildKind = "group" | "single";

const kept = new Map<ChildProcess, ChildKind>();
let will: LastWill | null = null;

/** From now on the child ends with us; it is forgotten when it has ended by itself. */
export function keepWithUs(child: ChildProcess, kind: ChildKind = "group"): void {
  if (child.pid === undefined) return;
  const target = kind === "group" ? -child.pid : child.pid;
  if (kept.size === 0) process.on("exit", endAll);
  kept.set(child, kind);
  will ??= writeLastWill();
  will.add(target);
  child.once("close", () => {
    kept.delete(child);
    will?.remove(target);
    if (kept.size > 0) return;
    process.off("exit", endAll);
    will?.revoke();
    will = null;
  });
}

function endAll(): void {
  for (const [child, kind] of kept) {
    if (kind === "group") signalGroup(child, "SIGKILL");
    else child.kill("SIGTERM");
  }
  will?.revoke();
}

/** The group has the number of its first process. On Windows there are no groups, and the process itself must do. */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // Already gone.
  }
}
