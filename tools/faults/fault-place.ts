// Where one try happens: a folder with a home, a project and a place for temporary files of its own, a mark by which every
// process of it is known, and a daemon beside it when the command needs one.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MARK_VARIABLE, ProcessWatch } from "../real-agents/process-watch.js";
import { recordedTalk } from "./recorded-talk.js";

const READY_LIMIT_MS = 15_000;
let places = 0;

export class FaultPlace {
  readonly folder = mkdtempSync(join(tmpdir(), "palaver-fault-"));
  readonly palaver: string;
  readonly agent: string;
  readonly watch: ProcessWatch;
  private readonly mark: string;
  private daemon: ChildProcess | null = null;

  constructor(palaver: string, agent: string) {
    places += 1;
    this.palaver = palaver;
    this.agent = agent;
    this.mark = `fault-${process.pid}-${places}`;
    this.watch = new ProcessWatch(this.mark);
    for (const name of ["home", "project", "temporary"]) mkdirSync(join(this.folder, name));
    writeFileSync(this.path("talk.jsonl"), recordedTalk());
    // As every editor does it reads its terminal; one that is left behind would take the shell's keys.
    writeFileSync(this.path("editor.sh"), "exec cat\n");
  }

  path(...names: string[]): string {
    return join(this.folder, ...names);
  }

  get environment(): Record<string, string> {
    return {
      ...this.plainEnvironment,
      [MARK_VARIABLE]: this.mark,
    };
  }

  /** What the built-in agent may do without asking. */
  allow(rule: string): void {
    mkdirSync(this.path("home", ".config", "palaver"), { recursive: true });
    writeFileSync(this.path("home", ".config", "palaver", "config.toml"), `[permissions]\nallow = ["${rule}"]\n`);
  }

  /** The command as the shell would type it. */
  command(...args: readonly string[]): string {
    return [process.execPath, this.palaver, ...args].map((word) => `'${word}'`).join(" ");
  }

  agentCommand(...args: readonly string[]): string[] {
    return [process.execPath, this.agent, ...args];
  }

  /** A daemon with a talkative agent in it; it is none of the processes that the try has to clean up. */
  async startDaemon(): Promise<void> {
    const args = [this.palaver, "serve", "--json", "--", ...this.agentCommand()];
    const child = spawn(process.execPath, args, {
      cwd: this.path("project"),
      env: this.plainEnvironment,
      stdio: ["ignore", "pipe", "ignore"],
    });
    this.daemon = child;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("the daemon did not start")), READY_LIMIT_MS);
      child.stdout?.once("data", () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  async close(): Promise<void> {
    for (const { pid } of this.watch.left()) kill(pid);
    if (this.daemon !== null && this.daemon.exitCode === null) {
      const { daemon } = this;
      const ended = new Promise((resolve) => daemon.once("exit", resolve));
      daemon.kill("SIGTERM");
      const timer = setTimeout(() => daemon.kill("SIGKILL"), READY_LIMIT_MS);
      await ended;
      clearTimeout(timer);
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  private get plainEnvironment(): Record<string, string> {
    return {
      PATH: process.env["PATH"] ?? "/usr/bin:/bin",
      TERM: "xterm-256color",
      LANG: "C.UTF-8",
      HOME: this.path("home"),
      TMPDIR: this.path("temporary"),
      EDITOR: `sh ${this.path("editor.sh")}`,
      PALAVER_MODEL: "offline",
    };
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}
