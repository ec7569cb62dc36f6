// Opens a path only if a plain file is there. Pipes, devices and folders are refused before a read could wait for ever,
// and again after opening, in case the path was swapped in between; a link that appears at the last moment is not followed.

import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync } from "node:fs";
import { type FileHandle, lstat, open, readdir, readlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { slipsBetween } from "../../contract/nearest-name.js";
import { looksSecret } from "../../session/permission/secret-files.js";
import { type ToolContext, ToolError } from "../tool.js";
import { isFileAt, openFileLink } from "./held-folder.js";
import { errorCode, systemProblem } from "./system-problem.js";
import type { WorkspacePath } from "./workspace-path.js";

const NEAR_NAMES_MAX = 3;
const NEAR_DISTANCE_MAX = 3;

export type ReadDecision = NonNullable<ToolContext["readDecision"]>;

/** Where there is no policy, what is outside or has a name that looks like a secret is not to be read unasked. */
export const decisionByName: ReadDecision = ({ subject, reach }) =>
  reach === "outside" || looksSecret(subject) ? "ask" : "allow";

export type FileKind = "file" | "folder" | "pipe" | "socket" | "device" | "link" | "missing";

type Stat = Awaited<ReturnType<typeof lstat>>;

export async function kindOf(realPath: string): Promise<FileKind> {
  try {
    return kindOfStat(await lstat(realPath));
  } catch (error) {
    // Behind a file there is nothing; that it is a file may be something the model must not know.
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return "missing";
    throw new ToolError(systemProblem(error, realPath));
  }
}

export function kindOfStat(
  stat: Pick<Stat, "isFile" | "isDirectory" | "isFIFO" | "isSocket" | "isSymbolicLink">,
): FileKind {
  if (stat.isFile()) return "file";
  if (stat.isDirectory()) return "folder";
  if (stat.isFIFO()) return "pipe";
  if (stat.isSocket()) return "socket";
  return stat.isSymbolicLink() ? "link" : "device";
}

/** Throws a ToolError that says what is there instead of a file. */
export async function requireFile(path: WorkspacePath, readDecision?: ReadDecision): Promise<void> {
  const { realPath, subject } = path;
  const kind = await kindOf(realPath);
  if (kind === "missing") throw new ToolError(`${subject} does not exist.${await nearNames(path, readDecision)}`);
  if (kind === "folder") throw new ToolError(`${subject} is a folder. Use ls to see what is in it.`);
  if (kind !== "file") throw new ToolError(`${subject} is a ${kind}, not a file.`);
}

export async function withFile<T>(
  path: WorkspacePath,
  use: (file: FileHandle) => Promise<T>,
  readDecision?: ReadDecision,
): Promise<T> {
  await requireFile(path, readDecision);
  const file = await openQuietly(path);
  try {
    const kind = kindOfStat(await file.stat());
    if (kind !== "file") throw new ToolError(`${path.subject} is a ${kind}, not a file.`);
    return await use(file);
  } finally {
    await file.close();
  }
}

/** The text of a small plain file; undefined when it is anything else, or not there. */
export async function textIfFile(realPath: string, bytesMax: number): Promise<string | undefined> {
  try {
    const stat = await lstat(realPath);
    if (!stat.isFile() || stat.size > bytesMax) return undefined;
    const path: WorkspacePath = { written: realPath, realPath, subject: realPath, reach: "inside" };
    return await withFile(path, (file) => file.readFile("utf8"));
  } catch {
    return undefined;
  }
}

/**
 * The bytes of a plain file of limited size, without giving way to others: a search opens thousands, and the promises
 * of an asynchronous read cost ten times what the read does. The caller gives way now and then.
 */
export function smallFileSync(realPath: string, bytesMax: number): Buffer | "no-file" | "too-large" {
  let file: number | undefined;
  try {
    file = openSync(realPath, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const stat = fstatSync(file);
    if (!stat.isFile() || !isFileAt(placeOf(file, realPath), realPath)) return "no-file";
    return stat.size > bytesMax ? "too-large" : readFileSync(file);
  } catch {
    return "no-file";
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function placeOf(file: number, fallback: string): string {
  try {
    return readlinkSync(openFileLink(file));
  } catch {
    return fallback;
  }
}

async function openQuietly({ realPath, subject }: WorkspacePath): Promise<FileHandle> {
  let file: FileHandle;
  try {
    file = await open(realPath, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    throw new ToolError(systemProblem(error, subject));
  }
  // A folder on the way may have become a link meanwhile. Where the system cannot say, the path is believed.
  const link = await readlink(openFileLink(file.fd)).catch(() => realPath);
  if (isFileAt(link, realPath)) return file;
  await file.close();
  throw new ToolError(`${subject} was moved while it was opened.`);
}

// Only names that may be read without a question: a name is something told, too.
async function nearNames({ realPath, subject, reach }: WorkspacePath, decide = decisionByName): Promise<string> {
  const wanted = basename(realPath).toLowerCase();
  const names = await readdir(dirname(realPath)).catch(() => [] as string[]);
  const near = names
    .filter((name) => decide({ subject: join(dirname(subject), name), reach }) === "allow")
    .map((name) => ({ name, distance: distanceOf(wanted, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= Math.min(NEAR_DISTANCE_MAX, wanted.length / 2))
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, NEAR_NAMES_MAX);
  return near.length === 0 ? "" : ` Did you mean ${near.map(({ name }) => name).join(" or ")}?`;
}

/** A name within the other is near too. */
function distanceOf(a: string, b: string): number {
  if (a.length > 3 && b.length > 3 && (a.startsWith(b) || b.startsWith(a))) return 1;
  return Math.abs(a.length - b.length) > NEAR_DISTANCE_MAX ? Number.POSITIVE_INFINITY : slipsBetween(a, b);
}
