// Whoever was started is found, also when its parent is gone or it has cleaned its environment.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { MARK_VARIABLE, ProcessWatch } from "../../../tools/real-agents/process-watch.js";

describe.skipIf(!existsSync("/proc/self/environ"))("the watch over processes", () => {
  test("finds a process by its mark after its parent is gone, and nothing once it has ended", async () => {
    const watch = new ProcessWatch(`test-${process.pid}-a`);
    const env = { ...process.env, [MARK_VARIABLE]: watch.mark };
    const parent = spawn("sh", ["-c", "sleep 600 >/dev/null 2>&1 & echo $!"], {
      env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const pid = Number(await new Promise((resolve) => parent.stdout.once("data", resolve)));
    await new Promise((resolve) => parent.once("close", resolve));
    expect(watch.left()).toEqual([{ pid, command: "sleep 600" }]);
    process.kill(pid, "SIGKILL");
    await expect.poll(() => watch.left(), { timeout: 25_000 }).toEqual([]);
  });

  test("remembers those it has seen, even without a mark", async () => {
    const watch = new ProcessWatch(`test-${process.pid}-b`);
    const child = spawn("sleep", ["600"], { env: {}, stdio: "ignore" });
    await new Promise((resolve) => child.once("spawn", resolve));
    expect(watch.left()).toEqual([]);
    watch.look(child.pid ?? 0);
    expect(watch.left()).toMatchObject([{ pid: child.pid }]);
    child.kill("SIGKILL");
    await expect.poll(() => watch.left(), { timeout: 25_000 }).toEqual([]);
  });
});
