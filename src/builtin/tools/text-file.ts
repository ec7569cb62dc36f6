// A text file as edit and write need it: its text, proof of which version that is, and a way to replace it whole. The
// replacement is a new file that takes the old one's place in one step, so that half of it is never seen.
import { createHash, randomBytes } from "node:crypto";
import { access, constants, open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ToolError } from "../tool.js";
import { humanBytes } from "./content-kind.js";
import { type HeldFolder, MovedFolderError, withHeldFolder } from "./held-folder.js";
import { EDIT_BYTES_MAX } from "./limits.js";
import { kindOf, withFile } from "./regular-file.js";
import { errorCode, systemProblem } from "./system-problem.js";
import type { WorkspacePath } from "./workspace-path.js";

export type FileVersion = {
  /** Null when it is no valid UTF-8: then it can be replaced, not edited. */
  readonly text: string | null;
  /** Changes with the contents. */
  readonly hash: string;
  readonly mode: number;
  readonly owner: { readonly uid: number; readonly gid: number };
};

export const ABSENT = "absent";
const NEW_FILE_MODE = 0o666;
const PERMISSION_BITS = 0o7777;

/** What is there now; undefined when nothing is. Throws a ToolError when it is no file, or too large to hold. */
export async function readVersion(path: WorkspacePath): Promise<FileVersion | undefined> {
  const kind = await kindOf(path.realPath);
  if (kind === "missing") return undefined;
  if (kind !== "file") throw new ToolError(`${path.subject} is a ${kind}, not a file.`);
  return withFile(path, async (file) => {
    const { size, mode, uid, gid } = await file.stat();
    if (size > EDIT_BYTES_MAX) {
      throw new ToolError(
        `${path.subject} has ${humanBytes(size)}; files up to ${humanBytes(EDIT_BYTES_MAX)} can be changed.`,
      );
    }
    const bytes = await file.readFile();
    return { text: strictText(bytes), hash: hashOf(bytes), mode: mode & PERMISSION_BITS, owner: { uid, gid } };
  });
}

/** Throws a ToolError when the system would not let the file be written. */
export async function requireWritable({ realPath, subject }: WorkspacePath): Promise<void> {
  const target = await nearestExisting(realPath);
  try {
    // Replacing a file needs no right to the file itself; a file made read-only is respected all the same.
    if (target === realPath) await (await open(target, constants.O_WRONLY | constants.O_NOFOLLOW)).close();
    else await access(target, constants.W_OK);
  } catch (error) {
    throw new ToolError(systemProblem(error, subject));
  }
}

/**
 * Puts `text` in the place of `expected`, which is what was read before, or undefined for nothing. Folders on the way are
 * made. The last look at the old file comes right before the step that replaces it.
 */
export async function replaceFile(path: WorkspacePath, text: string, expected: FileVersion | undefined): Promise<void> {
  try {
    await withHeldFolder(dirname(path.realPath), (held) => replaceIn(held, path, text, expected));
  } catch (error) {
    if (error instanceof MovedFolderError) throw new ToolError(changedMessage(path));
    throw error;
  }
}

async function replaceIn(
  held: HeldFolder,
  path: WorkspacePath,
  text: string,
  expected: FileVersion | undefined,
): Promise<void> {
  const name = basename(path.realPath);
  const target = { ...path, realPath: join(held.path, name) };
  const draft = join(held.path, `.${name.slice(0, 100)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    await writeDraft(draft, text, expected);
    const now = await readVersion(target);
    if (now?.hash !== expected?.hash) throw new ToolError(changedMessage(path));
    await held.check();
    await rename(draft, target.realPath);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

export function changedMessage({ subject }: WorkspacePath): string {
  return `${subject} has changed since this was planned, so nothing was written. Read it again.`;
}

async function writeDraft(draft: string, text: string, old: FileVersion | undefined): Promise<void> {
  const file = await open(draft, "wx", old?.mode ?? NEW_FILE_MODE);
  try {
    await file.writeFile(text);
    if (old !== undefined) {
      // Only root can give a file to its old owner; for any other user it is theirs already, or cannot be.
      await file.chown(old.owner.uid, old.owner.gid).catch(() => {});
      // The mask of the process may have taken bits away that the old file had.
      await file.chmod(old.mode);
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

async function nearestExisting(path: string): Promise<string> {
  try {
    await stat(path);
    return path;
  } catch (error) {
    if (errorCode(error) !== "ENOENT" || dirname(path) === path) return path;
    return nearestExisting(dirname(path));
  }
}

function strictText(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
