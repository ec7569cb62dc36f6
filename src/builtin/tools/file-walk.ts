// Walks over the files below a folder, always in the same order: by name, a folder before what comes after it. Links are
// reported and never entered, so that a walk ends and stays where it began; what cannot be opened is passed over.
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { IGNORE_BYTES_MAX, type IgnoreRule, isIgnored, parseIgnoreFile } from "../../session/ignore-rules.js";
import { WALK_ENTRIES_MAX } from "./limits.js";
import { textIfFile } from "./regular-file.js";
import { type WorkspacePath, workspaceRoot } from "./workspace-path.js";

type WalkOptions = {
  /** The top: ignore files count from here on, and paths are relative to it. Without links in it. */
  readonly root: string;
  /** Where to begin, relative to the root; "" for the root itself. */
  readonly start: string;
  readonly ignored: "left-out" | "included";
  readonly signal: AbortSignal;
};

/** Paths are relative to the root. At its end it says whether all of it was seen. */
export async function* walkFiles({
  root,
  start,
  ignored,
  signal,
}: WalkOptions): AsyncGenerator<{ path: string; kind: "file" | "link" }, "complete" | "too-many"> {
  const open: { folder: string; rules: readonly IgnoreRule[] }[] = [
    { folder: start, rules: ignored === "included" ? [] : await rulesAbove(root, start) },
  ];
  let seen = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    signal.throwIfAborted();
    const { folder } = next;
    const rules = ignored === "included" ? [] : [...next.rules, ...(await rulesOf(root, folder))];
    const entries = await entriesOf(join(root, folder));
    const folders: string[] = [];
    for (const entry of entries) {
      if (++seen > WALK_ENTRIES_MAX) return "too-many";
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      const kind = entry.isDirectory() ? "folder" : "file";
      if (ignored === "left-out" && isIgnored(rules, path, kind)) continue;
      if (kind === "folder") folders.push(path);
      else if (entry.isFile()) yield { path, kind: "file" };
      else if (entry.isSymbolicLink()) yield { path, kind: "link" };
    }
    open.push(...folders.reverse().map((each) => ({ folder: each, rules })));
  }
  return "complete";
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [] as Dirent[]);
  return entries.sort((a, b) => byName(a.name, b.name));
}

// The folder where a walk starts was named, so only what its parents say about its contents counts.
async function rulesAbove(root: string, start: string): Promise<IgnoreRule[]> {
  const names = start === "" ? [] : start.split("/");
  const parents = names.map((_, depth) => names.slice(0, depth).join("/"));
  return (await Promise.all(parents.map((base) => rulesOf(root, base)))).flat();
}

/** The rules of a folder's own .gitignore; none when it has none, or one that is not a plain file. */
async function rulesOf(root: string, base: string): Promise<IgnoreRule[]> {
  const text = await textIfFile(join(root, base, ".gitignore"), IGNORE_BYTES_MAX);
  return text === undefined ? [] : parseIgnoreFile(text, base);
}

/**
 * Where a search begins: the folder it was given, seen from the top whose ignore files and relative paths count. Inside the
 * workspace the workspace is the top, outside of it the folder itself is.
 */
export async function searchRoot(path: WorkspacePath, folder: string): Promise<{ root: string; start: string }> {
  if (path.reach === "outside") return { root: path.realPath, start: "" };
  return { root: await workspaceRoot(folder), start: path.subject === "." ? "" : path.subject };
}

/** The same order everywhere, whatever the language of the machine. */
export function byName(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
