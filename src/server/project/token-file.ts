// The token of a project's daemon: 32 random bytes in a file that only its owner can read. Every daemon makes its own, so that
// a token which got into the wrong hands is worth nothing once its daemon has ended.
import { randomBytes } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { replaceFile } from "./private-file.js";

/** A shorter one could be guessed. */
const TOKEN_CHARS_MIN = 32;

/** Null when there is none that can be trusted: others could have read it, or it is not a token. */
export async function readToken(path: string): Promise<string | null> {
  try {
    const { mode, uid } = await stat(path);
    // Where there are no owners and modes, the folder of the account is all the privacy there is.
    const isPrivate = process.getuid === undefined || ((mode & 0o077) === 0 && uid === process.getuid());
    const token = (await readFile(path, "utf8")).trim();
    return isPrivate && token.length >= TOKEN_CHARS_MIN && !/\s/.test(token) ? token : null;
  } catch {
    return null;
  }
}

export async function renewToken(path: string): Promise<string> {
  const token = randomBytes(32).toString("hex");
  await replaceFile(path, `${token}\n`);
  return token;
}
