// Mount points for paths that must not be created: an empty folder in the workspace, for as long as a command runs. Each
// command puts its own folder inside, so that the last command removes it; removing it earlier would undo the mounts of other
// commands. Git does not list empty folders.
import { chmodSync, mkdirSync, readdirSync, rmdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { CleanUpStep } from "../after-kill.js";
import { isStale } from "./private-folders.js";
import { SandboxError } from "./sandbox-error.js";

const MARK = /^palaver-box-(\d+)-/;
const TRIES_MAX = 100;

export function isPlaceholder(path: string): boolean {
  try {
    const names = readdirSync(path);
    return names.length > 0 && names.every((name) => MARK.test(name));
  } catch {
    return false;
  }
}

/** Those that need one: where we may not write, a command may not either. Throws a SandboxError where there can be none. */
export function makePlaceholders(paths: readonly string[], mark: string): string[] {
  const made: string[] = [];
  try {
    for (const path of paths) if (makeOne(path, mark) === "made") made.push(path);
    return made;
  } catch (error) {
    removePlaceholders(made, mark);
    const words = error instanceof Error ? error.message : String(error);
    throw new SandboxError(`what does not exist cannot be protected: ${words}`);
  }
}

export function removePlaceholders(paths: readonly string[], mark: string): void {
  for (const path of paths.flatMap((each) => [join(each, mark), each])) removeIfEmpty(path);
}

/** The same for a process that outlives us. */
export function placeholderSteps(paths: readonly string[], mark: string): CleanUpStep[] {
  return paths.flatMap((path) => [`rmdir:${join(path, mark)}`, `rmdir:${path}`]);
}

let count = 0;

/** Unique on this machine. */
export function markOf(pid: number): string {
  count += 1;
  return `palaver-box-${pid}-${count}`;
}

// Another process may remove it between the two steps.
function makeOne(path: string, mark: string): "made" | "not-needed" {
  for (let tries = 1; ; tries += 1) {
    try {
      withWriting(dirname(path), () => mkdirSync(path, { recursive: true }));
      mkdirSync(join(path, mark));
      break;
    } catch (error) {
      const code = codeOf(error);
      if (code === "EROFS" || (code === "EACCES" && !isOurs(dirname(path)))) return "not-needed";
      if (tries === TRIES_MAX || code !== "ENOENT") throw error;
    }
  }
  removeStale(path);
  return "made";
}

// A command can take away the right to write in a folder of ours, and give it back.
function withWriting(folder: string, act: () => unknown): void {
  try {
    act();
  } catch (error) {
    if (codeOf(error) !== "EACCES" || !isOurs(folder)) throw error;
    const { mode } = statSync(folder);
    chmodSync(folder, mode | 0o300);
    try {
      act();
    } finally {
      chmodSync(folder, mode);
    }
  }
}

function isOurs(folder: string): boolean {
  return statSync(folder).uid === process.getuid?.();
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "";
}

function removeStale(path: string): void {
  for (const name of readdirSync(path)) {
    const [, pid] = MARK.exec(name) ?? [];
    if (pid !== undefined && isStale(join(path, name), Number(pid))) removeIfEmpty(join(path, name));
  }
}

// What was put into it meanwhile stays.
function removeIfEmpty(folder: string): void {
  try {
    withWriting(dirname(folder), () => rmdirSync(folder));
  } catch {
    // It is not there, or not ours to remove.
  }
}
