// Finds the files a person means by a few letters of them. The list is made when it is first wanted and again when it has
// become old; while a new one is being made, the old one answers.
//
//   @pars   →   src/parser.ts, test/parser.test.ts, src/
import { fuzzyScore, NO_FIT } from "../../terminal/painter/dialogs/fuzzy-match.js";
import { safeLine } from "../../text/safe.js";

export interface FileFinderPorts {
  list(): Promise<readonly string[]>;
  nowMs(): number;
}

/** Whoever makes a file and names it a moment later finds it. */
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
    if (query === "") return this.paths.filter(isNear).slice(0, countMax);
    const fits = this.paths.flatMap((path) => {
      // What is written already need not be offered.
      const score = path === query ? NO_FIT : scoreOf(query, path);
      return score === NO_FIT ? [] : [{ path, score }];
    });
    fits.sort((a, b) => b.score - a.score || a.path.length - b.path.length || (a.path < b.path ? -1 : 1));
    return fits.slice(0, countMax).map(({ path }) => path);
  }

  private async freshened(): Promise<void> {
    if (this.ports.nowMs() - this.listedAtMs > FRESH_MS && this.listing === null) this.listing = this.listAgain();
    if (this.listedAtMs === Number.NEGATIVE_INFINITY) await this.listing;
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

function scoreOf(query: string, path: string): number {
  const end = path.endsWith("/") ? path.length - 1 : path.length;
  const name = path.slice(path.lastIndexOf("/", end - 1) + 1);
  const inName = query.includes("/") ? NO_FIT : fuzzyScore(query, name);
  return inName === NO_FIT ? fuzzyScore(query, path) : inName + IN_NAME;
}
