// Child processes that must not outlive us. Each leads a process group of its own and would not hear the terminal's
// signals, so whatever ends this program ends them; one listener does it for all, however many agents there are.
import type { ChildProcess } from "node:child_process";

const kept = new Set<ChildProcess>();

/** From now on the child ends with us; it is forgotten when it has ended by itself. */
export function keepWithUs(child: ChildProcess): void {
  if (child.pid === undefined) return;
  if (kept.size === 0) process.on("exit", endAll);
  kept.add(child);
  child.once("close", () => {
    kept.delete(child);
    if (kept.size === 0) process.off("exit", endAll);
  });
}

function endAll(): void {
  for (const child of kept) signalGroup(child, "SIGKILL");
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
