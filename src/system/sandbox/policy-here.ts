// The sandbox policy for a workspace on this machine: the listed paths that exist here, resolved. A missing path cannot be
// mounted over and a link leads elsewhere, so both are checked before anything is decided.
import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname, isAbsolute, join, relative } from "node:path";
import {
  hiddenFolders,
  plainFiles,
  runFolders,
  systemSecrets,
  toolFolders,
} from "../../session/sandbox/home-folders.js";
import type { Variables } from "../../session/sandbox/sandbox-environment.js";
import type { SandboxPolicy } from "../../session/sandbox/sandbox-policy.js";
import { homeFolder } from "../../session/user-folders.js";
import { createRedactor } from "../../text/redact.js";
import type { GuardedPaths } from "./guarded-paths.js";
import { repositoryOf } from "./repository-folders.js";
import { SandboxError } from "./sandbox-error.js";

export type PolicyOptions = {
  /** A real path. */
  readonly workspace: string;
  readonly environment: Variables;
  readonly network: SandboxPolicy["network"];
  /** Besides the workspace; those that do not exist are left out. */
  readonly writable?: readonly string[];
  /** In these, and read-only all the same; those that do not exist are left out. */
  readonly guarded?: readonly string[];
  /** Names in the workspace that would be guarded, and may be made where they do not exist. */
  readonly makes?: readonly string[];
  /** Besides programs; those that do not exist are left out. */
  readonly visible?: readonly string[];
};

/** Ours, for one session. */
export type PrivateFolders = { readonly home: string; readonly tmp: string; readonly empty: SandboxPolicy["empty"] };

/** Throws a SandboxError for a workspace that no sandbox is made for. */
export function refuseWideWorkspace({ workspace, environment }: PolicyOptions): void {
  if (homesOf(environment).some((home) => isWithin(home, workspace))) {
    throw new SandboxError(`the workspace ${workspace} contains your whole home folder`);
  }
}

/** Without what is masked in the workspace: finding that takes a walk. */
export function policyHere(options: PolicyOptions, own: PrivateFolders, guarded: GuardedPaths): SandboxPolicy {
  const { workspace, environment, network } = options;
  const homes = homesOf(environment);
  refuseWideWorkspace(options);
  const replaced = [...homes.map((at) => ({ at, by: own.home })), { at: realOf("/tmp"), by: own.tmp }];
  const covered = new Set(replaced.map(({ at }) => at));
  const candidates = [
    ...hiddenFolders,
    ...homesOfPeople(),
    environment["TMPDIR"] ?? "",
    environment["XDG_RUNTIME_DIR"] ?? "",
  ];
  const isCovered = (path: string) => [...covered].some((folder) => isWithin(path, folder));
  const hidden = unique(candidates.filter(isFolder).map(realOf)).filter((path) => path !== "/" && !isCovered(path));
  const concealed = [...hidden, ...covered];
  const shown = [
    ...homes.flatMap((home) => toolFolders.map((name) => join(home, name))),
    ...homes.flatMap((home) => plainFiles.map((name) => join(home, name)).filter(isFreeOfSecrets)),
    ...(environment["PATH"] ?? "").split(":").filter(isAbsolute),
    ...runFolders,
    dirname(process.execPath),
    ...repositoryOf(workspace).outside,
    ...(options.visible ?? []),
    // Never more than what is hidden: a repository in /tmp would show all of it.
  ].filter((path) => existsSync(path) && !concealed.some((folder) => isWithin(folder, realOf(path))));
  const visible = unique(shown.flatMap((path) => [path, realOf(path)])).filter(
    (path) => concealed.some((folder) => isWithin(path, folder)) && !lstatSync(path).isSymbolicLink(),
  );
  const writable = writableOf(options);
  const isSeen = (path: string) =>
    !isWithin(path, workspace) &&
    (![...concealed].some((folder) => isWithin(path, folder)) ||
      [...visible, ...writable].some((folder) => isWithin(path, folder)));
  return {
    writable,
    hidden,
    replaced,
    visible,
    pinned: waysTo([...guarded.existing, ...guarded.absent], workspace),
    guarded: [...guarded.existing, ...(options.guarded ?? []).filter(existsSync).map(realOf)],
    forbidden: guarded.absent.filter((path) => !options.makes?.includes(relative(workspace, path))),
    masked: [...systemSecrets.filter(isFile), ...sockets().filter(isSeen)].map((path) => ({
      path,
      kind: "file" as const,
    })),
    empty: own.empty,
    network,
  };
}

/** Real paths; the workspace comes first. */
export function writableOf({ workspace, writable = [] }: PolicyOptions): string[] {
  return unique([workspace, ...writable.filter(existsSync).map(realOf)]);
}

// A user id without a row in /etc/passwd has no home but the one that HOME names.
function homesOf(environment: Variables): string[] {
  const accountHome = () => userInfo().homedir;
  const named = [environment, process.env, {}].map((variables) => homeFolder(variables, accountHome) ?? "");
  return unique(named.filter(isFolder).map(realOf)).filter((path) => path !== "/");
}

/** Of root and of every account with a login; system accounts have the folders of the system for a home. */
function homesOfPeople(): string[] {
  try {
    const rows = readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .map((line) => line.split(":"));
    return rows.flatMap(([, , id = "", , , home = ""]) => (id === "0" || Number(id) >= 1_000 ? [home] : []));
  } catch {
    return [];
  }
}

/** The folders between the workspace and these paths. */
export function waysTo(paths: readonly string[], workspace: string): string[] {
  const above = (path: string): string[] => {
    const folder = dirname(path);
    return folder === workspace || !isWithin(folder, workspace) ? [] : [folder, ...above(folder)];
  };
  return unique(paths.flatMap(above));
}

/** Sockets that programs listen on: connecting to one needs no right to write. */
function sockets(): string[] {
  try {
    const [, ...rows] = readFileSync("/proc/net/unix", "utf8").split("\n");
    const paths = rows.map((row) => row.replace(/^(?:\S+\s+){6}\S+ ?/, "")).filter(isAbsolute);
    return unique(paths).filter((path) => statSync(path, { throwIfNoEntry: false })?.isSocket());
  } catch {
    return [];
  }
}

function isFreeOfSecrets(path: string): boolean {
  if (!isFile(path)) return false;
  const text = readFileSync(path, "utf8");
  return createRedactor().text(text) === text;
}

export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (!way.startsWith("..") && !isAbsolute(way));
}

function isFolder(path: string): boolean {
  return isAbsolute(path) && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function realOf(path: string): string {
  return realpathSync(path);
}

function unique(paths: readonly string[]): string[] {
  return [...new Set(paths)];
}
