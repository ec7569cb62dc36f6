// Commands that the person runs with "!": told like a tool of the agent's, one at a time, and stopped like one.
import type { ShellEvent } from "../../session/engine/engine-messages.js";
import { SHELL_TOOL, toldOutput } from "../inline/key-actions.js";
import { runInShell, type ShellRun } from "../inline/shell-run.js";

export interface ShellCommandPorts {
  readonly shell: string;
  readonly folder: string;
  record(event: ShellEvent): void;
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
    const { shell, folder, record } = this.ports;
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
