// The desk that the terminals stand on: a display of its own without a monitor, a private folder, an environment that is
// the same on every machine, and the processes that were started here, which are the only ones that are ended here.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";

const SCREEN = "1400x1000x24";
const APPEARS_LIMIT_MS = 10_000;
const LOOK_AGAIN_MS = 30;
const END_LIMIT_MS = 1_500;
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

export class Desk {
  /** Sockets live here too, and their paths must be short. */
  readonly folder: string;
  private readonly environment: Record<string, string>;
  private readonly children = new Set<ChildProcess>();
  private display: Promise<void> | undefined;

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.environment = {
      PATH: process.env["PATH"] ?? "/usr/bin:/bin",
      HOME: folder,
      LANG: "C.UTF-8",
      LC_ALL: "C.UTF-8",
      LIBGL_ALWAYS_SOFTWARE: "1",
      XDG_RUNTIME_DIR: folder,
      GDK_BACKEND: "x11",
      QT_QPA_PLATFORM: "xcb",
    };
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** Starts a program that stays, with its output in a log beside the rest. */
  start(command: string, args: readonly string[], extra: Readonly<Record<string, string>> = {}): ChildProcess {
    const log = openSync(this.path(`${command.split("/").at(-1)}.log`), "a");
    const child = spawn(command, args, {
      env: { ...this.environment, ...extra },
      cwd: this.folder,
      detached: true,
      stdio: ["pipe", log, log],
    });
    closeSync(log);
    this.watch(child);
    return child;
  }

  /** Runs a program to its end and gives what it printed; a failing one printed nothing worth reading. */
  run(command: string, args: readonly string[], extra: Readonly<Record<string, string>> = {}): Promise<string> {
    return new Promise((resolve) => {
      const env = { ...this.environment, ...extra };
      execFile(command, args, { env, maxBuffer: OUTPUT_BYTES_MAX }, (error, output) => resolve(error ? "" : output));
    });
  }

  /** The display starts with the first window that needs one, on a number that the server finds free. */
  openDisplay(): Promise<void> {
    this.display ??= this.startDisplay();
    return this.display;
  }

  /** Waits for a window of this class to show itself, and gives its id. */
  async untilWindow(className: string): Promise<string> {
    return until(`a window of ${className}`, async () => {
      const found = await this.run("xdotool", ["search", "--onlyvisible", "--class", className]);
      return found.trim().split("\n").at(-1) || undefined;
    });
  }

  async windowSize(window: string): Promise<{ width: number; height: number }> {
    const shell = await this.run("xdotool", ["getwindowgeometry", "--shell", window]);
    return { width: Number(/WIDTH=(\d+)/.exec(shell)?.[1]), height: Number(/HEIGHT=(\d+)/.exec(shell)?.[1]) };
  }

  async setWindowSize(window: string, width: number, height: number): Promise<void> {
    await this.run("xdotool", ["windowsize", window, String(Math.round(width)), String(Math.round(height))]);
  }

  async press(window: string, ...keys: readonly string[]): Promise<void> {
    await this.run("xdotool", ["windowfocus", window]);
    await this.run("xdotool", ["key", ...keys]);
  }

  async end(child: ChildProcess): Promise<void> {
    if (!this.children.has(child)) return;
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    signal(child, "SIGTERM");
    const timer = setTimeout(() => signal(child, "SIGKILL"), END_LIMIT_MS);
    await ended;
    clearTimeout(timer);
    // Its own children are in its group and may outlive it.
    signal(child, "SIGKILL");
  }

  async close(): Promise<void> {
    for (const child of [...this.children].reverse()) await this.end(child);
  }

  private watch(child: ChildProcess): void {
    this.children.add(child);
    child.once("exit", () => this.children.delete(child));
    child.once("error", () => this.children.delete(child));
  }

  private async startDisplay(): Promise<void> {
    const args = ["-displayfd", "3", "-screen", "0", SCREEN, "-noreset", "-nolisten", "tcp", "+extension", "GLX"];
    const server = spawn("Xvfb", args, { detached: true, stdio: ["ignore", "ignore", "ignore", "pipe"] });
    this.watch(server);
    const pipe = server.stdio[3] as Readable;
    const number = await new Promise<string>((resolve, reject) => {
      server.once("error", reject);
      server.once("exit", () => reject(new Error("Xvfb ended before it had a display.")));
      pipe.once("data", (chunk: Buffer) => resolve(chunk.toString().trim()));
    });
    this.environment["DISPLAY"] = `:${number}`;
  }
}

/** Looks again and again until there is something to give. */
export async function until<T>(what: string, look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  const startedMs = performance.now();
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() - startedMs > APPEARS_LIMIT_MS) throw new Error(`Waited in vain for ${what}.`);
    await elapsed(LOOK_AGAIN_MS);
  }
}

/** For terminals that say nothing when they have taken a key or a size. */
export function elapsed(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs));
}

function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, name);
  } catch {
    // The whole group has ended already.
  }
}
