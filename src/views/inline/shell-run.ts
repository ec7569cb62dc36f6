// Runs a command the person typed after "!", in the person's own shell, and reports what it writes. It has a process group
// of its own, so that stopping it stops everything it started. The agent does not hear of it.
import { spawn } from "node:child_process";
import { keepWithUs, signalGroup } from "../../system/child-groups.js";

export interface ShellRunPorts {
  readonly shell: string;
  readonly folder: string;
  /** All of its output so far, the oldest part given up when it is long. */
  onOutput(output: string): void;
  /** `code` as a shell says it; null when it could not be started, with the words why in the output. */
  onEnd(code: number | null, output: string): void;
}

export interface ShellRun {
  stop(): void;
}

const OUTPUT_UNITS_MAX = 1024 * 1024;
const KILL_AFTER_MS = 2_000;

export function runInShell(command: string, ports: ShellRunPorts): ShellRun {
  const child = spawn(ports.shell, ["-c", command], {
    cwd: ports.folder,
    stdio: ["ignore", "pipe", "pipe"],
    detached: process.platform !== "win32",
    env: { ...process.env, PAGER: "cat", GIT_PAGER: "cat" },
  });
  let output = "";
  const take = (chunk: string) => {
    output = (output + chunk).slice(-OUTPUT_UNITS_MAX);
    ports.onOutput(output);
  };
  child.stdout.setEncoding("utf8").on("data", take);
  child.stderr.setEncoding("utf8").on("data", take);
  keepWithUs(child);
  let kill: ReturnType<typeof setTimeout> | undefined;
  child.on("error", (error) => ports.onEnd(null, error.message));
  child.on("close", (code) => {
    clearTimeout(kill);
    if (child.pid !== undefined) ports.onEnd(code ?? 1, output);
  });
  return {
    stop() {
      signalGroup(child, "SIGTERM");
      kill ??= setTimeout(() => signalGroup(child, "SIGKILL"), KILL_AFTER_MS);
    },
  };
}
