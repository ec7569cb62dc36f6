// One process at a time writes to a session, and a refusal says which one has it open.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lockSession } from "../../../src/builtin/session/session-file.js";
import { processStat } from "../../../src/system/process-stat.js";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "palaver-lock-"));
  path = join(folder, "s1.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

const SINCE_MS = Date.parse("2026-03-01T12:04:00Z");

type Holder = { pid: number; host: string; started_at: string | null; since: number };

function lockedBy(holder: Partial<Holder>): void {
  const whole = { pid: process.pid, host: hostname(), started_at: null, since: SINCE_MS, ...holder };
  writeFileSync(`${path}.lock`, JSON.stringify(whole));
}

async function sleeper(): Promise<{ pid: number; startedAt: string | null; end(): Promise<void> }> {
  const child = spawn("sleep", ["300"]);
  await new Promise((resolve) => child.once("spawn", resolve));
  const { pid = 0 } = child;
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    pid,
    startedAt: processStat(pid)?.startedAt ?? null,
    end() {
      child.kill("SIGKILL");
      return ended;
    },
  };
}

const clock = { nowMs: () => SINCE_MS, wait: async () => {} };

test("a session that a living process has open is refused with its id, and free when the process is gone", async () => {
  const { pid, startedAt, end } = await sleeper();
  lockedBy({ pid, started_at: startedAt });
  await expect(lockSession(path, clock)).rejects.toThrow(
    `session s1 is open in another process (pid ${pid}, since 2026-03-01 12:04 UTC); quit it there first`,
  );
  await end();
  await lockSession(path, clock);
});

test("a session whose process ends while it is asked for is taken", async () => {
  const { pid, startedAt, end } = await sleeper();
  lockedBy({ pid, started_at: startedAt });
  await (await lockSession(path, { ...clock, wait: end })).release();
});

test("a session on another machine counts as open, and the refusal names the file to remove", async () => {
  lockedBy({ pid: 1, host: "elsewhere.example" });
  await expect(lockSession(path, clock)).rejects.toThrow(
    `(pid 1 on elsewhere.example, since 2026-03-01 12:04 UTC); quit it there first. If that process is gone, remove ${path}.lock`,
  );
});

test("a session in this process is open already, until it is released", async () => {
  const lock = await lockSession(path, clock);
  await expect(lockSession(path, clock)).rejects.toThrow("session s1 is already open");
  await lock.release();
  await (await lockSession(path, clock)).release();
  expect(readdirSync(folder)).toEqual([]);
});

test("a lock with a date that does not exist is still told in words", async () => {
  lockedBy({ pid: 1, host: "elsewhere.example", since: 1e300 });
  await expect(lockSession(path, clock)).rejects.toThrow("since some time)");
});
