// The private folders of a project's daemons below XDG_STATE_HOME, each with its lock, record, token and log. They are not in
// the runtime folder, because a shell of cron or sudo has none and must still find a running daemon.
//
//   daemons/app-1f2e3d4c5b6a/                          palaver serve
//   daemons/app-1f2e3d4c5b6a/programs/dev.mjs-0a1b2c…/   a program with a daemon of its own
import { createHash, randomBytes } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { type DaemonRecord, daemonRecordSchema } from "../../contract/daemon.js";
import { type Environment, NO_HOME, stateFolder } from "../../session/user-folders.js";

export interface DaemonFolder {
  readonly project: string;
  readonly path: string;
  /** What its cookies are named after: two daemons of one machine have different ones. */
  readonly cookieKey: string;
  readonly recordPath: string;
  readonly lockPath: string;
  readonly tokenPath: string;
  readonly logPath: string;
  /** One line for each request. */
  readonly accessPath: string;
  readonly devicesPath: string;
  readonly pushPath: string;
}

const PROJECT_MARKS = [".palaver.toml", ".git"];

/** The project a folder belongs to: the nearest one above it that is marked, or the folder itself. */
export function projectOf(folder: string): string {
  const start = realpathSync(resolve(folder));
  for (let at = start; ; at = dirname(at)) {
    if (PROJECT_MARKS.some((mark) => existsSync(join(at, mark)))) return at;
    if (dirname(at) === at) return start;
  }
}

/** The program of `palaver serve`. */
export const PALAVER = "palaver";

/** The folder of one program's daemon. Throws when there is no place for it. */
export function daemonFolderOf(project: string, environment: Environment, program = PALAVER): DaemonFolder {
  const place = projectPlace(project, environment);
  return folderAt(program === PALAVER ? place : join(place, PROGRAMS, namedPlace(program)), project);
}

/** Of every program that had a daemon here, `palaver serve` first. */
export async function daemonFoldersOf(project: string, environment: Environment): Promise<DaemonFolder[]> {
  const place = projectPlace(project, environment);
  const others = await readdir(join(place, PROGRAMS)).catch(() => []);
  return [place, ...others.map((name) => join(place, PROGRAMS, name))].map((path) => folderAt(path, project));
}

const PROGRAMS = "programs";

function projectPlace(project: string, environment: Environment): string {
  const root = stateFolder(environment, () => userInfo().homedir);
  if (root === null) throw new Error(NO_HOME);
  return join(root, "daemons", namedPlace(project, basename(project) || "root"));
}

/** Readable, and different for every text. */
function namedPlace(text: string, name = text): string {
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 12);
  return `${name.replace(/[^\w.-]+/g, "_").slice(0, NAME_CHARS_MAX)}-${digest}`;
}

const NAME_CHARS_MAX = 100;

function folderAt(path: string, project: string): DaemonFolder {
  return {
    project,
    path,
    cookieKey: path,
    recordPath: join(path, "daemon.json"),
    lockPath: join(path, "daemon.lock"),
    tokenPath: join(path, "token"),
    logPath: join(path, "daemon.log"),
    accessPath: join(path, "access.log"),
    devicesPath: join(path, "devices.json"),
    pushPath: join(path, "push.json"),
  };
}

export async function makeDaemonFolder({ path }: DaemonFolder): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  // The mode above is subject to the umask, and applies to new folders only.
  await chmod(path, 0o700);
}

/** A shorter one could be guessed. */
const TOKEN_CHARS_MIN = 32;

/** Null when it is missing, malformed, or readable by others. */
export async function readToken(path: string): Promise<string | null> {
  try {
    const { mode, uid } = await stat(path);
    // Without owners and modes, only the folder of the account protects it.
    const isPrivate = process.getuid === undefined || ((mode & 0o077) === 0 && uid === process.getuid());
    const token = (await readFile(path, "utf8")).trim();
    return isPrivate && token.length >= TOKEN_CHARS_MIN && !/\s/.test(token) ? token : null;
  } catch {
    return null;
  }
}

/** Each daemon creates its own token, so a leaked one is useless once its daemon has ended. */
export async function renewToken(path: string): Promise<string> {
  const token = randomBytes(32).toString("hex");
  await replaceFile(path, `${token}\n`);
  return token;
}

/** Null when it is missing or malformed. */
export async function readRecord(path: string): Promise<DaemonRecord | null> {
  try {
    return daemonRecordSchema.parse(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return null;
  }
}

export async function writeRecord(path: string, record: DaemonRecord): Promise<void> {
  await replaceFile(path, `${JSON.stringify(record)}\n`);
}

export async function removeRecord(path: string, { pid, started_at_ms }: DaemonRecord): Promise<void> {
  const found = await readRecord(path);
  if (found?.pid === pid && found.started_at_ms === started_at_ms) await rm(path, { force: true });
}

/** Atomic: a reader sees the old content or the new. Only the owner can read it. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const fresh = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await writeFile(fresh, text, { mode: 0o600, flag: "wx" });
    await rename(fresh, path).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== "EISDIR" && error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
      // A folder at this path is not ours: it is moved aside, not deleted.
      await rename(path, `${fresh}.aside`);
      await rename(fresh, path);
    });
  } finally {
    await rm(fresh, { force: true });
  }
}
