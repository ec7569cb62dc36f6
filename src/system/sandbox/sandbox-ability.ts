// Whether the system's sandbox works here: it is really started once, and the result is kept for this process. A program that
// is installed proves nothing, because containers and distributions forbid what it needs.
import { execFile } from "node:child_process";
import { accessSync, constants, readFileSync } from "node:fs";
import { join } from "node:path";
import { bwrapArguments, type SandboxPolicy } from "../../session/sandbox/sandbox-policy.js";

export type SandboxAbility =
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
