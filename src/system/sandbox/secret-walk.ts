// Finds the files of a workspace that a command may not read: those that look like a secret, and those that a rule is about.
// Folders near the top come first, and the search is bounded; installed packages are not searched.
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { looksSecret } from "../../session/permission/secret-files.js";
import type { SandboxPolicy } from "../../session/sandbox/sandbox-policy.js";

const FOLDERS_SEARCHED_MAX = 4_000;
const SKIPPED = new Set([".git", "node_modules"]);

/** Whether a file may be read, by its path below the workspace. */
export type MayRead = (path: string) => boolean;

export const mayReadPlain: MayRead = (path) => !looksSecret(path);

export async function unreadableIn(root: string, mayRead: MayRead): Promise<SandboxPolicy["masked"]> {
  const found: { path: string; kind: "file" | "folder" }[] = [];
  const open = [""];
  for (let at = 0; at < open.length && at < FOLDERS_SEARCHED_MAX; at += 1) {
    const folder = open[at] ?? "";
    for (const entry of await entriesOf(join(root, folder))) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      const kind = entry.isDirectory() ? "folder" : entry.isFile() ? "file" : null;
      if (kind === null || SKIPPED.has(entry.name)) continue;
      const isHidden = kind === "folder" ? looksSecret(path) && !mayRead(`${path}/x`) : !mayRead(path);
      if (isHidden) found.push({ path: join(root, path), kind });
      else if (kind === "folder") open.push(path);
    }
  }
  return found;
}

function entriesOf(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}
