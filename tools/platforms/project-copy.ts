// A copy of the project as a newcomer would have it: no packages, nothing built, but a git repository, for the tests ask git which
// files there are. A link to our own packages would not do: they may have been installed for another Node.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";

const LEFT_OUT: ReadonlySet<string> = new Set(["node_modules", ".git", ".cache"]);

export function copyProject(root: string): string {
  const copy = mkdtempSync(join(tmpdir(), "palaver-platform-"));
  cpSync(root, copy, { recursive: true, filter: (source) => isWanted(relative(root, source)) });
  spawnSync("git", ["init", "-q"], { cwd: copy });
  return copy;
}

// "dist-…" is what a build writes to before it is done, and may be gone the next moment.
function isWanted(path: string): boolean {
  const name = basename(path);
  return !LEFT_OUT.has(name) && !/^dist(?:-|$)/.test(path);
}
