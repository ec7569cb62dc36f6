// Finds every process that a run started, however far it has wandered: a variable in the environment marks them, and
// children inherit it whoever their parent is now. Works where /proc does.
import { readdirSync, readFileSync } from "node:fs";

export const MARK_VARIABLE = "PALAVER_REAL_AGENTS_RUN";

export type MarkedProcess = { readonly pid: number; readonly command: string };

export function markedProcesses(mark: string): MarkedProcess[] {
  const wanted = `${MARK_VARIABLE}=${mark}`;
  return readdirSync("/proc").flatMap((name): MarkedProcess[] => {
    if (!/^\d+$/.test(name)) return [];
    try {
      if (!readFileSync(`/proc/${name}/environ`, "utf8").split("\0").includes(wanted)) return [];
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").trim();
      return command === "" ? [] : [{ pid: Number(name), command }];
    } catch {
      // It ended while we looked, or belongs to somebody else.
      return [];
    }
  });
}
