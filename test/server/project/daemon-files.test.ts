// The files by which a daemon is found: private, whole, and never taken from a living daemon by accident.
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { DaemonRecord } from "../../../src/contract/daemon.js";
import {
  daemonFolderOf,
  makeDaemonFolder,
  projectOf,
  readRecord,
  readToken,
  removeRecord,
  renewToken,
  writeRecord,
} from "../../../src/server/project/daemon-folder.js";
import { lookAtDaemon } from "../../../src/server/project/running-daemon.js";
import { temporaryFolder } from "../temporary-folder.js";

const modeOf = (path: string) => statSync(path).mode & 0o777;
const record = (pid: number): DaemonRecord => ({
  pid,
  url: "http://127.0.0.1:1",
  program: "p",
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

  test("is another one for every program, below that of palaver serve", () => {
    const folderOf = (program?: string) => daemonFolderOf("/p", { XDG_STATE_HOME: "/state" }, program).path;
    expect(folderOf("palaver")).toBe(folderOf());
    expect(folderOf("dev.mjs")).toMatch(/^\/state\/palaver\/daemons\/p-[0-9a-f]{12}\/programs\/dev\.mjs-[0-9a-f]{12}$/);
    expect(folderOf("../x/")).toMatch(/\/programs\/\.\._x_-[0-9a-f]{12}$/);
    expect(folderOf("../x")).not.toBe(folderOf(".._x"));
    expect(folderOf("x".repeat(500)).length).toBeLessThan(200);
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
  test("is long, in a private file, and a new one each time", async () => {
    const path = join(temporaryFolder(), "token");
    const token = await renewToken(path);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(modeOf(path)).toBe(0o600);
    expect(await readToken(path)).toBe(token);
    const next = await renewToken(path);
    expect(next).not.toBe(token);
    expect(await readToken(path)).toBe(next);
    expect(readdirSync(join(path, ".."))).toEqual(["token"]);
  });

  test("is read without the white space around it", async () => {
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
    const path = join(temporaryFolder(), "token");
    writeFileSync(path, text);
    chmodSync(path, mode);
    expect(await readToken(path)).toBeNull();
    expect(await renewToken(path)).toMatch(/^[0-9a-f]{64}$/);
    expect(modeOf(path)).toBe(0o600);
  });
});

describe("the record", () => {
  test("is private, is written over, and is removed only when it is the one that was meant", async () => {
    const path = join(temporaryFolder(), "daemon.json");
    await writeRecord(path, record(1));
    await writeRecord(path, record(2));
    expect(modeOf(path)).toBe(0o600);
    await removeRecord(path, record(1));
    expect((await readRecord(path))?.pid).toBe(2);
    await removeRecord(path, record(2));
    expect(readdirSync(join(path, ".."))).toEqual([]);
    await expect(removeRecord(path, record(2))).resolves.toBeUndefined();
  });

  test.each(["daemon.json", "token"])("a folder in the place of %s is moved aside with what is in it", async (name) => {
    const path = join(temporaryFolder(), name);
    mkdirSync(path);
    writeFileSync(join(path, "mine.txt"), "mine");
    await (name === "token" ? renewToken(path) : writeRecord(path, record(1)));
    expect(modeOf(path)).toBe(0o600);
    const aside = readdirSync(join(path, "..")).find((each) => each.endsWith(".aside")) ?? "";
    expect(readdirSync(join(path, "..", aside))).toEqual(["mine.txt"]);
  });

  test("that is garbage names no daemon", async () => {
    const path = join(temporaryFolder(), "daemon.json");
    for (const text of ["", "{", "[]", '{"pid":-1}', '{"pid":"1"}']) {
      writeFileSync(path, text);
      expect(await readRecord(path)).toBeNull();
    }
  });

  test("of a process that does not hold the lock means that none runs", async () => {
    const folder = daemonFolderOf("/p", { XDG_STATE_HOME: temporaryFolder() });
    await makeDaemonFolder(folder);
    expect(await lookAtDaemon(folder)).toEqual({ kind: "none" });
    await renewToken(folder.tokenPath);
    for (const pid of [2 ** 22 + 1, process.pid, 1]) {
      await writeRecord(folder.recordPath, record(pid));
      expect(await lookAtDaemon(folder)).toEqual({ kind: "none" });
    }
  });
});
