// Finds the files of a workspace that a command may not read: those that look like a secret, and those that a rule is about.
// Installed packages are not searched. A folder that cannot be searched is hidden, and where there are too many folders or
// files, or one cannot be named to the sandbox, no command is started: a command could have made it so.
import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { looksSecret } from "../../session/permission/secret-files.js";
import type { SandboxPolicy } from "../../session/sandbox/sandbox-policy.js";
import { SandboxError } from "./sandbox-error.js";

const FOLDERS_SEARCHED_MAX = 50_000;
/** As many as bubblewrap takes with what else it is told. */
const FOUND_MAX = 2_500;
const FOLDERS_AT_ONCE = 32;
const SKIPPED = new Set([".git", "node_modules"]);

/** Whether a file may be read, by its path below the workspace. */
export type MayRead = (path: string) => boolean;

export const mayReadPlain: MayRead = (path) => !looksSecret(path);

type Masked = SandboxPolicy["masked"][number];

/** Throws a SandboxError where not all of them can be found or hidden. */
export async function unreadableIn(root: string, mayRead: MayRead): Promise<Masked[]> {
  const walk = new SecretWalk(root, mayRead);
  let searched = 0;
  for (let open = [""]; open.length > 0; searched += open.length) {
    if (searched + open.length > FOLDERS_SEARCHED_MAX) {
      throw new SandboxError(`${root} has more than ${FOLDERS_SEARCHED_MAX} folders to search for secrets`);
    }
    const inside: string[] = [];
    for (let at = 0; at < open.length; at += FOLDERS_AT_ONCE) {
      const found = await Promise.all(open.slice(at, at + FOLDERS_AT_ONCE).map((folder) => walk.search(folder)));
      inside.push(...found.flat());
    }
    open = inside;
  }
  return walk.found;
}

// A path is kept as one character for each of its bytes: not every name on a disk is UTF-8.
class SecretWalk {
  readonly found: Masked[] = [];
  readonly #root: string;
  readonly #mayRead: MayRead;

  constructor(root: string, mayRead: MayRead) {
    this.#root = root;
    this.#mayRead = mayRead;
  }

  /** The folders in this one that are to be searched. */
  async search(folder: string): Promise<string[]> {
    const open: string[] = [];
    for (const entry of await this.#entriesOf(folder)) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      const text = textOf(path);
      if (SKIPPED.has(entry.name)) continue;
      if (entry.isDirectory() && !(looksSecret(text) && !this.#mayRead(`${text}/x`))) open.push(path);
      else if (entry.isDirectory()) this.#hide(path, "folder");
      else if (entry.isFile() && !this.#mayRead(text)) this.#hide(path, "file");
      else if (entry.isSymbolicLink() && !this.#mayRead(text)) await this.#hideTarget(path);
    }
    return open;
  }

  #hide(path: string, kind: Masked["kind"]): void {
    const whole = join(this.#root, textOf(path));
    if (path === "") throw new SandboxError(`${whole} cannot be searched for secrets`);
    if (bytesOf(textOf(path)) !== path) throw new SandboxError(`${whole} cannot be hidden: its name is not UTF-8`);
    if (this.found.length === FOUND_MAX) {
      throw new SandboxError(`${this.#root} has more than ${FOUND_MAX} files that commands may not read`);
    }
    this.found.push({ path: whole, kind });
  }

  /** A link with a secret's name leads to a secret. Outside of the root, what may be read is decided by other rules. */
  async #hideTarget(path: string): Promise<void> {
    const target = await realpath(this.#whole(path), "latin1").catch(() => null);
    const root = `${bytesOf(this.#root)}/`;
    if (!target?.startsWith(root)) return;
    const inside = target.slice(root.length);
    this.#hide(inside, (await stat(this.#whole(inside))).isDirectory() ? "folder" : "file");
  }

  async #entriesOf(folder: string): Promise<Dirent[]> {
    try {
      return await readdir(this.#whole(folder), { withFileTypes: true, encoding: "latin1" });
    } catch (error) {
      // What it may be read by can be changed from inside.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") this.#hide(folder, "folder");
      return [];
    }
  }

  #whole(path: string): Buffer {
    return Buffer.concat([Buffer.from(`${this.#root}/`), Buffer.from(path, "latin1")]);
  }
}

function textOf(path: string): string {
  return Buffer.from(path, "latin1").toString("utf8");
}

function bytesOf(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}
