// The sandbox around a whole agent, for --sandbox. It keeps the network and its variables, because it has to reach its model,
// and writes in the workspace and in the folders where it keeps its own state. Where a sandbox was asked for and does not
// work, nothing is started.
import { existsSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { AgentCommand } from "../agents/agent-process.js";
import { findProgram } from "../agents/found-program.js";
import { stateFoldersOf } from "../agents/presets.js";
import type { Settings } from "../session/settings/setting-table.js";
import { isWithin } from "../system/sandbox/policy-here.js";
import { type NoSandbox, openSandbox, Sandbox } from "../system/sandbox/sandbox.js";
import { UsageError } from "./exit-codes.js";

export type SandboxFlags = { readonly sandbox?: boolean | undefined; readonly "no-sandbox"?: boolean | undefined };

export const sandboxFlags = {
  sandbox: { type: "boolean" },
  "no-sandbox": { type: "boolean" },
} as const;

/** What the flags say: the sandbox has to work, is not wanted, or is left to the settings. */
export function sandboxChoice({
  sandbox = false,
  "no-sandbox": none = false,
}: SandboxFlags): "on" | "off" | "settings" {
  if (sandbox && none) throw new UsageError("use --sandbox or --no-sandbox, not both");
  return sandbox ? "on" : none ? "off" : "settings";
}

export class AgentBox {
  readonly #sandbox: Sandbox;

  private constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  /** Throws a UsageError when the sandbox does not work here. */
  static async open(folder: string, { command }: AgentCommand, settings: Settings): Promise<AgentBox> {
    const state = isProgramOf(folder, command) ? NO_STATE : stateFoldersOf(command);
    const inHome = (names: readonly string[]) => names.map((name) => join(homedir(), name));
    const opened = await openSandbox({
      folder,
      environment: process.env,
      network: "shared",
      secrets: "secrets-in",
      writable: inHome(state.writable),
      guarded: inHome(state.guarded),
      makes: state.makes,
      visible: readable(settings),
    });
    return new AgentBox(checked(opened));
  }

  async boxed({ command, args, env, ...rest }: AgentCommand): Promise<AgentCommand> {
    const line = [command, ...args];
    const inside = await this.#sandbox.wrap(line, { ...process.env, ...env }, { visible: filesNamedIn(line) });
    // Variables that stay outside are named, because a command's are added to ours.
    const left = Object.keys(process.env).filter((name) => !Object.hasOwn(inside.env, name));
    const without = Object.fromEntries(left.map((name) => [name, undefined]));
    return {
      ...rest,
      command: inside.program,
      args: inside.args,
      env: { ...without, ...inside.env },
      box: inside,
      place: "sandbox",
    };
  }

  close(): void {
    this.#sandbox.close();
  }
}

const NO_STATE = { writable: [], guarded: [], makes: [] };

/** Whether the folder brings this program along: its name proves nothing then. */
function isProgramOf(folder: string, command: string): boolean {
  const program = findProgram(command, process.env);
  const paths = program === null ? [] : [resolve(program), realpathSync(program)];
  return paths.some((path) => isWithin(path, realpathSync(folder)) || isWithin(path, folder));
}

// The program's folder, and files that it is told about by their whole path: a script, a list of servers.
function filesNamedIn([program = "", ...args]: readonly string[]): string[] {
  const folder = isAbsolute(program) && existsSync(program) ? [program, dirname(realpathSync(program))] : [];
  const files = args.filter((arg) => isAbsolute(arg) && statSync(arg, { throwIfNoEntry: false })?.isFile() === true);
  return [...folder, ...files];
}

/** Folders that the user wants to be readable in the sandbox; ~ is their home. */
export function readable({ sandbox_read }: Settings): string[] {
  return sandbox_read.map((path) => (path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : path));
}

/** For the embedded agent: its commands are in the sandbox, not the agent itself. */
export async function embeddedEnvironment(
  choice: ReturnType<typeof sandboxChoice>,
  folder: string,
): Promise<Record<string, string>> {
  if (choice === "settings") return {};
  if (choice === "off") return { PALAVER_SANDBOX: "off" };
  const opened = await openSandbox({ folder, environment: process.env, network: "none", secrets: "secrets-out" });
  checked(opened).close();
  return { PALAVER_SANDBOX: "workspace" };
}

/** Throws a UsageError when no command could be started in it. */
function checked(opened: Sandbox | NoSandbox): Sandbox {
  if (!(opened instanceof Sandbox)) throw new UsageError(refusal(opened));
  const why = opened.problem();
  if (why === null) return opened;
  opened.close();
  throw new UsageError(refusal({ why, advice: null }));
}

function refusal({ why, advice }: NoSandbox): string {
  return `the sandbox does not work: ${why}${advice === null ? "" : `\n  ${advice}`}`;
}
