// Where the agent keeps what it must remember between runs: below XDG_STATE_HOME, private to its owner.
import { chmod, mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** A relative XDG_STATE_HOME does not count, as the specification wants it. */
export function stateFolder(environment: Readonly<Record<string, string | undefined>>): string {
  const { XDG_STATE_HOME: state = "", HOME: home = homedir() } = environment;
  return join(isAbsolute(state) ? state : join(home, ".local", "state"), "palaver");
}

export async function makePrivateFolder(path: string): Promise<void> {
  const made = await mkdir(path, { recursive: true, mode: 0o700 });
  // The mode above goes through the umask, and only holds for folders that are new.
  if (made !== undefined) await chmod(path, 0o700);
}
