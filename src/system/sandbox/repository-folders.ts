// The folders of git that a workspace needs to read when it is a part of a repository or a worktree of one. A worktree names
// its repository in a file that anybody could have written, so the repository has to name the worktree, too.
import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";

export function repositoryFolders(workspace: string): string[] {
  const top = topOf(workspace);
  if (top === null) return [];
  const git = join(top, ".git");
  const above = top === workspace ? [] : [top];
  return lstatSync(git).isFile() ? [...above, ...mainRepository(git)] : above;
}

function topOf(folder: string): string | null {
  if (lstatSync(join(folder, ".git"), { throwIfNoEntry: false }) !== undefined) return folder;
  return dirname(folder) === folder ? null : topOf(dirname(folder));
}

function mainRepository(pointer: string): string[] {
  try {
    const [, named = ""] = /^gitdir: (.+)$/m.exec(readFileSync(pointer, "utf8")) ?? [];
    const folder = realpathSync(isAbsolute(named) ? named : resolve(dirname(pointer), named));
    const worktrees = dirname(folder);
    const back = readFileSync(join(folder, "gitdir"), "utf8").trim();
    const isMutual = basename(worktrees) === "worktrees" && realpathSync(back) === realpathSync(pointer);
    return isMutual ? [dirname(worktrees)] : [];
  } catch {
    return [];
  }
}
