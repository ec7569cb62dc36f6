// The private home and /tmp of a sandbox, on disk in the state folder: a command that could write around them could put links
// in their place. They are removed at the end; what a killed process left behind is removed by a later one.
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import type { Variables } from "../../session/sandbox/sandbox-environment.js";
import { stateFolder } from "../../session/user-folders.js";
import { isWithin, type PrivateFolders } from "./policy-here.js";
import { SandboxError } from "./sandbox-error.js";

const PREFIX = "sandbox-";
/** A process that cannot be seen may live in another container that shares the folder. */
const LEFT_FOR_MS_MIN = 24 * 60 * 60 * 1_000;

export type OwnFolders = PrivateFolders & { readonly top: string };

/** `writable` are real paths. Throws a SandboxError where every place for them is in one of these. */
export function makePrivateFolders(environment: Variables, writable: readonly string[]): OwnFolders {
  // An account without a home that can be written has the system's folder for such things.
  const state = stateFolder(environment, () => userInfo().homedir);
  const top = (state === null ? null : madeIn(state, writable)) ?? madeIn(tmpdir(), writable);
  if (top === null) throw new SandboxError("there is no place for its private folders that commands cannot write");
  const own = {
    top,
    home: join(top, "home"),
    tmp: join(top, "tmp"),
    empty: { file: join(top, "empty-file"), folder: join(top, "empty-folder") },
  };
  for (const folder of [own.home, own.tmp, own.empty.folder]) mkdirSync(folder, { mode: 0o700 });
  writeFileSync(own.empty.file, "", { mode: 0o400 });
  return own;
}

/** Throws a SandboxError where one of them is not what it was. */
export function refuseChanged({ top, home, tmp, empty }: OwnFolders): void {
  const isChanged = ![top, home, tmp, empty.folder].every((path) => lstatSync(path).isDirectory());
  if (isChanged || realpathSync(top) !== top) throw new SandboxError(`${top} was changed by another program`);
}

export function removePrivateFolders({ top }: { readonly top: string }): void {
  rmSync(top, { recursive: true, force: true, maxRetries: 5 });
}

/** Whether what a process left behind can be removed. */
export function isStale(path: string, pid: number): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.uid !== process.getuid?.()) return false;
  return Date.now() - found.mtimeMs > LEFT_FOR_MS_MIN && !isAlive(pid);
}

/** A new folder below `place`; null where none can be made, or commands could write around it. */
function madeIn(place: string, writable: readonly string[]): string | null {
  try {
    mkdirSync(place, { recursive: true, mode: 0o700 });
    const real = realpathSync(place);
    if (writable.some((folder) => isWithin(real, folder))) return null;
    removeStale(real);
    return mkdtempSync(join(real, `${PREFIX}${process.pid}-`));
  } catch {
    return null;
  }
}

function removeStale(place: string): void {
  for (const name of readdirSync(place)) {
    const [, pid] = /^sandbox-(\d+)-/.exec(name) ?? [];
    const top = join(place, name);
    try {
      if (pid !== undefined && isStale(top, Number(pid))) removePrivateFolders({ top });
    } catch {
      // Another process removes it, too.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
