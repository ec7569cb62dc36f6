// Finds the files that a user means by a few letters of them. The list is made when it is first wanted and again when it has
// become old; while a new one is being made, the old one answers.
//
//   @pars   →   src/parser.ts, test/parser.test.ts, src/

import { looksSecret } from "../../../session/permission/secret-files.js";
import { safeLine } from "../../../text/safe.js";
import { fuzzyScore, NO_FIT } from "./fuzzy-match.js";

export interface FileFinderPorts {
  list(): Promise<readonly string[]>;
  nowMs(): number;
  /** Why this path cannot be chosen; null when it can. Every path can be where this is missing. */
  problem?(path: string): string | null;
}

/** Where files are: a folder, and the machine that has it. */
export interface FolderPlace {
  readonly folder?: string | undefined;
  readonly host?: string | undefined;
}

/** What a view gives to questions about files. */
export type FindFilesAt = (place: FolderPlace) => FileFinder;

/** A file that was created a moment ago is found. */
const FRESH_MS = 5_000;
/** A fit in the name itself beats any fit that needs its folders. */
const IN_NAME = 10_000;

export class FileFinder {
  private readonly ports: FileFinderPorts;
  private paths: readonly string[] = [];
  private listing: Promise<void> | null = null;
  private listedAtMs = Number.NEGATIVE_INFINITY;

  constructor(ports: FileFinderPorts) {
    this.ports = ports;
  }

  /** The best ones first; folders end in a slash. */
  async find(query: string, countMax: number): Promise<readonly string[]> {
    await this.freshened();
    return this.ranked(query).slice(0, countMax);
  }

  /**
   * What a question offers, of all that is listed by now: paths that can be chosen. One that is typed whole comes first, and
   * a name that looks secret only when it is typed whole.
   */
  offered(query: string, countMax: number): readonly string[] {
    const typed = query !== "" && this.problem(query) === null ? [query] : [];
    const found: string[] = [...typed];
    for (const path of this.ranked(query)) {
      if (found.length >= countMax) break;
      const isHidden = looksSecret(path.replace(/\/$/, "")) && nameOf(path) !== query;
      if (!isHidden && this.problem(path) === null) found.push(path);
    }
    return found;
  }

  problem(path: string): string | null {
    return this.ports.problem?.(path) ?? null;
  }

  // What is written already need not be offered.
  private ranked(query: string): string[] {
    if (query === "") return this.paths.filter(isNear);
    const fits = this.paths.flatMap((path) => {
      const score = path === query ? NO_FIT : scoreOf(query, path);
      return score === NO_FIT ? [] : [{ path, score }];
    });
    fits.sort((a, b) => b.score - a.score || a.path.length - b.path.length || (a.path < b.path ? -1 : 1));
    return fits.map(({ path }) => path);
  }

  /** Whether there is a list yet. */
  get isListed(): boolean {
    return this.listedAtMs !== Number.NEGATIVE_INFINITY;
  }

  /** Resolves when there is a list, which may be an old one while a new one is made. */
  async freshened(): Promise<void> {
    if (this.ports.nowMs() - this.listedAtMs > FRESH_MS && this.listing === null) this.listing = this.listAgain();
    if (!this.isListed) await this.listing;
  }

  private async listAgain(): Promise<void> {
    const files = await this.ports.list().catch(() => []);
    this.paths = withFolders(files);
    this.listedAtMs = this.ports.nowMs();
    this.listing = null;
  }
}

// A name that would act on the terminal cannot be shown as it is, so it cannot be chosen either.
function withFolders(files: readonly string[]): string[] {
  const folders = new Set<string>();
  const shown = files.filter((path) => safeLine(path) === path);
  for (const path of shown) {
    for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) folders.add(path.slice(0, at + 1));
  }
  return [...shown, ...folders].sort();
}

function isNear(path: string): boolean {
  return !path.slice(0, -1).includes("/") && !path.startsWith(".");
}

/** With the slash at the end of a folder. */
function nameOf(path: string): string {
  const end = path.endsWith("/") ? path.length - 1 : path.length;
  return path.slice(path.lastIndexOf("/", end - 1) + 1);
}

function scoreOf(query: string, path: string): number {
  const inName = query.includes("/") ? NO_FIT : fuzzyScore(query, nameOf(path));
  return inName === NO_FIT ? fuzzyScore(query, path) : inName + IN_NAME;
}
