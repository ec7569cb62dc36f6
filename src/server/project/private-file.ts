// Puts a file that only its owner can read in the place of another one: the old content or the new is there, never half of it.
import { randomBytes } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";

export async function replaceFile(path: string, text: string): Promise<void> {
  const fresh = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await writeFile(fresh, text, { mode: 0o600, flag: "wx" });
    await rename(fresh, path).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== "EISDIR" && error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
      // A folder in its place is moved aside, not emptied: what is in it is not ours.
      await rename(path, `${fresh}.aside`);
      await rename(fresh, path);
    });
  } finally {
    await rm(fresh, { force: true });
  }
}
