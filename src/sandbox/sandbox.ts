// A sandbox for one workspace, for as long as a session lasts: it turns a command into one that runs inside. Its private home
// and /tmp are made with the first command and removed at the end.
import { mkdirSync, mkdtempSync, realpathSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bwrapArguments } from "../core/sandbox/bwrap-arguments.js";
import { sandboxEnvironment } from "../core/sandbox/sandbox-environment.js";
import type { SandboxPolicy } from "../core/sandbox/sandbox-policy.js";
import { seatbeltProfile } from "../core/sandbox/seatbelt-profile.js";
import { isWithin, type PolicyWishes, type PrivateFolders, policyHere, SandboxError } from "./policy-here.js";
import { repositoryFolders } from "./repository-folders.js";
import { type SandboxAbility, sandboxAbility } from "./sandbox-ability.js";
import { type MayRead, mayReadPlain, unreadableIn } from "./secret-walk.js";

export type SandboxOptions = Omit<PolicyWishes, "workspace"> & {
  readonly folder: string;
  /** "secrets-in" for agents, which need the key of their model. */
  readonly secrets: "secrets-out" | "secrets-in";
};

/** Why there is none, and what would help; null when nothing would. */
export type NoSandbox = { readonly why: string; readonly advice: string | null };

export type BoxedCommand = {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Record<string, string>;
  /** To be called when it has ended. */
  release(): void;
};

export type WrapOptions = {
  /** Which files of the workspace stay readable; those that do not look like secrets, when it is left out. */
  readonly mayRead?: MayRead | undefined;
  /** Files and folders that this command may read besides. */
  readonly visible?: readonly string[];
};

export async function openSandbox(options: SandboxOptions): Promise<Sandbox | NoSandbox> {
  const ability = await sandboxAbility();
  if (!ability.works) return { why: ability.why, advice: ability.advice };
  const sandbox = new Sandbox(ability, options);
  try {
    sandbox.check();
    return sandbox;
  } catch (error) {
    sandbox.close();
    if (error instanceof SandboxError) return { why: error.message, advice: null };
    throw error;
  }
}

export class Sandbox {
  readonly workspace: string;
  readonly #ability: Extract<SandboxAbility, { works: true }>;
  readonly #options: SandboxOptions;
  #own: (PrivateFolders & { readonly top: string }) | null = null;
  readonly #remove = () => this.close();

  constructor(ability: Extract<SandboxAbility, { works: true }>, options: SandboxOptions) {
    this.#ability = ability;
    this.#options = options;
    this.workspace = realpathSync(options.folder);
  }

  /** Folders that look empty inside, but for what is shown of them; commands have a /tmp of their own. */
  get hidden(): string[] {
    const { hidden, replaced } = policyHere({ ...this.#options, workspace: this.workspace }, NONE);
    return [...hidden, ...replaced.map(({ at }) => at)].filter((path) => path !== "/tmp");
  }

  /** Throws a SandboxError when no command could be started in it. */
  check(): void {
    policyHere({ ...this.#options, workspace: this.workspace }, NONE);
  }

  /** `line` is the program and its arguments. */
  async wrap(
    line: readonly string[],
    env: NodeJS.ProcessEnv,
    { mayRead = mayReadPlain, visible = [] }: WrapOptions = {},
  ): Promise<BoxedCommand> {
    const found = this.#policy(visible);
    const policy = { ...found, masked: [...found.masked, ...(await this.#unreadable(mayRead))] };
    const entering = { ...sandboxEnvironment(env, this.#options.secrets), ...this.#places(policy) };
    const { program, kind } = this.#ability;
    const args =
      kind === "bubblewrap" ? [...bwrapArguments(policy, this.workspace), "--"] : ["-p", seatbeltProfile(policy)];
    return { program, args: [...args, ...line], env: entering, release: () => removeIfEmpty(policy.forbidden) };
  }

  // A workspace can be a part of a repository, of which the rest can be read, too.
  async #unreadable(mayRead: MayRead): Promise<SandboxPolicy["masked"]> {
    const around = await Promise.all(repositoryFolders(this.workspace).map((top) => unreadableIn(top, mayReadPlain)));
    const beside = around.flat().filter(({ path }) => !isWithin(path, this.workspace));
    return [...(await unreadableIn(this.workspace, mayRead)), ...beside];
  }

  close(): void {
    process.off("exit", this.#remove);
    if (this.#own !== null) rmSync(this.#own.top, { recursive: true, force: true, maxRetries: 5 });
    this.#own = null;
  }

  #policy(named: readonly string[]): SandboxPolicy {
    const visible = [...(this.#options.visible ?? []), ...named];
    return policyHere({ ...this.#options, workspace: this.workspace, visible }, this.#privateFolders());
  }

  // On macOS nothing can be mounted over the home folder, so the variables lead to the private ones.
  #places({ replaced }: SandboxPolicy): Record<string, string> {
    if (this.#ability.kind === "bubblewrap") return { TMPDIR: "/tmp" };
    const { home, tmp } = this.#privateFolders();
    return replaced.length === 0 ? {} : { HOME: home, TMPDIR: tmp };
  }

  #privateFolders(): PrivateFolders {
    if (this.#own !== null) return this.#own;
    const top = realpathSync(mkdtempSync(join(tmpdir(), "palaver-sandbox-")));
    const own = {
      top,
      home: join(top, "home"),
      tmp: join(top, "tmp"),
      empty: { file: join(top, "empty-file"), folder: join(top, "empty-folder") },
    };
    for (const folder of [own.home, own.tmp, own.empty.folder]) mkdirSync(folder, { mode: 0o700 });
    writeFileSync(own.empty.file, "", { mode: 0o400 });
    process.once("exit", this.#remove);
    this.#own = own;
    return own;
  }
}

/** For a look without a command. */
const NONE: PrivateFolders = { home: "", tmp: "", empty: { file: "", folder: "" } };

// Bubblewrap makes an empty folder where it needs one to mount on.
function removeIfEmpty(folders: readonly string[]): void {
  for (const folder of folders) {
    try {
      rmdirSync(folder);
    } catch {
      // It is not there, or something made it meanwhile that is not ours to remove.
    }
  }
}
