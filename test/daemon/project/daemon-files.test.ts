// The files by which a daemon is found: private, whole, and never taken from a living daemon by accident.
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { DaemonRecord } from "../../../src/contract/daemon.js";
import { daemonFolderOf, makeDaemonFolder, projectOf } from "../../../src/daemon/project/daemon-folder.js";
import { readRecord, removeRecord, writeRecord } from "../../../src/daemon/project/daemon-record.js";
import { lookAtDaemon } from "../../../src/daemon/project/running-daemon.js";
import { ensureToken, readToken } from "../../../src/daemon/project/token-file.js";
import { verifies } from "../../verifies.js";
import { temporaryFolder } from "../temporary-folder.js";

const modeOf = (path: string) => statSync(path).mode & 0o777;
const record = (pid: number): DaemonRecord => ({
  pid,
  url: "http://127.0.0.1:1",
  version: "1",
  project: "/p",
  started_at_ms: 5,
});

describe("the folder of a daemon", () => {
  test("is named after the project and different for every path", () => {
    const environment = { XDG_STATE_HOME: "/state" };
    const [a, b] = ["/home/a/my project", "/home/b/my project"].map((path) => daemonFolderOf(path, environment).path);
    expect(a).toMatch(/^\/state\/palaver\/daemons\/my_project-[0-9a-f]{12}$/);
    expect(a).not.toBe(b);
    expect(daemonFolderOf("/", environment).path).toMatch(/\/root-[0-9a-f]{12}$/);
    expect(daemonFolderOf("/p", { XDG_STATE_HOME: "relative", HOME: "/h" }).path).toMatch(/^\/h\/\.local\/state\//);
  });

  test("belongs to the marked folder above, or to the folder itself", () => {
    const root = temporaryFolder();
    mkdirSync(join(root, "marked", "deep", "down"), { recursive: true });
    mkdirSync(join(root, "plain"));
    writeFileSync(join(root, "marked", ".palaver.toml"), "");
    expect(projectOf(join(root, "marked", "deep", "down"))).toBe(join(root, "marked"));
    expect(projectOf(join(root, "plain"))).toBe(join(root, "plain"));
    expect(() => projectOf(join(root, "nowhere"))).toThrow(/ENOENT/);
  });

  test("is its owner's alone, also when it was not before", async () => {
    const folder = daemonFolderOf("/p", { XDG_STATE_HOME: temporaryFolder() });
    mkdirSync(folder.path, { recursive: true, mode: 0o755 });
    await makeDaemonFolder(folder);
    expect(modeOf(folder.path)).toBe(0o700);
  });
});

describe("the token", () => {
  test("is long, in a private file, and stays", async () => {
    verifies("daemon.24", "safety.daemon-token");
    const path = join(temporaryFolder(), "token");
    const token = await ensureToken(path);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(modeOf(path)).toBe(0o600);
    expect(await ensureToken(path)).toBe(token);
    expect(readdirSync(join(path, ".."))).toEqual(["token"]);
  });

  test("is read without the white space around it", async () => {
    verifies("daemon.24");
    const path = join(temporaryFolder(), "token");
    writeFileSync(path, `\n  ${"k".repeat(40)} \r\n`, { mode: 0o600 });
    expect(await readToken(path)).toBe("k".repeat(40));
  });

  test.each<[string, string, number]>([
    ["others could read", "k".repeat(40), 0o644],
    ["his group could read", "k".repeat(40), 0o640],
    ["is too short", "short", 0o600],
    ["is empty", "", 0o600],
    ["is two words", `${"k".repeat(40)} x`, 0o600],
  ])("that %s is not trusted and replaced", async (_why, text, mode) => {
    verifies("daemon.24");
    const path = join(temporaryFolder(), "token");
    writeFileSync(path, text);
    chmodSync(path, mode);
    expect(await readToken(path)).toBeNull();
    expect(await ensureToken(path)).toMatch(/^[0-9a-f]{64}$/);
    expect(modeOf(path)).toBe(0o600);
  });
});

describe("the record", () => {
  test("is written by the first and by nobody after", async () => {
    const path = join(temporaryFolder(), "daemon.json");
    const written = await Promise.all([1, 2, 3].map((pid) => writeRecord(path, record(pid))));
    expect(written.filter(Boolean)).toHaveLength(1);
    expect(await writeRecord(path, record(9))).toBe(false);
    expect((await readRecord(path))?.pid).toBe(1 + written.indexOf(true));
    expect(modeOf(path)).toBe(0o600);
  });

  test("is removed only when it is the one that was meant", async () => {
    const path = join(temporaryFolder(), "daemon.json");
    await writeRecord(path, record(2));
    await removeRecord(path, record(1));
    expect((await readRecord(path))?.pid).toBe(2);
    await removeRecord(path, record(2));
    expect(readdirSync(join(path, ".."))).toEqual([]);
    await expect(removeRecord(path, record(2))).resolves.toBeUndefined();
  });

  // A third could write its record while a second had moved the first one's aside to look at it.
  test("of a new daemon stays where it is while others remove the old one", async () => {
    const path = join(temporaryFolder(), "daemon.json");
    for (let round = 0; round < 60; round += 1) {
      await writeRecord(path, record(1));
      const followers = Array.from({ length: 20 }, async (_, index) => {
        const pid = index + 2;
        for (let tries = 0; tries < 3; tries += 1) {
          await removeRecord(path, record(1));
          if (await writeRecord(path, record(pid))) return [pid];
        }
        return [];
      });
      const [winner, ...others] = (await Promise.all(followers)).flat();
      expect(others).toEqual([]);
      expect((await readRecord(path))?.pid).toBe(winner);
      expect(readdirSync(join(path, ".."))).toEqual(["daemon.json"]);
      await removeRecord(path, await readRecord(path));
    }
  });

  test("is removed though somebody was killed while he removed it", async () => {
    const path = join(temporaryFolder(), "daemon.json");
    await writeRecord(path, record(2));
    writeFileSync(`${path}.turn`, "");
    await removeRecord(path, record(2));
    expect((await readRecord(path))?.pid).toBe(2);
    const before = Date.now() / 1_000 - 11;
    utimesSync(`${path}.turn`, before, before);
    await removeRecord(path, record(2));
    expect(readdirSync(join(path, ".."))).toEqual([]);
  });

  test("that is garbage is nobody's", async () => {
    const path = join(temporaryFolder(), "daemon.json");
    for (const text of ["", "{", "[]", '{"pid":-1}', '{"pid":"1"}']) {
      writeFileSync(path, text);
      expect(await readRecord(path)).toBeNull();
    }
    await removeRecord(path, null);
    expect(() => readFileSync(path)).toThrow(/ENOENT/);
  });

  test("of a dead process, or of one that has other business, means that none runs", async () => {
    verifies("daemon.25");
    const folder = daemonFolderOf("/p", { XDG_STATE_HOME: temporaryFolder() });
    await makeDaemonFolder(folder);
    expect(await lookAtDaemon(folder)).toEqual({ kind: "none", record: null });
    await ensureToken(folder.tokenPath);
    for (const pid of [2 ** 22 + 1, process.pid]) {
      writeFileSync(folder.recordPath, JSON.stringify(record(pid)));
      expect(await lookAtDaemon(folder)).toMatchObject({ kind: "none", record: { pid } });
    }
  });
});
