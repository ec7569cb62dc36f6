// Runs that can be resumed: which agent, where, which of its sessions, and the ask that was not answered. One
// small file each, private to its owner; the oldest go when there are too many.
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stateFolder } from "../../builtin/state-folder.js";
import type { Ask } from "../../contract/asks.js";
import { SESSION_PREFIX_MIN } from "../../contract/named-session.js";

export interface RunRecord {
  readonly version: 1;
  /** The agent's name for its session. */
  readonly session: string;
  /** As it was called: a name, or null for a command of one's own. */
  readonly agent: string | null;
  readonly command: string;
  readonly args: readonly string[];
  readonly protocol: string;
  readonly folder: string;
  /** Null when the run came to its end. */
  readonly ask: Ask | null;
  /** The id under which that ask waits at the daemon of the folder. */
  readonly waitsAs?: string;
  readonly savedAtMs: number;
}

/** Those of this user. */
export function promptRuns(): PausedRuns {
  return new PausedRuns(join(stateFolder(process.env), "prompts"));
}

const RUNS_MAX = 200;
const SESSION_UNITS_MAX = 200;

export class PausedRuns {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** False when it cannot be kept; that is no reason to fail. */
  save(record: RunRecord): boolean {
    const path = this.pathOf(record.session);
    if (path === null) return false;
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      chmodSync(this.folder, 0o700);
      writeFileSync(`${path}.new`, `${JSON.stringify(record)}\n`, { mode: 0o600 });
      renameSync(`${path}.new`, path);
      this.forgetOldest();
      return true;
    } catch {
      return false;
    }
  }

  /** By its session, or the beginning of its name that no other has. */
  find(session: string): RunRecord | null {
    const path = this.pathOf(session);
    const exact = path === null ? null : readRecord(path);
    if (exact !== null || session.length < SESSION_PREFIX_MIN) return exact;
    const [only, ...more] = this.all().filter((record) => record.session.startsWith(session));
    return more.length === 0 ? (only ?? null) : null;
  }

  all(): RunRecord[] {
    return this.paths()
      .map(readRecord)
      .filter((record): record is RunRecord => record !== null);
  }

  /** The newest run of this agent in this folder. */
  latest(about: Pick<RunRecord, "agent" | "command" | "folder">): RunRecord | null {
    const matching = this.all().filter(({ agent, command, folder }) => {
      const isSameAgent = about.agent === null ? command === about.command : agent === about.agent;
      return isSameAgent && folder === about.folder;
    });
    return matching.sort((a, b) => b.savedAtMs - a.savedAtMs)[0] ?? null;
  }

  private forgetOldest(): void {
    const paths = this.paths();
    if (paths.length <= RUNS_MAX) return;
    const byAge = paths.map((path) => ({ path, atMs: statSync(path).mtimeMs })).sort((a, b) => b.atMs - a.atMs);
    for (const { path } of byAge.slice(RUNS_MAX)) rmSync(path, { force: true });
  }

  private paths(): string[] {
    try {
      return readdirSync(this.folder)
        .filter((name) => name.endsWith(".json"))
        .map((name) => join(this.folder, name));
    } catch {
      return [];
    }
  }

  // A session may be called anything: no name leads out of the folder.
  private pathOf(session: string): string | null {
    const name = encodeURIComponent(session.replace(/[\ud800-\udfff]/g, "_")).replaceAll(".", "%2E");
    return name === "" || name.length > SESSION_UNITS_MAX ? null : join(this.folder, `${name}.json`);
  }
}

function readRecord(path: string): RunRecord | null {
  try {
    const record = JSON.parse(readFileSync(path, "utf8")) as Partial<RunRecord>;
    const isRecord = record.version === 1 && typeof record.session === "string" && typeof record.command === "string";
    return isRecord ? (record as RunRecord) : null;
  } catch {
    return null;
  }
}
