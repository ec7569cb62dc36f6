// What the person said "always" to, by project. It is kept in the person's own state folder and not in the workspace: a
// repository comes from somebody else, and must not be able to bring its own permissions along.
import { readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import * as z from "zod";
import { type FileLock, takeLock } from "../../system/file-lock.js";
import { makePrivateFolder } from "../state-folder.js";

const fileSchema = z.object({
  version: z.literal(1),
  projects: z.record(z.string(), z.object({ allow: z.array(z.string()) })),
});

type RuleFile = z.infer<typeof fileSchema>;

/** A writer holds the lock for milliseconds; one that takes this long is stuck. */
const LOCK_WAIT_MS_MAX = 5_000;
const LOCK_PAUSE_MS = 10;

async function lockedSoon(path: string): Promise<FileLock> {
  for (let waitedMs = 0; ; waitedMs += LOCK_PAUSE_MS) {
    const attempt = await takeLock(path);
    if (attempt.kind === "taken") return attempt.lock;
    if (waitedMs >= LOCK_WAIT_MS_MAX) throw new Error(`${path} is held by another process; remove it if none runs`);
    await setTimeout(LOCK_PAUSE_MS);
  }
}

export class RuleMemory {
  readonly path: string;

  constructor(stateFolder: string) {
    this.path = join(stateFolder, "permissions.json");
  }

  async rulesOf(project: string): Promise<string[]> {
    return (await this.#read()).projects[project]?.allow ?? [];
  }

  // Read and written under a lock, so that sessions which remember something at the same moment lose none of it.
  async add(project: string, rule: string): Promise<void> {
    await makePrivateFolder(dirname(this.path));
    const lock = await lockedSoon(`${this.path}.lock`);
    try {
      const file = await this.#read();
      const known = file.projects[project]?.allow ?? [];
      if (known.includes(rule)) return;
      file.projects[project] = { allow: [...known, rule] };
      const fresh = `${this.path}.${process.pid}`;
      await writeFile(fresh, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
      await rename(fresh, this.path);
    } finally {
      await lock.release();
    }
  }

  // A file that cannot be understood is not overwritten: it fails, in words.
  async #read(): Promise<RuleFile> {
    const text = await readFile(this.path, "utf8").catch(() => null);
    if (text === null) return { version: 1, projects: {} };
    try {
      return fileSchema.parse(JSON.parse(text));
    } catch {
      throw new Error(`${this.path} is damaged: mend it, or remove it`);
    }
  }
}
