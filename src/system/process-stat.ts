// Reads the state of a process where the system has it in a file: whether it runs, its parent, its group, and its start time,
// which tells it from a later process with the same id.
import { readFileSync } from "node:fs";

export type ProcessStat = {
  /** "ended": it has exited and was not collected yet. */
  readonly state: "runs" | "ended";
  readonly parentId: number;
  readonly groupId: number;
  /** In the system's own count; the same for the same process only. */
  readonly startedAt: string;
};

/** Null where there is no such process, or no such file. */
export function processStat(pid: number | string): ProcessStat | null {
  try {
    // "12 (a name) S 1 34 …": the name may hold anything, so fields are counted from behind its last parenthesis.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state = "", parentId, groupId, ...others] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const startedAt = others[STARTED_AT - GROUP_ID - 1] ?? "";
    const runs = state === "Z" || state === "X" ? "ended" : "runs";
    return { state: runs, parentId: Number(parentId), groupId: Number(groupId), startedAt };
  } catch {
    return null;
  }
}

/** Places in the line, as the manual counts them. */
const GROUP_ID = 5;
const STARTED_AT = 22;
