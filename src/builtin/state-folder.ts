// Where the agent keeps what it must remember between runs: below XDG_STATE_HOME, private to its owner.
import { chmod, mkdir } from "node:fs/promises";
import { userInfo } from "node:os";
import { normalize } from "node:path";
import { type Environment, NO_HOME, stateFolder as stateFolderIn } from "../session/user-folders.js";

/** Throws when there is no place for it. */
export function stateFolder(environment: Environment): string {
  const folder = stateFolderIn(environment, () => userInfo().homedir);
  if (folder === null) throw new Error(NO_HOME);
  return normalize(folder);
}

export async function makePrivateFolder(path: string): Promise<void> {
  const made = await mkdir(path, { recursive: true, mode: 0o700 });
  // The mode above goes through the umask, and only holds for folders that are new.
  if (made !== undefined) await chmod(path, 0o700);
}
