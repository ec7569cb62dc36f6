// What the person said "always" to, by project. It is kept in the person's own state folder and not in the workspace: a
// repository comes from somebody else, and must not be able to bring its own permissions along.
import { readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { makePrivateFolder } from "../state-folder.js";

const fileSchema = z.object({
  version: z.literal(1),
  projects: z.record(z.string(), z.object({ allow: z.array(z.string()) })),
});

type RuleFile = z.infer<typeof fileSchema>;

export class RuleMemory {
  readonly path: string;

  constructor(stateFolder: string) {
    this.path = join(stateFolder, "permissions.json");
  }

  async rulesOf(project: string): Promise<string[]> {
    return (await this.#read()).projects[project]?.allow ?? [];
  }

  // Read again right before it is written: another session may have added something.
  async add(project: string, rule: string): Promise<void> {
    const file = await this.#read();
    const known = file.projects[project]?.allow ?? [];
    if (known.includes(rule)) return;
    file.projects[project] = { allow: [...known, rule] };
    await makePrivateFolder(dirname(this.path));
    const fresh = `${this.path}.${process.pid}`;
    await writeFile(fresh, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
    await rename(fresh, this.path);
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
