// One process at a time writes to a session: who holds it is named, and nobody who is gone holds anything.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { processStat } from "../../../src/agent/process-stat.js";
import { SessionLock } from "../../../src/agent/session/session-lock.js";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "palaver-lock-"));
  path = join(folder, "s1.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

const SINCE_MS = Date.parse("2026-03-01T12:04:00Z");

type Holder = { pid: number; host: string; started_at: string | null; since: number };

function lockedBy(holder: Partial<Holder>, what: "lock" | "lock.turn" = "lock"): void {
  const whole = { pid: process.pid, host: hostname(), started_at: null, since: SINCE_MS, ...holder };
  writeFileSync(`${path}.${what}`, JSON.stringify(whole));
}

const GONE = { pid: 2 ** 22 + 1 };

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

describe("a session that a living process has open", () => {
  test("is refused with the number of that process, and free when the process is gone", async () => {
    const { pid, startedAt, end } = await sleeper();
    lockedBy({ pid, started_at: startedAt });
    await expect(SessionLock.take(path, 0)).rejects.toThrow(
      `session s1 is open in another process (pid ${pid}, since 2026-03-01 12:04 UTC); leave it there first`,
    );
    await end();
    await SessionLock.take(path, 0);
  });

  test("on another machine is believed to be open, because nobody can look", async () => {
    lockedBy({ pid: 1, host: "elsewhere.example" });
    await expect(SessionLock.take(path, 0)).rejects.toThrow(/pid 1 on elsewhere\.example/);
  });

  test("in this process is open already, until it is released", async () => {
    const lock = await SessionLock.take(path, 0);
    await expect(SessionLock.take(path, 0)).rejects.toThrow("session s1 is open already");
    await lock.release();
    await (await SessionLock.take(path, 0)).release();
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("a lock that nobody holds any more", () => {
  test.skipIf(processStat(process.pid) === null)(
    "is replaced when its number belongs to another process now",
    async () => {
      const { pid, end } = await sleeper();
      lockedBy({ pid, started_at: "1" });
      await SessionLock.take(path, 0);
      await end();
    },
  );

  test.each<[string, Partial<Holder>]>([
    ["its process is gone", GONE],
    ["its number is ours by chance", { pid: process.pid }],
  ])("is replaced when %s", async (_name, holder) => {
    lockedBy(holder);
    await SessionLock.take(path, 7);
    expect(JSON.parse(readFileSync(`${path}.lock`, "utf8"))).toMatchObject({ pid: process.pid, since: 7 });
  });

  test("is replaced when nobody can be read out of it", async () => {
    writeFileSync(`${path}.lock`, '{"pid":');
    await SessionLock.take(path, 0);
  });

  // One round in fifty used to have two winners.
  test("goes to exactly one of those who want it at once, and nothing is left lying about", async () => {
    for (let round = 0; round < 60; round += 1) {
      lockedBy(GONE);
      const takers = await Promise.allSettled(Array.from({ length: 20 }, () => SessionLock.take(path, round)));
      const winners = takers.flatMap((taker) => (taker.status === "fulfilled" ? [taker.value] : []));
      expect(winners).toHaveLength(1);
      expect(readdirSync(folder)).toEqual(["s1.jsonl.lock"]);
      await winners[0]?.release();
    }
  });

  test("is not replaced by two: whoever has the turn has the lock", async () => {
    const { pid, startedAt, end } = await sleeper();
    lockedBy(GONE);
    lockedBy({ pid, started_at: startedAt }, "lock.turn");
    await expect(SessionLock.take(path, 0)).rejects.toThrow(`open in another process (pid ${pid},`);
    await end();
  });

  test("is replaced though somebody was killed while he replaced it", async () => {
    lockedBy(GONE);
    lockedBy(GONE, "lock.turn");
    await SessionLock.take(path, 7);
    expect(JSON.parse(readFileSync(`${path}.lock`, "utf8"))).toMatchObject({ pid: process.pid, since: 7 });
    expect(readdirSync(folder)).toEqual(["s1.jsonl.lock"]);
  });
});
