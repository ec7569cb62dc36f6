// A program that a daemon keeps running: its lines go to a log, it is restarted when it fails, and it ends with the daemon, with all
// that it started. A port says when it is ready.
import { type ChildProcess, spawn } from "node:child_process";
import { connect } from "node:net";
import { createLineSplitter, type RawLine } from "../../agents/dialects/frames/line-splitter.js";
import { keepWithUs, signalGroup } from "../../system/child-groups.js";
import { realTimers, type Timers } from "../../system/timers.js";
import { safeLine } from "../../text/safe.js";
import type { ExecutionHandler, HandlerLog } from "./handler.js";

export interface ProcessOptions {
  readonly cwd?: string;
  /** Added to the daemon's own. */
  readonly env?: Readonly<Record<string, string>>;
  /** When to start it again; after failures by default, at once and then after longer and longer pauses. */
  readonly restart?: "on-failure" | "always" | "never";
  /** It is ready when this port of this machine takes connections. */
  readonly port?: number;
  readonly timers?: Timers;
}

const RESTART_MS_MIN = 500;
const RESTART_MS_MAX = 30_000;
/** After this time a failure is not one of a row. */
const STEADY_MS = 30_000;
const PORT_PROBE_MS = 200;
const TERM_MS = 3_000;
const LINE_BYTES_MAX = 64 * 1024;

export class SupervisedProcess implements ExecutionHandler {
  private readonly title: string;
  private readonly command: string | readonly string[];
  private readonly options: ProcessOptions;
  private readonly onChange: () => void;
  private readonly timers: Timers;
  private log: HandlerLog = () => undefined;
  private child: ChildProcess | null = null;
  private gone: Promise<void> = Promise.resolve();
  private state = "not started";
  private failures = 0;
  private cancelWait: () => void = () => undefined;
  private isEnding = false;

  constructor(title: string, command: string | readonly string[], options: ProcessOptions, onChange: () => void) {
    this.title = title;
    this.command = command;
    this.options = options;
    this.onChange = onChange;
    this.timers = options.timers ?? realTimers;
  }

  name(): string {
    return this.title;
  }

  label(): string {
    return `Restart ${this.title}`;
  }

  value(): string {
    return this.state;
  }

  setLog(log: HandlerLog): void {
    this.log = log;
  }

  /** Restarts it. */
  async execute(): Promise<void> {
    await this.stop();
    this.failures = 0;
    if (!this.isEnding) this.start();
  }

  start(): void {
    const { command, options } = this;
    const [program = "", ...args] = typeof command === "string" ? ["/bin/sh", "-c", command] : command;
    const env = { ...process.env, ...options.env };
    const startedAtMs = performance.now();
    const child = spawn(program, args, {
      ...{ env, detached: process.platform !== "win32", stdio: ["ignore", "pipe", "pipe"] },
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    });
    this.child = child;
    keepWithUs(child);
    for (const stream of [child.stdout, child.stderr]) this.follow(stream);
    this.gone = new Promise((resolve) => {
      child.once("error", (error) => {
        if (child.pid === undefined) this.ended(child, `could not be started: ${error.message}`, true, startedAtMs);
        resolve();
      });
      child.once("close", (code, signal) => {
        this.ended(child, code === null ? `ended by ${signal}` : `exited with code ${code}`, code !== 0, startedAtMs);
        resolve();
      });
    });
    this.setState(options.port === undefined ? "running" : `starting; port ${options.port} is not open yet`);
    if (options.port !== undefined) this.probe(child, options.port);
  }

  /** Ends it and everything in its group; it is not started again by itself. */
  async stop(): Promise<void> {
    this.cancelWait();
    const { child } = this;
    if (child === null) return;
    this.child = null;
    signalGroup(child, "SIGTERM");
    const cancelKill = this.timers.after(TERM_MS, () => signalGroup(child, "SIGKILL"));
    await this.gone;
    cancelKill();
    // What it left behind in its group goes too.
    signalGroup(child, "SIGKILL");
    this.setState("stopped");
  }

  async close(): Promise<void> {
    this.isEnding = true;
    await this.stop();
  }

  private ended(child: ChildProcess, how: string, isFailure: boolean, startedAtMs: number): void {
    if (this.child !== child) return;
    this.child = null;
    signalGroup(child, "SIGKILL");
    const { restart = "on-failure" } = this.options;
    this.log(`${this.title} ${how}${isFailure ? " (failed)" : ""}`);
    const isAgain = !this.isEnding && (restart === "always" || (restart === "on-failure" && isFailure));
    if (!isAgain) {
      this.setState(how);
      return;
    }
    this.failures = performance.now() - startedAtMs > STEADY_MS ? 0 : this.failures;
    const delayMs = Math.min(RESTART_MS_MAX, RESTART_MS_MIN * 2 ** this.failures);
    this.failures += 1;
    this.setState(`${how}; restart in ${delayMs / 1_000} s`);
    this.cancelWait = this.timers.after(delayMs, () => this.start());
  }

  private follow(stream: ChildProcess["stdout"]): void {
    const splitter = createLineSplitter({ lineBytesMax: LINE_BYTES_MAX });
    const tell = (lines: readonly RawLine[]) => {
      for (const line of lines) {
        const text = safeLine(line.kind === "line" ? line.text : line.excerpt).trimEnd();
        if (text !== "") this.log(text);
      }
    };
    stream?.on("data", (chunk: Uint8Array) => tell(splitter.push(chunk)));
    stream?.on("end", () => tell(splitter.end()));
  }

  private probe(child: ChildProcess, port: number): void {
    const again = () => {
      this.cancelWait = this.timers.after(PORT_PROBE_MS, () => this.child === child && this.probe(child, port));
    };
    const socket = connect({ port, host: "127.0.0.1" });
    socket.once("error", () => this.child === child && again());
    socket.once("connect", () => {
      socket.destroy();
      if (this.child !== child) return;
      this.log(`${this.title} is ready at port ${port}`);
      this.setState(`running at port ${port}`);
    });
  }

  private setState(state: string): void {
    this.state = state;
    this.onChange();
  }
}
