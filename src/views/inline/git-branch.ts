// The branch of the status line, read from git's own files. git itself is not started: it runs programs that a repository's
// settings name, and opening a folder must run nothing of it. Whether there are changes cannot be known without git, because
// comparing a file runs the repository's filters; so there is no mark for it.
import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { activeSession } from "../../session/engine/engine-state.js";
import type { Source } from "../../session/engine/source.js";
import { readPlainFile } from "../../system/plain-file.js";
import type { ScreenClock } from "../../terminal/painter/inline-screen.js";

/** The end of a turn, with all there is to draw, is not the moment for reading files. */
const CALM_MS = 250;
const FILE_BYTES_MAX = 4096;

export interface BranchWatch {
  /** Reads it again, unless a read is still under way. */
  refresh(): void;
}

/** Reads the branch whenever the agent is ready or a turn ends, which is when it may have changed. */
export function followBranch(
  source: Source,
  folder: string,
  clock: Pick<ScreenClock, "after">,
  onBranch: (branch: string | null) => void,
): void {
  const watch = watchBranch(folder, clock, onBranch);
  let before = activeSession(source.state).facts;
  source.subscribe(() => {
    const { facts } = activeSession(source.state);
    const isNew = facts.phase !== before.phase || facts.workingSinceMs !== before.workingSinceMs;
    const isBetweenTurns = facts.workingSinceMs === null && (facts.phase === "idle" || facts.phase === "working");
    before = facts;
    if (isNew && isBetweenTurns) watch.refresh();
  });
}

export function watchBranch(
  folder: string,
  clock: Pick<ScreenClock, "after">,
  onBranch: (branch: string | null) => void,
): BranchWatch {
  let isReading = false;
  const read = async () => {
    const branch = await branchIn(folder);
    isReading = false;
    onBranch(branch);
  };
  return {
    refresh() {
      if (!isReading) clock.after(CALM_MS, () => void read());
      isReading = true;
    },
  };
}

async function branchIn(folder: string): Promise<string | null> {
  const top = await repositoryTop(folder);
  const gitFolder = top === null ? null : await gitFolderIn(top);
  return gitFolder === null ? null : branchOfHead(await firstLine(join(gitFolder, "HEAD")));
}

/** The nearest folder from here upwards that has a `.git`; a bare repository has none and does not count. */
export async function repositoryTop(folder: string): Promise<string | null> {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if ((await kindOf(join(at, ".git"))) !== "missing") return at;
    if (dirname(at) === at) return null;
  }
}

/** A work tree and a submodule have a file there, which says where the folder is. A path to another machine is not followed. */
export async function gitFolderIn(top: string): Promise<string | null> {
  const path = join(top, ".git");
  if ((await kindOf(path)) === "folder") return path;
  const target = /^gitdir: (?![\\/]{2})(.+)$/.exec(await firstLine(path))?.[1];
  return target === undefined ? null : resolve(top, target);
}

/** `ref: refs/heads/main`, or the hash of a commit. */
export function branchOfHead(head: string): string | null {
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(head)) return "detached";
  const name = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1] ?? null;
  // Written there by a repository whose branches are in a reftable.
  return name === ".invalid" ? null : name;
}

async function kindOf(path: string): Promise<"folder" | "other" | "missing"> {
  return stat(path).then(
    (stats) => (stats.isDirectory() ? "folder" : "other"),
    () => "missing",
  );
}

async function firstLine(path: string): Promise<string> {
  const text = await readPlainFile(path, FILE_BYTES_MAX).then(String, () => "");
  return text.split("\n", 1)[0]?.trimEnd() ?? "";
}
