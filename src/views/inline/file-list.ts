// The files of a project, to be completed after an @: what a walk finds, without what the .gitignore files of a repository
// leave out. git is not asked, because it runs programs that a repository's settings name. The walk is bounded in time and
// in number, so that a home folder or a huge checkout holds nothing up.
import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { hostname } from "node:os";
import { join, relative, sep } from "node:path";
import { setImmediate } from "node:timers/promises";
import { isInnerPath, NOT_INNER } from "../../contract/inner-path.js";
import { IGNORE_BYTES_MAX, type IgnoreRule, isIgnored, parseIgnoreFile } from "../../session/ignore-rules.js";
import { insideProblem } from "../../system/inside-folder.js";
import { readPlainFile } from "../../system/plain-file.js";
import { FileFinder, type FolderPlace } from "../../terminal/painter/dialogs/file-finder.js";
import { gitFolderIn, repositoryTop } from "./git-branch.js";

const FILES_MAX = 20_000;
const LIMIT_MS = 3_000;
/** Rules are tried on every name; keys are handled in between. */
const SLICE_MS = 10;
/** Outside of a repository nothing says what is made by a program; most files are in these. */
const USUALLY_MADE: ReadonlySet<string> = new Set(["node_modules", "target", "dist", "build", "vendor", "__pycache__"]);

interface WalkedFolder {
  /** Below the folder of the list; "" for itself. */
  readonly path: string;
  readonly rules: readonly IgnoreRule[];
}

/** Finds files for a question. Files of another machine cannot be listed here: the user types a path, and that machine checks it. */
export function finderAt({ folder, host }: FolderPlace, nowMs: () => number): FileFinder {
  if (folder === undefined || host !== hostname()) {
    return new FileFinder({ list: async () => [], nowMs, problem: (path) => (isInnerPath(path) ? null : NOT_INNER) });
  }
  return new FileFinder({ list: () => listFiles(folder), nowMs, problem: (path) => insideProblem(folder, path) });
}

/** Paths below `folder`, with "/" between names. */
export async function listFiles(folder: string): Promise<readonly string[]> {
  const top = await repositoryTop(folder);
  return new FileWalk(folder, top).run(top === null ? [] : await rulesAbove(top, folder));
}

// Level by level, so that what is near is found before a limit is reached. Links are named and not followed.
class FileWalk {
  private readonly folder: string;
  /** From the top of the repository to the folder, with a slash at its end; null outside of a repository. */
  private readonly prefix: string | null;
  private readonly files: string[] = [];
  private readonly untilMs = performance.now() + LIMIT_MS;
  private pauseAtMs = performance.now() + SLICE_MS;

  constructor(folder: string, top: string | null) {
    this.folder = folder;
    this.prefix = top === null ? null : prefixOf(top, folder);
  }

  async run(rules: readonly IgnoreRule[]): Promise<readonly string[]> {
    let level: WalkedFolder[] = [{ path: "", rules }];
    while (level.length > 0 && !this.isOver) {
      const below: WalkedFolder[] = [];
      for (const each of level) below.push(...(this.isOver ? [] : await this.enter(each)));
      level = below;
    }
    return this.files.slice(0, FILES_MAX);
  }

  private get isOver(): boolean {
    return this.files.length >= FILES_MAX || performance.now() >= this.untilMs;
  }

  private async enter({ path, rules }: WalkedFolder): Promise<WalkedFolder[]> {
    const entries = await readdir(join(this.folder, path), { withFileTypes: true }).catch(() => [] as Dirent[]);
    const base = path === "" ? "" : `${path}/`;
    const hasRules = this.prefix !== null && entries.some(({ name }) => name === ".gitignore");
    const own = hasRules ? await rulesIn(join(this.folder, path), `${this.prefix}${base}`) : [];
    const all = [...rules, ...own];
    const below: WalkedFolder[] = [];
    for (const entry of entries) {
      if (this.isOver) break;
      if (performance.now() >= this.pauseAtMs) await this.pause();
      const child = base + entry.name;
      if (this.isLeftOut(child, entry, all)) continue;
      if (entry.isDirectory()) below.push({ path: child, rules: all });
      else this.files.push(child);
    }
    return below;
  }

  private isLeftOut(path: string, entry: Dirent, rules: readonly IgnoreRule[]): boolean {
    if (this.prefix !== null) return isIgnored(rules, this.prefix + path, entry.isDirectory() ? "folder" : "file");
    return entry.isDirectory() && (entry.name.startsWith(".") || USUALLY_MADE.has(entry.name));
  }

  private async pause(): Promise<void> {
    await setImmediate();
    this.pauseAtMs = performance.now() + SLICE_MS;
  }
}

function prefixOf(top: string, folder: string): string {
  const path = relative(top, folder).split(sep).join("/");
  return path === "" ? "" : `${path}/`;
}

/** What the repository's own list and the folders above say. */
async function rulesAbove(top: string, folder: string): Promise<IgnoreRule[]> {
  const names = prefixOf(top, folder).split("/").slice(0, -1);
  const bases = names.map((_, depth) => names.slice(0, depth).join("/"));
  const gitFolder = await gitFolderIn(top);
  const excluded = gitFolder === null ? [] : await rulesFrom(join(gitFolder, "info", "exclude"), "");
  const lists = await Promise.all(bases.map((base) => rulesIn(join(top, base), base)));
  return [...excluded, ...lists.flat()];
}

function rulesIn(folder: string, base: string): Promise<IgnoreRule[]> {
  return rulesFrom(join(folder, ".gitignore"), base.replace(/\/$/, ""));
}

/** None when it is not there or is not a plain file; a link is not followed. */
async function rulesFrom(path: string, base: string): Promise<IgnoreRule[]> {
  try {
    if (!(await lstat(path)).isFile()) return [];
    return parseIgnoreFile(String(await readPlainFile(path, IGNORE_BYTES_MAX)), base);
  } catch {
    return [];
  }
}
