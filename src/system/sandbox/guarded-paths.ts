// The paths of a workspace whose content would later run outside the sandbox. Existing ones are mounted read-only while a
// command runs. A placeholder is mounted over missing ones, so that they cannot be created. Links cannot be mounted over: if
// one of these paths is a link or leads through one, no command is started.
import { existsSync, lstatSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { gitSettings } from "../../session/sandbox/git-config.js";
import { bareRepositoryNames, guardedNames } from "../../session/sandbox/home-folders.js";
import type { Variables } from "../../session/sandbox/sandbox-environment.js";
import { isPlaceholder } from "./placeholders.js";
import { isWithin } from "./policy-here.js";
import { repositoryOf, textOf } from "./repository-folders.js";
import { SandboxError } from "./sandbox-error.js";

export type GuardedPaths = {
  /** They can be mounted read-only. */
  readonly existing: readonly string[];
  /** They must not come into being. */
  readonly absent: readonly string[];
};

/** Throws a SandboxError for what cannot be protected. */
export function guardedPathsIn(workspace: string, environment: Variables): GuardedPaths {
  const git = gitPathsOf(workspace, environment);
  const missing = git.files.find((path) => isWithin(path, workspace) && !isThere(path));
  if (missing !== undefined) {
    throw new SandboxError(`git's settings include ${missing}, which does not exist`);
  }
  if (git.folders.includes(workspace))
    throw new SandboxError(`git's hooks lie in the workspace itself, among its files`);
  const names = [...guardedNames, ...bareNamesIn(workspace)].map((name) => join(workspace, name));
  const named = [...git.folders, ...git.files].filter((path) => isWithin(path, workspace));
  const parts = [...new Set([...names, ...named].map((path) => guardedPart(path, workspace)))];
  const paths = parts.filter((path) => !parts.some((other) => other !== path && isWithin(path, other)));
  return { existing: paths.filter(isThere), absent: paths.filter((path) => !isThere(path)) };
}

/** The path itself, or the first folder on the way to it that does not exist. */
function guardedPart(path: string, workspace: string): string {
  const folder = dirname(path);
  const above = folder === workspace ? folder : guardedPart(folder, workspace);
  if (above !== folder || !isFolder(folder)) return above;
  if (isLink(path) || (isThere(path) && realpathSync(path) !== path)) {
    throw new SandboxError(`${path} is a link or leads through one, which cannot be protected`);
  }
  return path;
}

/**
 * A workspace without a repository of its own must not become a bare one, which has settings of its own. One missing part
 * keeps it from that; where none is missing, it is one.
 */
function bareNamesIn(workspace: string): readonly string[] {
  const git = lstatSync(join(workspace, ".git"), { throwIfNoEntry: false });
  if (git?.isFile() || existsSync(join(workspace, ".git", "HEAD"))) return [];
  const missing = ["refs", "objects", "HEAD"].find((name) => !isThere(join(workspace, name)));
  return missing === undefined ? bareRepositoryNames : [missing];
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined && !isPlaceholder(path);
}

function isFolder(path: string): boolean {
  return isThere(path) && lstatSync(path).isDirectory();
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

const FILES_MAX = 100;

type GitPaths = {
  /** Folders of the repository, and of hooks. */
  readonly folders: readonly string[];
  /** Files that settings are read from because others say so. */
  readonly files: readonly string[];
};

/**
 * What git's settings name besides themselves: folders of hooks, and more files of settings. Git reads them for every command a
 * person gives it, so those in a workspace are guarded like .git. All files that git would read are read here, too.
 * Absolute paths, also of what does not exist. Throws a SandboxError where the settings cannot be read.
 */
function gitPathsOf(workspace: string, environment: Variables): GitPaths {
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
