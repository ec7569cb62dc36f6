// A command without a terminal, whoever runs the tests, in a process group of its own.
import { spawn } from "node:child_process";
import { expect } from "vitest";
import { type Ended, palaver } from "../run-program.js";

export function startAlone(args: readonly string[], { cwd, env }: { cwd: string; env: Record<string, string> }) {
  const child = spawn(process.execPath, [palaver, ...args], {
    cwd,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => (stdout += chunk));
  child.stderr.on("data", (chunk) => (stderr += chunk));
  const ended = new Promise<Ended>((resolve) =>
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr })),
  );
  const foundId = () => /waits at the daemon: palaver answer (\w+)/.exec(stderr)?.[1] ?? "";
  return {
    child,
    ended,
    stderr: () => stderr,
    /** The id under which it says that its question waits. */
    async waitingId(): Promise<string> {
      await expect.poll(foundId, { timeout: 20_000 }).not.toBe("");
      return foundId();
    },
    /** With SIGKILL. */
    async kill(): Promise<void> {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
