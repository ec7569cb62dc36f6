// What git's settings name besides themselves: folders of hooks, and more files of settings. Git reads them for every command
// a person gives it, so those in a workspace are guarded like .git. All files that git would read are read here, too.
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { gitSettings } from "../../session/sandbox/git-config.js";
import type { Variables } from "../../session/sandbox/sandbox-environment.js";
import { repositoryOf, textOf } from "./repository-folders.js";
import { SandboxError } from "./sandbox-error.js";

const FILES_MAX = 100;

export type GitPaths = {
  /** Folders of the repository, and of hooks. */
  readonly folders: readonly string[];
  /** Files that settings are read from because others say so. */
  readonly files: readonly string[];
};

/** Absolute paths, also of what does not exist. Throws a SandboxError where the settings cannot be read. */
export function gitPathsOf(workspace: string, environment: Variables): GitPaths {
  const { top, folders } = repositoryOf(workspace);
  const home = environment["HOME"] || homedir();
  const files = [
    ...folders.flatMap((folder) => [join(folder, "config"), join(folder, "config.worktree")]),
    environment["GIT_CONFIG_GLOBAL"] || join(home, ".gitconfig"),
    join(environment["XDG_CONFIG_HOME"] || join(home, ".config"), "git", "config"),
    environment["GIT_CONFIG_SYSTEM"] || "/etc/gitconfig",
  ];
  const first = files.length;
  const hooks: string[] = [];
  for (let at = 0; at < files.length; at += 1) {
    if (at === FILES_MAX) throw new SandboxError(`git's settings name more than ${FILES_MAX} files`);
    const file = files[at] ?? "";
    for (const { key, value } of gitSettings(textOf(file) ?? "", ["hookspath", "path"])) {
      const path = value.replace(/^:\(optional\)/, "").replace(/^~(?=\/|$)/, () => home);
      const named = resolve(key === "path" ? dirname(file) : top, path);
      if (value === "") continue;
      if (key === "hookspath") hooks.push(named);
      else if (!files.includes(named)) files.push(named);
    }
  }
  return { folders: [...folders, ...hooks], files: files.slice(first) };
}
