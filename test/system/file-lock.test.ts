// One holder at a time, whatever was left behind: by dead processes, other boots, torn writes, odd clocks.
import { spawn } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type LockAttempt, type LockFiles, lockHolder, takeLock } from "../../src/system/file-lock.js";
import { type Holder, type MachineFacts, machineFacts, thisProcess } from "../../src/system/holder.js";
import { processStat } from "../../src/system/process-stat.js";
import { verifies } from "../verifies.js";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "palaver-lock-"));
  path = join(folder, "it.lock");
});
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

const facts = machineFacts();
const GONE = { pid: 2 ** 22 + 1 };
const holder = (changes: Partial<Holder>): Holder => ({ ...thisProcess("other", 0, facts), ...changes });
const lockedBy = (changes: Partial<Holder>, where = path) => writeFileSync(where, JSON.stringify(holder(changes)));
const winners = (attempts: readonly LockAttempt[]) => attempts.filter(({ kind }) => kind === "taken");
const hasProc = processStat(process.pid) !== null;

async function taken(): Promise<void> {
  const attempt = await takeLock(path);
  expect(attempt.kind).toBe("taken");
  const found = await lockHolder(path);
  expect(found?.pid).toBe(process.pid);
  expect(found?.id).not.toBe("other");
}

async function withSleeper(work: (pid: number) => Promise<void>): Promise<void> {
  const child = spawn("sleep", ["300"]);
  await new Promise((resolve) => child.once("spawn", resolve));
  const ended = new Promise((resolve) => child.once("exit", resolve));
  try {
    await work(child.pid ?? 0);
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
}

describe("a lock", () => {
  test("is held by one until it is released, and leaves nothing behind", async () => {
    const first = await takeLock(path, { nowMs: () => 7 });
    expect(await takeLock(path)).toMatchObject({ kind: "held", life: "alive", by: { pid: process.pid, since: 7 } });
    if (first.kind === "taken") await first.lock.release();
    expect(await lockHolder(path)).toBeNull();
    await taken();
    expect(readdirSync(folder)).toEqual(["it.lock"]);
  });

  test("that another process took over is not removed by its former holder", async () => {
    const first = await takeLock(path);
    lockedBy({});
    if (first.kind === "taken") await first.lock.release();
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ id: "other" });
  });

  test.skipIf(!hasProc)("of a living process is not taken, also when the host has another name now", async () => {
    await withSleeper(async (pid) => {
      lockedBy({ pid, started_at: processStat(pid)?.startedAt ?? null, host: "as-it-was.example" });
      expect(await takeLock(path)).toMatchObject({ kind: "held", life: "alive", by: { pid } });
    });
    await taken();
  });
});

describe("a lock of a holder that is gone is replaced", () => {
  test.each<[string, Partial<Holder>]>([
    ["its process is gone", GONE],
    ["its process is gone and the host had another name", { ...GONE, host: "as-it-was.example" }],
    ["its id is ours by chance", { started_at: null }],
    ["it was taken in the future", { ...GONE, since: Date.now() + 1e12 }],
    ["it was taken before the epoch", { ...GONE, since: -1e12 }],
  ])("when %s", async (_name, changes) => {
    lockedBy(changes);
    await taken();
  });

  test.skipIf(!hasProc)("when its process id belongs to another process now", async () => {
    await withSleeper(async (pid) => {
      lockedBy({ pid, started_at: "1" });
      await taken();
    });
  });

  test("when the machine was started again since, even if a process has the same id and start time", async () => {
    const here: MachineFacts = { host: "b", machine: "m", boot: "second", pidNamespace: "n" };
    lockedBy({ host: "a", machine: "m", boot: "first", pid_namespace: "n" });
    expect((await takeLock(path, { facts: here })).kind).toBe("taken");
  });

  test.each<[string, () => void]>([
    ["a torn file", () => writeFileSync(path, '{"pid":')],
    ["an empty file", () => writeFileSync(path, "")],
    ["an empty folder", () => mkdirSync(path)],
    ["a link to nowhere", () => symlinkSync(join(folder, "nowhere"), path)],
  ])("when %s is in its place", async (_name, put) => {
    put();
    await taken();
  });

  test("when a folder with files is in its place, and the files are kept", async () => {
    mkdirSync(path);
    writeFileSync(join(path, "mine.txt"), "mine");
    await taken();
    const aside = readdirSync(folder).find((name) => name.endsWith(".aside")) ?? "";
    expect(readdirSync(join(folder, aside))).toEqual(["mine.txt"]);
  });

  test.each(["past", "future"])("when the file's own time is far in the %s", async (when) => {
    lockedBy(GONE);
    const seconds = Date.now() / 1_000 + (when === "past" ? -1e8 : 1e8);
    utimesSync(path, seconds, seconds);
    await taken();
  });

  test("though processes died while they replaced it", async () => {
    for (const end of ["", ".turn", ".turn.turn", ".turn.turn.turn"]) lockedBy(GONE, `${path}${end}`);
    await taken();
    expect(readdirSync(folder)).toEqual(["it.lock"]);
  });
});

describe("a holder that cannot be looked at is believed", () => {
  const here: MachineFacts = { host: "a", machine: "m", boot: "1", pidNamespace: "n" };
  test.each<[string, Partial<Holder>]>([
    ["on another machine", { machine: "other", boot: "2" }],
    ["in another container", { machine: "m", boot: "1", pid_namespace: "other" }],
    ["on a machine that says nothing about itself", { host: "b", machine: null, boot: null }],
  ])("%s", async (_name, changes) => {
    lockedBy({ ...GONE, host: "a", pid_namespace: "n", ...changes });
    expect(await takeLock(path, { facts: here })).toMatchObject({ kind: "held", life: "unknown" });
  });
});

// Files in memory whose every step is put off as the seed says, so that any order of steps can come.
function slowFiles(seed: readonly number[]): LockFiles & { readonly content: Map<string, string> } {
  const content = new Map<string, string>();
  let step = 0;
  const pause = async () => {
    step += 1;
    for (let left = seed[step % seed.length] ?? 0; left > 0; left -= 1) await new Promise(setImmediate);
  };
  return {
    content,
    async write(at, text) {
      await pause();
      content.set(at, text);
    },
    async link(from, to) {
      await pause();
      if (content.has(to)) throw Object.assign(new Error(to), { code: "EEXIST" });
      content.set(to, content.get(from) ?? "");
    },
    async read(at) {
      await pause();
      return content.get(at) ?? null;
    },
    async remove(at) {
      await pause();
      content.delete(at);
    },
  };
}

describe("of many that want a lock at once exactly one gets it", () => {
  test("in whatever order the steps of twenty happen, with a dead holder and a dead replacement", async () => {
    verifies("daemon.one-lock-holder");
    const pauses = fc.array(fc.nat(6), { minLength: 17, maxLength: 97 });
    const check = async (seed: readonly number[], deadTurns: number) => {
      const files = slowFiles(seed);
      const names = [path, `${path}.turn`, `${path}.turn.turn`].slice(0, deadTurns);
      for (const name of names) files.content.set(name, JSON.stringify(holder(GONE)));
      const attempts = await Promise.all(Array.from({ length: 20 }, () => takeLock(path, { files, facts })));
      expect(winners(attempts)).toHaveLength(1);
      expect([...files.content.keys()]).toEqual([path]);
    };
    await fc.assert(fc.asyncProperty(pauses, fc.nat(3), check), { numRuns: 100 });
  });

  test("on the disk, with a dead holder, among twenty takers in four processes", { timeout: 60_000 }, async () => {
    const source = fileURLToPath(new URL("lock-takers.ts", import.meta.url));
    const script = join(folder, "takers.mjs");
    await build({
      entryPoints: [source],
      bundle: true,
      platform: "node",
      format: "esm",
      outfile: script,
      logLevel: "error",
    });
    const takers = Array.from({ length: 4 }, () => new TakerProcess(script));
    for (let round = 0; round < 30; round += 1) {
      const at = join(folder, `${round}.lock`);
      lockedBy(GONE, at);
      if (round % 2 === 1) lockedBy(GONE, `${at}.turn`);
      const kinds = (await Promise.all(takers.map((taker) => taker.take(at)))).flat();
      expect(kinds).toHaveLength(20);
      expect(kinds.filter((kind) => kind === "taken")).toHaveLength(1);
    }
    await Promise.all(takers.map((taker) => taker.end()));
  });
});

/** Five takers in a process of their own; they keep what they took until it ends. */
class TakerProcess {
  private readonly child;
  private readonly ended: Promise<unknown>;

  constructor(script: string) {
    this.child = spawn(process.execPath, [script], { stdio: ["pipe", "inherit", "inherit", "ipc"] });
    this.ended = new Promise((resolve) => this.child.once("exit", resolve));
  }

  take(at: string): Promise<string[]> {
    return new Promise((resolve) => {
      this.child.once("message", (kinds) => resolve(kinds as string[]));
      this.child.send(at);
    });
  }

  async end(): Promise<void> {
    this.child.disconnect();
    await this.ended;
  }
}
