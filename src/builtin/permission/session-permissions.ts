// The permission policy of one session: the rules it was given, what the user said "always" to, and its mode.

import { readFile, realpath, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import * as z from "zod";
import { errorMessage } from "../../contract/plain-word.js";
import {
  asRead,
  decidePermission,
  defaultPolicy,
  type LayeredRule,
  type PermissionMode,
  type PermissionPolicy,
  type Presence,
  suggestRule,
  withRule,
} from "../../session/permission/policy.js";
import type { PermissionDecision, PermissionRequest, PermissionVerdict } from "../../session/permission/request.js";
import { parseRule } from "../../session/permission/rule.js";
import { type FileLock, takeLock } from "../../system/file-lock.js";
import { makePrivateFolder } from "../state-folder.js";
import type { ReadSubject } from "../tool.js";

export type SessionPermissionsOptions = {
  readonly folder: string;
  readonly mode: PermissionMode;
  readonly presence: Presence;
  /** From the user's and the project's configuration. */
  readonly rules: readonly LayeredRule[];
  readonly memory: RuleMemory;
  onProblem(words: string): void;
};

export class SessionPermissions {
  readonly #options: SessionPermissionsOptions;
  readonly #project: string;
  #policy: PermissionPolicy;

  private constructor(options: SessionPermissionsOptions, project: string) {
    const { mode, presence, rules } = options;
    this.#options = options;
    this.#project = project;
    this.#policy = { ...defaultPolicy, mode, presence, rules: [...rules] };
  }

  static async open(options: SessionPermissionsOptions): Promise<SessionPermissions> {
    // The same folder by another name is the same project.
    const project = await realpath(options.folder);
    const permissions = new SessionPermissions(options, project);
    const remembered = await options.memory.rulesOf(project).catch(() => []);
    // Version 0.1 offered commands "with any arguments"; those are asked about again.
    for (const text of remembered.filter((each) => !/^bash\(.*:\*\)$/s.test(each))) permissions.#allow(text);
    return permissions;
  }

  /** The same rules and mode for another folder; what is remembered there stays in `stateFolder`. */
  forFolder(folder: string, stateFolder: string): Promise<SessionPermissions> {
    const memory = new RuleMemory(stateFolder);
    return SessionPermissions.open({ ...this.#options, folder, mode: this.mode, memory });
  }

  get mode(): PermissionMode {
    return this.#policy.mode;
  }

  setMode(mode: PermissionMode): void {
    this.#policy = { ...this.#policy, mode };
  }

  decide(request: PermissionRequest): PermissionVerdict {
    return decidePermission(this.#policy, request);
  }

  /** What it says to reading one file, whichever tool wants to. */
  readDecision(file: ReadSubject): PermissionDecision {
    return this.decide(asRead(file)).decision;
  }

  /** The rule that "always" would add; null when there should be none. */
  suggest(request: PermissionRequest): string | null {
    return suggestRule(request, this.#policy);
  }

  async remember(rule: string): Promise<void> {
    this.#allow(rule);
    try {
      await this.#options.memory.add(this.#project, rule);
    } catch (error) {
      const words = errorMessage(error);
      this.#options.onProblem(`"always" applies to this session only; it could not be saved: ${words}`);
    }
  }

  #allow(text: string): void {
    const parsed = parseRule(text, { decision: "allow", where: "what you chose before" });
    if (parsed.ok) this.#policy = withRule(this.#policy, "session", parsed.rule);
    else this.#options.onProblem(parsed.problem);
  }
}

// What the user said "always" to, by project. It is kept in the user's own state folder and not in the workspace: a
// repository may come from another author, and must not bring its own permissions along.
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
    if (waitedMs >= LOCK_WAIT_MS_MAX)
      throw new Error(`${path} is locked by another process; remove it if no Palaver is running`);
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
      throw new Error(`${this.path} is damaged: fix or remove it`);
    }
  }
}
