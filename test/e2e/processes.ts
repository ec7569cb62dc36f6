// Looks at processes from outside, as `ps` does.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect } from "vitest";

/** The first child of a process, as soon as it has one. */
export async function childOf(pid: number): Promise<number> {
  await expect.poll(() => childrenOf(pid).length, { timeout: 20_000 }).toBeGreaterThan(0);
  return childrenOf(pid)[0] ?? 0;
}

export function childrenOf(pid: number): number[] {
  return rows().flatMap((row) => (row.parent === pid && row.state !== "Z" ? [row.pid] : []));
}

/** A process that nobody has waited for yet is dead all the same. */
export function isRunning(pid: number): boolean {
  return rows().some((row) => row.pid === pid && row.state !== "Z");
}

type ProcessRow = { pid: number; parent: number; state: string };

function rows(): ProcessRow[] {
  return existsSync("/proc/self/stat") ? rowsOfProc() : rowsOfPs();
}

// "12 (a name) S 1 …": the name may hold anything, so that the fields are counted from behind its last parenthesis.
function rowsOfProc(): ProcessRow[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const [state = "", parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return [{ pid: Number(name), parent: Number(parent), state }];
    } catch {
      return [];
    }
  });
}

function rowsOfPs(): ProcessRow[] {
  const table = execFileSync("ps", ["-eo", "pid=,ppid=,stat="], { encoding: "utf8" });
  return table
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .map(([pid, parent, state = ""]) => ({ pid: Number(pid), parent: Number(parent), state: state.charAt(0) }));
}
