// The branch one works on, for the status line: "main", or "main*" with changes. Git is asked beside everything else; however
// slow it is, nothing waits for it, and where there is no git there is no branch.
import { execFile } from "node:child_process";
import type { ScreenClock } from "../../screen/inline-screen.js";

/** Starting a program takes some milliseconds; the end of a turn, with all there is to draw, is not the moment for it. */
const CALM_MS = 250;
const LIMIT_MS = 3_000;
const OUTPUT_BYTES_MAX = 1024 * 1024;

export interface BranchWatch {
  /** Asks again, unless an answer is still awaited. */
  refresh(): void;
}

export function watchBranch(
  folder: string,
  clock: Pick<ScreenClock, "after">,
  onBranch: (branch: string | null) => void,
): BranchWatch {
  let isAsking = false;
  const ask = () => {
    const args = ["--no-optional-locks", "status", "--porcelain=v1", "--branch", "--untracked-files=no"];
    const options = { cwd: folder, timeout: LIMIT_MS, maxBuffer: OUTPUT_BYTES_MAX, windowsHide: true };
    const child = execFile("git", args, options, (error, stdout) => {
      isAsking = false;
      onBranch(error === null ? branchOf(stdout) : null);
    });
    child.unref();
  };
  return {
    refresh() {
      if (!isAsking) clock.after(CALM_MS, ask);
      isAsking = true;
    },
  };
}

/** `## main...origin/main [ahead 1]`, and a line for each change. */
export function branchOf(status: string): string | null {
  const [head = "", ...changes] = status.split("\n").filter(Boolean);
  const match = /^## (?:No commits yet on |HEAD \(no branch\)$)?(.*?)(?:\.\.\..*)?$/.exec(head);
  if (match === null) return null;
  const name = match[1] === "" ? "detached" : (match[1] ?? "");
  return changes.length > 0 ? `${name}*` : name;
}
