// The names at the top of a workspace that run code outside the sandbox later, before and after a command. What exists is
// mounted read-only while the command runs. A name that does not exist, or is a link, has nothing to mount on: it is compared
// when the command has ended, and with it every process in the sandbox. What appeared is renamed, so that nothing is lost
// and nothing runs it.
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  symlinkSync,
} from "node:fs";
import { basename, isAbsolute, join, relative, resolve } from "node:path";
import { bareRepositoryNames, guardedNames } from "../../session/sandbox/home-folders.js";

/** The sandbox cannot be set up like this; the message says why. */
export class SandboxError extends Error {
  override readonly name = "SandboxError";
}

export type GuardedPaths = {
  /** They exist, and can be mounted read-only. */
  readonly existing: readonly string[];
  /** They do not exist, or are links. */
  readonly compared: readonly ComparedPath[];
};

type ComparedPath = { readonly path: string; readonly link: string | null };

const SUFFIX = ".from-sandbox";
const COPIES_MAX = 1_000;

/** Throws a SandboxError for a link that leads through other links, which could be changed from inside. */
export function guardedPathsIn(workspace: string): GuardedPaths {
  const names = existsSync(join(workspace, "HEAD")) ? [...guardedNames, ...bareRepositoryNames] : guardedNames;
  const paths = names.map((name) => join(workspace, name));
  const kinds = paths.map((path) => ({ path, link: linkAt(path) }));
  const existing = kinds.flatMap(({ path, link }) => {
    if (link === undefined) return [];
    return link === null ? [path] : targetOf(path, link, workspace);
  });
  const named = namedByGit(workspace).filter((path) => !existing.some((known) => isInside(realOf(path), known)));
  for (const path of named) if (realOf(path) !== path) throw new SandboxError(`${path} leads through a link`);
  const absent = named.filter((path) => !existsSync(path)).map((path) => ({ path, link: null }));
  return {
    existing: [...new Set([...existing, ...named.filter((path) => existsSync(path))])],
    compared: [...kinds.flatMap(({ path, link }) => (link === null ? [] : [{ path, link: link ?? null }])), ...absent],
  };
}

/** Undoes what a command did to the compared names; what was done, as sentences. */
export function restoreGuarded(compared: readonly ComparedPath[]): string[] {
  return compared.flatMap(({ path, link }) => {
    const now = linkAt(path);
    if (now === undefined ? link === null : now !== null && now === link) return [];
    const aside = now === undefined ? null : movedAside(path);
    if (link !== null) symlinkSync(link, path);
    const words = aside === null ? "was put back" : `was renamed to ${basename(aside)}`;
    return [`${basename(path)} ${words}, because it can run code outside the sandbox later`];
  });
}

/** An empty folder is what a killed sandbox leaves behind; it counts as none. */
export function isEmptyGit(path: string): boolean {
  try {
    return basename(path) === ".git" && lstatSync(path).isDirectory() && readdirSync(path).length === 0;
  } catch {
    return false;
  }
}

/** Undefined when nothing is there, null when it is no link. */
function linkAt(path: string): string | null | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || isEmptyGit(path)) return undefined;
  return found.isSymbolicLink() ? readlinkSync(path) : null;
}

function targetOf(path: string, link: string, workspace: string): string[] {
  const target = resolve(workspace, link);
  if (!existsSync(target) || realpathSync(target) !== target) {
    throw new SandboxError(`${path} is a link to ${link}, which cannot be protected`);
  }
  return isInside(target, workspace) ? [target] : [];
}

function movedAside(path: string): string {
  const names = Array.from({ length: COPIES_MAX }, (_, at) => `${path}${SUFFIX}${at === 0 ? "" : `-${at + 1}`}`);
  const free = names.find((name) => linkAt(name) === undefined);
  if (free === undefined) throw new SandboxError(`${path} appeared too often`);
  renameSync(path, free);
  return free;
}

/** Hooks of a repository and more of its settings can lie among its files. */
function namedByGit(workspace: string): string[] {
  const git = join(workspace, ".git");
  try {
    const lines = readFileSync(join(git, "config"), "utf8").matchAll(
      /^[ \t]*(hooksPath|path)[ \t]*=[ \t]*"?([^"\n#;]+)/gim,
    );
    const named = [...lines].map(([, key = "", path = ""]) =>
      resolve(key.toLowerCase() === "path" ? git : workspace, path.trim()),
    );
    return named.filter((path) => isInside(path, workspace) && !isInside(path, git));
  } catch {
    return [];
  }
}

function realOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== "" && !way.startsWith("..") && !isAbsolute(way);
}
