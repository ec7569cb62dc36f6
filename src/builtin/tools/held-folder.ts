// A folder held open while something is written into it. Every call looks a path up again, and a process can put a
// link in place of a folder between two of them; an open folder stays the one that was found, name by name, without links.
// On Linux the open folder has a path of its own. Elsewhere the path is compared again right before the last step.
import { constants } from "node:fs";
import { access, type FileHandle, mkdir, open, readlink, realpath } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "./system-problem.js";

/** The folder is not there any more, or a link stands in its place. */
export class MovedFolderError extends Error {
  override readonly name = "MovedFolderError";
}

export type HeldFolder = {
  /** For this process: leads to the open folder, wherever that is by now. */
  readonly path: string;
  /** Throws a MovedFolderError when the folder is not where it was found. */
  check(): Promise<void>;
};

const OPEN_FOLDERS = "/proc/self/fd";
/** Only to go on from there, which needs no right to list it. Node does not name this flag of Linux. */
const O_PATH = 0o10000000;

/** `folder` is absolute and without links; what is missing of it is made. */
export async function withHeldFolder<T>(folder: string, use: (held: HeldFolder) => Promise<T>): Promise<T> {
  const canHold =
    process.platform === "linux" &&
    (await access(OPEN_FOLDERS)
      .then(() => true)
      .catch(() => false));
  if (!canHold) return use(await comparedFolder(folder));
  const handle = await openFolder(folder);
  const path = join(OPEN_FOLDERS, String(handle.fd));
  const check = async () => requireSame(await readlink(path), folder);
  try {
    await check();
    return await use({ path, check });
  } finally {
    await handle.close();
  }
}

async function openFolder(folder: string): Promise<FileHandle> {
  let handle = await openStep("/");
  for (const name of folder.split("/").filter((part) => part !== "")) {
    const parent = handle;
    try {
      handle = await stepInto(join(OPEN_FOLDERS, String(parent.fd), name));
    } finally {
      await parent.close();
    }
  }
  return handle;
}

async function stepInto(path: string): Promise<FileHandle> {
  try {
    return await openStep(path);
  } catch (error) {
    if (errorCode(error) === "ENOTDIR" || errorCode(error) === "ELOOP") throw new MovedFolderError();
    if (errorCode(error) !== "ENOENT") throw error;
  }
  await mkdir(path).catch((error) => {
    if (errorCode(error) !== "EEXIST") throw error;
  });
  return openStep(path);
}

function openStep(path: string): Promise<FileHandle> {
  return open(path, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW);
}

async function comparedFolder(folder: string): Promise<HeldFolder> {
  await mkdir(folder, { recursive: true });
  const check = async () => requireSame(await realpath(folder), folder);
  await check();
  return { path: folder, check };
}

function requireSame(now: string, folder: string): void {
  if (now !== folder) throw new MovedFolderError();
}

/** Whether an open file is the one that this path, without links, names: nothing was put in its way while it was opened. */
export function isFileAt(link: string, realPath: string): boolean {
  // Some file systems do not tell letters by case, or write them in another way.
  const plain = (path: string) => path.normalize("NFC").toLowerCase();
  return realPath.startsWith(`${OPEN_FOLDERS}/`) || plain(link) === plain(realPath);
}

/** The link that says where an open file is. */
export function openFileLink(fd: number): string {
  return join(OPEN_FOLDERS, String(fd));
}
