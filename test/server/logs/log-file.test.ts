// The log on disk: private, bounded, and never the end of the daemon.
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LogFile } from "../../../src/host/log-file.js";
import { temporaryFolder } from "../temporary-folder.js";

test("lines go to the file in order, and the file is its owner's alone", async () => {
  const path = join(temporaryFolder(), "daemon.log");
  const file = new LogFile({ path });
  for (let line = 0; line < 1_000; line += 1) file.write(`line ${line}`);
  await file.flush();
  file.write("after");
  await file.flush();
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  expect(lines).toEqual([...Array.from({ length: 1_000 }, (_, line) => `line ${line}`), "after"]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a full file is put aside, and only so many are kept", async () => {
  const folder = temporaryFolder();
  const file = new LogFile({ path: join(folder, "daemon.log"), bytesMax: 100, oldFilesMax: 2 });
  for (let line = 0; line < 40; line += 1) {
    file.write(`line ${String(line).padStart(4, "0")}`);
    await file.flush();
  }
  expect(readdirSync(folder).sort()).toEqual(["daemon.log", "daemon.log.1", "daemon.log.2"]);
  const all = ["daemon.log.2", "daemon.log.1", "daemon.log"].map((name) => readFileSync(join(folder, name), "utf8"));
  for (const text of all) expect(text.length).toBeLessThanOrEqual(100);
  const lines = all.join("").trimEnd().split("\n");
  expect(lines.at(-1)).toBe("line 0039");
  expect(lines).toEqual(lines.map((_, index) => `line ${String(40 - lines.length + index).padStart(4, "0")}`));
});

test("it goes on where an earlier daemon stopped", async () => {
  const path = join(temporaryFolder(), "daemon.log");
  for (const word of ["first", "second"]) {
    const file = new LogFile({ path });
    file.write(word);
    await file.flush();
  }
  expect(readFileSync(path, "utf8")).toBe("first\nsecond\n");
});

test("a disk that takes nothing loses lines and nothing else", async () => {
  const path = join(temporaryFolder(), "daemon.log");
  mkdirSync(path);
  const file = new LogFile({ path });
  file.write("nowhere to go");
  await expect(file.flush()).resolves.toBeUndefined();
});

test("lines that come faster than the disk are counted, not kept without bound", async () => {
  const path = join(temporaryFolder(), "daemon.log");
  const file = new LogFile({ path, bytesMax: 100 * 1024 * 1024 });
  const line = "x".repeat(1024 * 1024);
  for (let count = 0; count < 12; count += 1) file.write(line);
  await file.flush();
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  expect(lines.at(-1)).toBe('{"dropped_lines":3}');
  expect(lines).toHaveLength(10);
});
