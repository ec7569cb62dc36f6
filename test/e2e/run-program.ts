// Runs a program to its end with everything a test wants to know of it. The time limit is there for programs that
// hang: it fails the test, it never decides one.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const projectRoot = fileURLToPath(new URL("../..", import.meta.url));
export const palaver = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

export type Ended = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string };

export type RunOptions = {
  /** What is written to stdin before it is closed; "open" leaves it open and silent. */
  stdin?: string | "open";
  cwd?: string;
  env?: Record<string, string>;
};

const HANGS_AFTER_MS = 60_000;

/** A terminal as most are, for a program that has nothing else of the user's own. */
export const plainEnvironment: Readonly<Record<string, string>> = {
  PATH: process.env["PATH"] ?? "",
  TERM: "xterm-256color",
  LANG: "C.UTF-8",
};

/** Nothing a test does reaches the user's own sessions, settings or models. Empty when a file begins. */
export const aside = join(tmpdir(), `palaver-e2e-${randomUUID()}`);
export const ownEnvironment: Readonly<Record<string, string>> = {
  XDG_STATE_HOME: join(aside, "state"),
  XDG_CONFIG_HOME: join(aside, "config"),
  PALAVER_MODEL: "offline",
  // The same on every machine; tests of the sandbox turn it on.
  PALAVER_SANDBOX: "off",
};

export function runProgram(command: string, args: string[], options: RunOptions = {}): Promise<Ended> {
  const { stdin = "", cwd = projectRoot, env = {} } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...ownEnvironment, ...env },
      timeout: HANGS_AFTER_MS,
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk) => (stdout += chunk));
    child.stderr.on("data", (chunk) => (stderr += chunk));
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
    child.stdin.on("error", () => {});
    if (stdin !== "open") child.stdin.end(stdin);
  });
}

export function runPalaver(args: string[], options: RunOptions = {}): Promise<Ended> {
  return runProgram(process.execPath, [palaver, ...args], options);
}
