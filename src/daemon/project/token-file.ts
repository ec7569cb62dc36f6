// The token of a project's daemon: 32 random bytes in a file that only its owner can read. It outlives the daemon, so that
// clients which were told it once go on working; a file that others could read is not trusted and replaced.
import { randomBytes } from "node:crypto";
import { link, readFile, rm, stat, writeFile } from "node:fs/promises";

/** A person may put a token of his own there; a shorter one could be guessed. */
const TOKEN_CHARS_MIN = 32;

/** Null when there is none that can be trusted. */
export async function readToken(path: string): Promise<string | null> {
  const found = await lookAt(path);
  return found === "missing" || found === "untrusted" ? null : found.token;
}

// Several daemons may start at once and must agree on one token: a link appears whole, and only for the first of them.
export async function ensureToken(path: string): Promise<string> {
  const found = await lookAt(path);
  if (found === "untrusted") await rm(path, { force: true });
  else if (found !== "missing") return found.token;
  const fresh = `${path}.${process.pid}`;
  await writeFile(fresh, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600 });
  await link(fresh, path).catch(() => undefined);
  await rm(fresh, { force: true });
  const token = await readToken(path);
  if (token === null) throw new Error(`no token can be kept in ${path}`);
  return token;
}

async function lookAt(path: string): Promise<{ token: string } | "missing" | "untrusted"> {
  try {
    const { mode, uid } = await stat(path);
    // Where there are no owners and modes, the folder of the account is all the privacy there is.
    const isPrivate = process.getuid === undefined || ((mode & 0o077) === 0 && uid === process.getuid());
    const token = (await readFile(path, "utf8")).trim();
    return isPrivate && token.length >= TOKEN_CHARS_MIN && !/\s/.test(token) ? { token } : "untrusted";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "missing" : "untrusted";
  }
}
