// Reads and writes regular files only. A pipe would block for ever, a device never ends, a terminal would leak what is typed,
// and a link that appears at the last moment would lead elsewhere.
import { constants } from "node:fs";
import { type FileHandle, lstat, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { randomHex } from "./random-hex.js";

const { O_RDONLY, O_WRONLY, O_CREAT, O_NONBLOCK, O_NOFOLLOW, O_NOCTTY } = constants;

/** Not on Windows, where opening does not block. */
const QUIETLY = (O_NONBLOCK ?? 0) | (O_NOCTTY ?? 0);

const NEW_FILE_MODE = 0o666;
const PERMISSION_BITS = 0o7777;
const CHUNK_BYTES = 64 * 1024;

class NoPlainFile extends Error {
  override readonly name = "NoPlainFile";
  readonly code: string;

  constructor(path: string, what: "folder" | "other" | "large") {
    const words = { folder: "is a folder", other: "is not a file", large: "is too large" }[what];
    super(`${path} ${words}`);
    this.code = { folder: "EISDIR", other: "EINVAL", large: "EFBIG" }[what];
  }
}

/** Counts the bytes read, because some files report a size of 0. */
export async function readPlainFile(path: string, bytesMax: number): Promise<Buffer> {
  return withPlainFile(path, O_RDONLY | QUIETLY, async (file) => {
    const chunks: Buffer[] = [];
    for (let total = 0; ; ) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, null);
      if (bytesRead === 0) return Buffer.concat(chunks);
      total += bytesRead;
      if (total > bytesMax) throw new NoPlainFile(path, "large");
      chunks.push(buffer.subarray(0, bytesRead));
    }
  });
}

/** Writes to this path and follows no link. A file with several hard links is replaced, so that the others keep their content. */
export async function writePlainFile(path: string, content: string): Promise<void> {
  const links = await lstat(path).then(
    ({ nlink, mode }) => ({ nlink, mode: mode & PERMISSION_BITS }),
    () => null,
  );
  if (links !== null && links.nlink > 1) return replaceFile(path, content, links.mode);
  await withPlainFile(path, O_WRONLY | O_CREAT | (O_NOFOLLOW ?? 0) | QUIETLY, async (file) => {
    await file.truncate(0);
    await file.writeFile(content);
  });
}

async function replaceFile(path: string, content: string, mode: number): Promise<void> {
  // Checked first: a folder has several links, too.
  await withPlainFile(path, O_WRONLY | (O_NOFOLLOW ?? 0) | QUIETLY, async () => undefined);
  const draft = join(dirname(path), `.${basename(path).slice(0, 100)}.${randomHex(6)}.tmp`);
  try {
    const file = await open(draft, "wx", mode);
    await file.writeFile(content).finally(() => file.close());
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function withPlainFile<Result>(
  path: string,
  flags: number,
  work: (file: FileHandle) => Promise<Result>,
): Promise<Result> {
  const file = await open(path, flags, NEW_FILE_MODE);
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new NoPlainFile(path, stat.isDirectory() ? "folder" : "other");
    return await work(file);
  } finally {
    await file.close();
  }
}
