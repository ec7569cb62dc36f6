// Commands that run for an agent, each in its own process group. Output is reported in batches; all of them end with the agent.
import { type ChildProcess, spawn } from "node:child_process";
import { realpath } from "node:fs/promises";
import { StringDecoder } from "node:string_decoder";
import { keepWithUs, signalGroup } from "../../system/child-groups.js";
import type { AcpEffect, TerminalExit, TerminalProgress } from "../dialects/acp/acp-effect.js";
import type { EffectResult } from "../dialects/dialect.js";

type RunEffect = Extract<AcpEffect, { type: "terminal.run" }>;

/** The shortest time between two reports: a command may print byte by byte. */
const REPORT_EVERY_MS = 40;
const KILL_AFTER_MS = 2_000;

export class TerminalProcesses {
  private readonly running = new Map<string, ChildProcess>();

  async run(effect: RunEffect, report: (progress: TerminalProgress) => void): Promise<EffectResult> {
    const { command, args, env, cwd, id } = effect;
    if ((await realpath(cwd)) !== cwd) {
      return { ok: false, message: `${cwd} leads elsewhere than when it was allowed` };
    }
    return new Promise((resolve) => {
      const child = spawn(command, [...args], {
        cwd,
        env: { ...process.env, ...env },
        stdio: ["ignore", "pipe", "pipe"],
        detached: process.platform !== "win32",
        windowsHide: true,
      });
      const output = new PacedOutput(report);
      child.stdout.on("data", (chunk: Buffer) => output.push("stdout", chunk));
      child.stderr.on("data", (chunk: Buffer) => output.push("stderr", chunk));
      child.on("spawn", () => {
        keepWithUs(child);
        this.running.set(id, child);
        report({ kind: "started" });
      });
      child.on("error", (error) => {
        if (child.pid === undefined) resolve({ ok: false, message: error.message });
      });
      child.on("close", (exitCode, signal) => {
        this.running.delete(id);
        output.end();
        resolve({ ok: true, value: { exitCode, signal } satisfies TerminalExit });
      });
    });
  }

  kill(id: string): void {
    const child = this.running.get(id);
    if (child === undefined) return;
    signalGroup(child, "SIGTERM");
    const timer = setTimeout(() => signalGroup(child, "SIGKILL"), KILL_AFTER_MS);
    child.once("close", () => clearTimeout(timer));
  }

  close(): void {
    for (const child of this.running.values()) signalGroup(child, "SIGKILL");
  }
}

// Both streams in order of arrival; a character that was cut by a chunk is completed first.
class PacedOutput {
  private readonly report: (progress: TerminalProgress) => void;
  private readonly decoders = { stdout: new StringDecoder("utf8"), stderr: new StringDecoder("utf8") };
  private waiting = "";
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(report: (progress: TerminalProgress) => void) {
    this.report = report;
  }

  push(stream: "stdout" | "stderr", chunk: Buffer): void {
    this.waiting += this.decoders[stream].write(chunk);
    this.timer ??= setTimeout(() => this.flush(), REPORT_EVERY_MS);
  }

  end(): void {
    this.waiting += this.decoders.stdout.end() + this.decoders.stderr.end();
    this.flush();
  }

  private flush(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const text = this.waiting;
    this.waiting = "";
    if (text !== "") this.report({ kind: "output", text });
  }
}
