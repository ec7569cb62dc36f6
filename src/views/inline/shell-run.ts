// Commands that the user runs with "!", in the user's own shell: shown like a tool of the agent's, and stopped like one. Each has
// a process group of its own, so that stopping it stops everything it started. The agent gets the output, without secrets, with
// the next prompt.
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { ShellEvent } from "../../session/engine/engine-messages.js";
import { activeSession } from "../../session/engine/engine-state.js";
import type { Source } from "../../session/engine/source.js";
import { joinedOutputs, SHELL_TOOL, shellOutput } from "../../session/shell-output.js";
import { keepWithUs, signalGroup } from "../../system/child-groups.js";
import { createRedactor, type Redactor, secretsIn } from "../../text/redact.js";

interface ShellCommandPorts {
  readonly shell: string;
  readonly folder: string;
  readonly source: Source;
}

export class ShellCommands {
  private readonly ports: ShellCommandPorts;
  private running: ShellRun | null = null;
  private isStopped = false;
  /** What the agents of the sessions have not been sent yet, by the keys of the sessions. */
  private readonly outputs = new Map<number, string>();

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

  /** What goes with the next prompt of a session, once; undefined when there is nothing. */
  takeOutputs(session: number): string | undefined {
    const outputs = this.outputs.get(session);
    this.outputs.delete(session);
    return outputs;
  }

  run(command: string): void {
    const { shell, folder, source } = this.ports;
    const { key: session } = activeSession(source.state);
    const record = (event: ShellEvent) => source.dispatch({ type: "shell", session, event });
    // An agent that knew the id could report for the command.
    const call = { sessionId: null, toolCallId: randomUUID(), name: SHELL_TOOL };
    const redactor = createRedactor(secretsIn(process.env));
    this.isStopped = false;
    record({ type: "tool.started", ...call, args: { command } });
    this.running = runInShell(command, {
      shell,
      folder,
      redactor,
      onOutput: (output) => record({ type: "tool.updated", ...call, output }),
      onEnd: (code, output, redacted) => {
        this.running = null;
        const end = this.isStopped ? "stopped" : code;
        record({ type: "tool.finished", ...call, output: withEnd(output, end), isError: code !== 0 });
        this.keep(session, shellOutput(command, withEnd(redacted, end), redactor.text));
      },
    });
  }

  /** Also what was taken for a prompt that was refused. */
  keep(session: number, output: string): void {
    this.outputs.set(session, joinedOutputs(this.outputs.get(session) ?? "", output));
  }
}

interface ShellRunPorts {
  readonly shell: string;
  readonly folder: string;
  readonly redactor: Redactor;
  /** All of its output so far, the oldest part given up when it is long. */
  onOutput(output: string): void;
  /**
   * `code` as a shell says it; null when it could not be started, with the words why in the output. `redacted` is the output
   * again: its secrets went before its oldest part.
   */
  onEnd(code: number | null, output: string, redacted: string): void;
}

interface ShellRun {
  stop(): void;
}

const OUTPUT_UNITS_MAX = 1024 * 1024;
const KILL_AFTER_MS = 2_000;

function runInShell(command: string, ports: ShellRunPorts): ShellRun {
  // Without pipes where too many files are open; the error comes as an event.
  const child: ChildProcess = spawn(ports.shell, ["-c", command], {
    cwd: ports.folder,
    stdio: ["ignore", "pipe", "pipe"],
    detached: process.platform !== "win32",
    env: { ...process.env, PAGER: "cat", GIT_PAGER: "cat" },
  });
  const withoutSecrets = ports.redactor.stream();
  let output = "";
  let redacted = "";
  const take = (chunk: string) => {
    output = (output + chunk).slice(-OUTPUT_UNITS_MAX);
    redacted = (redacted + withoutSecrets.push(chunk)).slice(-OUTPUT_UNITS_MAX);
    ports.onOutput(output);
  };
  child.stdout?.setEncoding("utf8").on("data", take);
  child.stderr?.setEncoding("utf8").on("data", take);
  keepWithUs(child);
  let kill: ReturnType<typeof setTimeout> | undefined;
  child.on("error", (error) => ports.onEnd(null, error.message, error.message));
  child.on("close", (code) => {
    clearTimeout(kill);
    if (child.pid !== undefined) ports.onEnd(code ?? 1, output, redacted + withoutSecrets.end());
  });
  return {
    stop() {
      signalGroup(child, "SIGTERM");
      kill ??= setTimeout(() => signalGroup(child, "SIGKILL"), KILL_AFTER_MS);
    },
  };
}

/** A command that failed may have written nothing; then how it ended is all that it says. */
function withEnd(output: string, end: number | null | "stopped"): string {
  if (end === 0 || end === null) return output;
  const gap = output === "" || output.endsWith("\n") ? "" : "\n";
  return `${output}${gap}${end === "stopped" ? "stopped" : `ended with code ${end}`}`;
}
