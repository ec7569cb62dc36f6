// The git folders that a workspace must be able to read when it is part of a repository, a worktree or a submodule. Worktrees
// and submodules name their repository in a file that any program could have written, so the repository must name them too.
import { lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { gitSettings } from "../../session/sandbox/git-config.js";
import { SandboxError } from "./sandbox-error.js";

export type Repository = {
  /** Where its files begin; the workspace itself, when there is no repository. */
  readonly top: string;
  /** Where its settings are. */
  readonly folders: readonly string[];
  /** What of it lies outside the workspace and may be read. */
  readonly outside: readonly string[];
};

const FILE_BYTES_MAX = 1_024 * 1_024;

export function repositoryOf(workspace: string): Repository {
  const top = topOf(workspace);
  if (top === null) return { top: workspace, folders: [], outside: [] };
  const git = join(top, ".git");
  const above = top === workspace ? [] : [top];
  if (!lstatSync(git).isFile()) return { top, folders: [git], outside: above };
  const { folders, outside } = namedIn(git);
  return { top, folders, outside: [...above, ...outside] };
}

/** Of a file of git; undefined when there is none. Throws a SandboxError for what cannot be read. */
export function textOf(file: string): string | undefined {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    if (found.isFile() && found.size <= FILE_BYTES_MAX) return readFileSync(file, "utf8");
  } catch (error) {
    // A file in the place of a folder on the way to it: git does not find it either.
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
  }
  throw new SandboxError(`${file}, which git reads, cannot be read`);
}

function topOf(folder: string): string | null {
  if (lstatSync(join(folder, ".git"), { throwIfNoEntry: false }) !== undefined) return folder;
  return dirname(folder) === folder ? null : topOf(dirname(folder));
}

function namedIn(pointer: string): Pick<Repository, "folders" | "outside"> {
  const [, named = ""] = /^gitdir: (.+)$/m.exec(textOf(pointer) ?? "") ?? [];
  const folder = realOf(resolve(dirname(pointer), named));
  if (folder === null) return { folders: [], outside: [] };
  if (basename(dirname(folder)) === "worktrees") {
    const main = dirname(dirname(folder));
    const back = resolve(folder, (textOf(join(folder, "gitdir")) ?? "").trim());
    return { folders: [folder, main], outside: realOf(back) === realOf(pointer) ? [main] : [] };
  }
  const [setting] = gitSettings(textOf(join(folder, "config")) ?? "", ["worktree"]);
  const back = setting === undefined ? null : realOf(resolve(folder, setting.value));
  return { folders: [folder], outside: back === realOf(dirname(pointer)) ? [folder] : [] };
}

function realOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
