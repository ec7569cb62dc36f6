// A sandbox for one workspace, for as long as a session lasts: it turns a command into one that runs inside. Its private home
// and /tmp are made with the first command and removed at the end.

import { execFile } from "node:child_process";
import { accessSync, closeSync, constants, openSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { sandboxEnvironment } from "../../session/sandbox/sandbox-environment.js";
import { bwrapArguments, type SandboxPolicy, seatbeltProfile } from "../../session/sandbox/sandbox-policy.js";
import type { CleanUpStep } from "../after-kill.js";
import { type GuardedPaths, guardedPathsIn } from "./guarded-paths.js";
import { HostProxy } from "./host-proxy.js";
import { makePlaceholders, markOf, placeholderSteps, removePlaceholders } from "./placeholders.js";
import {
  isWithin,
  type PolicyOptions,
  type PrivateFolders,
  policyHere,
  refuseWideWorkspace,
  waysTo,
  writableOf,
} from "./policy-here.js";
import { makePrivateFolders, type OwnFolders, refuseChanged, removePrivateFolders } from "./private-folders.js";
import { repositoryOf } from "./repository-folders.js";
import { SandboxError } from "./sandbox-error.js";
import { type MayRead, mayReadPlain, unreadableIn } from "./secret-walk.js";

export type SandboxOptions = Omit<PolicyOptions, "workspace"> & {
  readonly folder: string;
  /** "secrets-in" for agents, which need the key of their model. */
  readonly secrets: "secrets-out" | "secrets-in";
  /** Variables that enter although they are not among the usual ones. */
  readonly variables?: readonly string[];
  /** Hosts that can be reached although there is no network; on Linux only. */
  readonly hosts?: readonly string[];
};

/** Why there is none, and what would help; null when nothing would. */
export type NoSandbox = { readonly why: string; readonly advice: string | null };

export type BoxedCommand = {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Record<string, string>;
  /** Files and folders that look empty to it, because it may not read them. */
  readonly masked: readonly string[];
  /** For spawn, behind its three streams: it puts /dev/null in place of whatever we have inherited. */
  readonly moreStdio: readonly ("ignore" | number)[];
  /** With this option and a descriptor, the sandbox writes there an exit code only when the command has run; null: it cannot. */
  readonly statusOption: string | null;
  /** To be called when it has ended. */
  release(): void;
  /** The same for a process that outlives us. */
  readonly whenKilled: readonly CleanUpStep[];
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
  try {
    return new Sandbox(ability, options);
  } catch (error) {
    if (error instanceof SandboxError) return { why: error.message, advice: null };
    throw error;
  }
}

export class Sandbox {
  readonly workspace: string;
  readonly #ability: Extract<SandboxAbility, { works: true }>;
  readonly #options: SandboxOptions;
  #own: OwnFolders | null = null;
  #proxy: Promise<HostProxy> | null = null;
  readonly #running = new Set<BoxedCommand["release"]>();
  /** Commands that still run need their placeholders; what is done after a kill removes them. */
  readonly #remove = () => {
    if (this.#running.size === 0) this.close();
  };

  /** Throws a SandboxError for a workspace that is too wide; whatever else is wrong stops the commands, not the sandbox. */
  constructor(ability: Extract<SandboxAbility, { works: true }>, options: SandboxOptions) {
    this.#ability = ability;
    this.#options = options;
    this.workspace = realpathSync(options.folder);
    refuseWideWorkspace({ ...options, workspace: this.workspace });
  }

  /** Folders that look empty inside, but for what is shown of them; commands have a /tmp of their own. */
  get hidden(): string[] {
    const { hidden, replaced } = policyHere({ ...this.#options, workspace: this.workspace }, NONE, NOTHING_GUARDED);
    return [...hidden, ...replaced.map(({ at }) => at)].filter((path) => path !== "/tmp");
  }

  /** Why no command could be started in it now, or null. */
  problem(): string | null {
    try {
      guardedPathsIn(this.workspace, this.#options.environment);
      return null;
    } catch (error) {
      if (error instanceof SandboxError) return error.message;
      throw error;
    }
  }

  /** `line` is the program and its arguments. */
  async wrap(
    line: readonly string[],
    env: NodeJS.ProcessEnv,
    { mayRead = mayReadPlain, visible = [] }: WrapOptions = {},
  ): Promise<BoxedCommand> {
    const proxied = await this.#proxied(line);
    const unreadable = await this.#unreadable(mayRead);
    const guarded = guardedPathsIn(this.workspace, this.#options.environment);
    const found = this.#policy(visible, guarded);
    const hidden = unreadable.map(({ path }) => path);
    const policy = {
      ...found,
      replaced: [...found.replaced, ...proxied.shown],
      pinned: [...new Set([...found.pinned, ...waysTo(hidden, this.workspace)])],
      masked: [...found.masked, ...unreadable],
    };
    const entering = { ...sandboxEnvironment(env, this.#options), ...this.#places(policy), ...proxied.env };
    const { program, kind } = this.#ability;
    const boxed = { program, env: entering, masked: policy.masked.map(({ path }) => path) };
    if (kind === "bubblewrap") return { ...boxed, ...this.#mounted(policy, proxied.line) };
    const args = ["-p", seatbeltProfile(policy), ...proxied.line];
    return { ...boxed, args, moreStdio: [], statusOption: null, release: () => undefined, whenKilled: [] };
  }

  /** For as long as the command runs there is something to mount on, and something to put over what it would inherit. */
  #mounted(policy: SandboxPolicy, line: readonly string[]): Omit<BoxedCommand, "program" | "env" | "masked"> {
    const { top } = this.#privateFolders();
    const inherited = inheritedDescriptors();
    const mark = markOf(process.pid);
    const forbidden = makePlaceholders(policy.forbidden, mark);
    const nothing = openSync("/dev/null", "r+");
    const release = () => {
      if (!this.#running.delete(release)) return;
      removePlaceholders(forbidden, mark);
      closeSync(nothing);
    };
    this.#running.add(release);
    return {
      args: [...bwrapArguments({ ...policy, forbidden }, this.workspace), "--", ...line],
      moreStdio: inherited.map((kind) => (kind === "inherited" ? nothing : "ignore")),
      statusOption: "--json-status-fd",
      release,
      whenKilled: [...placeholderSteps(forbidden, mark), `remove:${top}`],
    };
  }

  async #proxied(line: readonly string[]) {
    const { hosts = [], network } = this.#options;
    if (hosts.length === 0 || network === "shared" || this.#ability.kind !== "bubblewrap") {
      return { shown: [], line, env: {} };
    }
    const path = join(this.#privateFolders().top, "proxy");
    this.#proxy ??= HostProxy.open(path, hosts);
    await this.#proxy;
    const { shown, ...rest } = HostProxy.around(line, path);
    return { shown: [shown], ...rest };
  }

  // A workspace can be a part of a repository, of which the rest can be read, too.
  async #unreadable(mayRead: MayRead): Promise<SandboxPolicy["masked"]> {
    const around = await Promise.all(
      repositoryOf(this.workspace).outside.map((top) => unreadableIn(top, mayReadPlain)),
    );
    const beside = around.flat().filter(({ path }) => !isWithin(path, this.workspace));
    return [...(await unreadableIn(this.workspace, mayRead)), ...beside];
  }

  close(): void {
    process.off("exit", this.#remove);
    for (const release of this.#running) release();
    void this.#proxy?.then((proxy) => proxy.close());
    this.#proxy = null;
    if (this.#own !== null) removePrivateFolders(this.#own);
    this.#own = null;
  }

  #policy(named: readonly string[], guarded: GuardedPaths): SandboxPolicy {
    const visible = [...(this.#options.visible ?? []), ...named];
    return policyHere({ ...this.#options, workspace: this.workspace, visible }, this.#privateFolders(), guarded);
  }

  // On macOS nothing can be mounted over the home folder, so the variables lead to the private ones.
  #places({ replaced }: SandboxPolicy): Record<string, string> {
    if (this.#ability.kind === "bubblewrap") return { TMPDIR: "/tmp" };
    const { home, tmp } = this.#privateFolders();
    return replaced.length === 0 ? {} : { HOME: home, TMPDIR: tmp };
  }

  #privateFolders(): OwnFolders {
    if (this.#own === null) {
      const writable = writableOf({ ...this.#options, workspace: this.workspace });
      this.#own = makePrivateFolders(this.#options.environment, writable);
      process.once("exit", this.#remove);
    }
    refuseChanged(this.#own);
    return this.#own;
  }
}

/** For a look without a command. */
const NOTHING_GUARDED: GuardedPaths = { existing: [], absent: [] };
const NONE: PrivateFolders = { home: "", tmp: "", empty: { file: "", folder: "" } };

const CLOSED_ON_EXEC = 0o2000000;
const DESCRIPTORS_MAX = 65_536;

/**
 * Files that were open when this process was started and that its children would inherit: a shell script may hold a lock, a log
 * or a folder open. Node closes its own files in a child, and not these. What each number from 3 on is for a child; throws a
 * SandboxError for numbers that are too high to list.
 */
function inheritedDescriptors(): ("none" | "inherited")[] {
  const inherited = new Set(openNumbers().filter((number) => number > 2 && isInherited(number)));
  const highest = Math.max(2, ...inherited);
  if (highest > DESCRIPTORS_MAX) throw new SandboxError(`descriptor ${highest} is open and would be inherited`);
  return Array.from({ length: highest - 2 }, (_, at) => (inherited.has(at + 3) ? "inherited" : "none"));
}

function openNumbers(): number[] {
  return readdirSync("/proc/self/fdinfo").map(Number);
}

function isInherited(number: number): boolean {
  try {
    const [, flags = "0"] = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${number}`, "utf8")) ?? [];
    return (Number.parseInt(flags, 8) & CLOSED_ON_EXEC) === 0;
  } catch {
    // The one that the list was read from.
    return false;
  }
}

// Whether the system's sandbox works here: it is really started once, and the result is kept for this process. A program that
// is installed proves nothing, because containers and distributions forbid what it needs.

type SandboxAbility =
  | { readonly works: true; readonly kind: "bubblewrap" | "seatbelt"; readonly program: string }
  | { readonly works: false; readonly why: string; readonly advice: string };

const PROBE_MS_MAX = 5_000;
const SEATBELT = "/usr/bin/sandbox-exec";
const NOTHING: SandboxPolicy = {
  writable: [],
  hidden: [],
  replaced: [],
  visible: [],
  pinned: [],
  guarded: [],
  forbidden: [],
  masked: [],
  empty: { file: "/dev/null", folder: "/" },
  network: "none",
};

let known: Promise<SandboxAbility> | null = null;

export function sandboxAbility(): Promise<SandboxAbility> {
  known ??= probe(process.platform);
  return known;
}

// Not those of PATH, which can be the workspace's: whatever is found there would run outside of any sandbox.
const SYSTEM_FOLDERS = ["/usr/bin", "/bin", "/usr/local/bin", "/run/wrappers/bin", "/run/current-system/sw/bin"];

export async function probe(platform: NodeJS.Platform, folders = SYSTEM_FOLDERS): Promise<SandboxAbility> {
  if (platform === "darwin") {
    const failure = await tried(SEATBELT, ["-p", "(version 1)(allow default)", "/usr/bin/true"]);
    if (failure === null) return { works: true, kind: "seatbelt", program: SEATBELT };
    return {
      works: false,
      why: `sandbox-exec does not work: ${failure}`,
      advice: "run Palaver outside another sandbox",
    };
  }
  if (platform !== "linux")
    return { works: false, why: `there is no sandbox for ${platform}`, advice: "use WSL or Linux" };
  const program = folders.map((folder) => join(folder, "bwrap")).find(isProgram);
  if (program === undefined) {
    return { works: false, why: "bubblewrap is not installed", advice: "install it, such as: apt install bubblewrap" };
  }
  const failure = await tried(program, [...bwrapArguments(NOTHING, "/"), "--", "/bin/sh", "-c", ":"]);
  return failure === null ? { works: true, kind: "bubblewrap", program } : { works: false, ...explained(failure) };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Null when it worked, else what went wrong in one line. */
function tried(program: string, args: readonly string[]): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(program, [...args], { timeout: PROBE_MS_MAX, cwd: "/", env: {} }, (error, _, stderr) => {
      const [line = ""] = stderr.trim().split("\n");
      resolve(error === null ? null : line || error.message);
    });
  });
}

const SWITCHES = [
  { name: "kernel.apparmor_restrict_unprivileged_userns", off: "1", set: "0" },
  { name: "kernel.unprivileged_userns_clone", off: "0", set: "1" },
  { name: "user.max_user_namespaces", off: "0", set: "15000" },
] as const;

function explained(failure: string): { why: string; advice: string } {
  const forbidding = SWITCHES.find(({ name, off }) => kernelSetting(name) === off);
  if (forbidding === undefined) {
    return { why: `bubblewrap does not work here: ${failure}`, advice: "in a container, allow user namespaces" };
  }
  const { name, set } = forbidding;
  return { why: `the system forbids user namespaces (${failure})`, advice: `sudo sysctl -w ${name}=${set}` };
}

function kernelSetting(name: string): string {
  try {
    return readFileSync(`/proc/sys/${name.replaceAll(".", "/")}`, "utf8").trim();
  } catch {
    return "";
  }
}
