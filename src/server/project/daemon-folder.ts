// Where the daemon of a project keeps what others need to find it: its lock, record, token and log, in one private folder
// below XDG_STATE_HOME that is named after the project's path. The runtime folder would be tidier, but a shell of cron or
// sudo has none, and must not take a running daemon for a missing one.
import { createHash } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { chmod, mkdir } from "node:fs/promises";
import { userInfo } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { type Environment, NO_HOME, stateFolder } from "../../session/user-folders.js";

export interface DaemonFolder {
  readonly project: string;
  readonly path: string;
  readonly recordPath: string;
  readonly lockPath: string;
  readonly tokenPath: string;
  readonly logPath: string;
}

/** What marks the top of a project. */
const PROJECT_MARKS = [".palaver.toml", ".git"];

/** The project a folder belongs to: the nearest one above it that is marked, or the folder itself. */
export function projectOf(folder: string): string {
  const start = realpathSync(resolve(folder));
  for (let at = start; ; at = dirname(at)) {
    if (PROJECT_MARKS.some((mark) => existsSync(join(at, mark)))) return at;
    if (dirname(at) === at) return start;
  }
}

/** Throws when there is no place for it. */
export function daemonFolderOf(project: string, environment: Environment): DaemonFolder {
  const root = stateFolder(environment, () => userInfo().homedir);
  if (root === null) throw new Error(NO_HOME);
  const digest = createHash("sha256").update(project).digest("hex").slice(0, 12);
  const name = basename(project).replace(/[^\w.-]+/g, "_") || "root";
  const path = join(root, "daemons", `${name}-${digest}`);
  return {
    project,
    path,
    recordPath: join(path, "daemon.json"),
    lockPath: join(path, "daemon.lock"),
    tokenPath: join(path, "token"),
    logPath: join(path, "daemon.log"),
  };
}

export async function makeDaemonFolder({ path }: DaemonFolder): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  // The mode above goes through the umask, and holds for new folders only.
  await chmod(path, 0o700);
}
