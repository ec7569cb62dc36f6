// Commands that the user runs with "!", in the user's own shell: shown like a tool of the agent's, and stopped like one. Each has
// a process group of its own, so that stopping it stops everything it started. The agent does not hear of it.
import { spawn } from "node:child_process";
import type { ShellEvent } from "../../session/engine/engine-messages.js";
import type { Source } from "../../session/engine/source.js";
import { keepWithUs, signalGroup } from "../../system/child-groups.js";

/** What the commands of the user are called among the tools. */
export const SHELL_TOOL = "!";

interface ShellCommandPorts {
  readonly shell: string;
  readonly folder: string;
  readonly source: Source;
}

export class ShellCommands {
  private readonly ports: ShellCommandPorts;
  private running: ShellRun | null = null;
  private count = 0;
  private isStopped = false;

  constructor(ports: ShellCommandPorts) {
    this.ports = ports;
  }

  get isRunning(): boolean {
    return this.running !== null;
  }

  stop(): void {
    this.isStopped = true;
    this.running?.stop();
  }

  run(command: string): void {
    this.count += 1;
    const { shell, folder, source } = this.ports;
    const record = (event: ShellEvent) => source.dispatch({ type: "shell", event });
    const call = { sessionId: null, toolCallId: `shell-${this.count}`, name: SHELL_TOOL };
    this.isStopped = false;
    record({ type: "tool.started", ...call, args: { command } });
    this.running = runInShell(command, {
      shell,
      folder,
      onOutput: (output) => record({ type: "tool.updated", ...call, output }),
      onEnd: (code, output) => {
        this.running = null;
        const told = toldOutput(output, this.isStopped ? "stopped" : code);
        record({ type: "tool.finished", ...call, output: told, isError: code !== 0 });
      },
    });
  }
}

interface ShellRunPorts {
  readonly shell: string;
  readonly folder: string;
  /** All of its output so far, the oldest part given up when it is long. */
  onOutput(output: string): void;
  /** `code` as a shell says it; null when it could not be started, with the words why in the output. */
  onEnd(code: number | null, output: string): void;
}

interface ShellRun {
  stop(): void;
}

const OUTPUT_UNITS_MAX = 1024 * 1024;
const KILL_AFTER_MS = 2_000;

function runInShell(command: string, ports: ShellRunPorts): ShellRun {
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

/** A command that failed may have written nothing; then how it ended is all that it says. */
function toldOutput(output: string, end: number | null | "stopped"): string {
  if (end === 0 || end === null) return output;
  const gap = output === "" || output.endsWith("\n") ? "" : "\n";
  return `${output}${gap}${end === "stopped" ? "stopped" : `ended with code ${end}`}`;
}
