// A program is found where a shell would find it: the first one that can be run, in the order of the folders.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findInstalledProgram, findProgram } from "../../src/agents/found-program.js";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "palaver-path-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(path: string, mode: number): string {
  const full = join(folder, path);
  mkdirSync(join(full, ".."), { recursive: true });
  writeFileSync(full, "");
  chmodSync(full, mode);
  return full;
}

test("the first that can be run wins; folders and plain files are passed over", () => {
  put("a/tool", 0o644);
  mkdirSync(join(folder, "b", "tool"), { recursive: true });
  const tool = put("c/tool", 0o755);
  put("d/tool", 0o755);
  const PATH = ["a", "missing", "b", "c", "d"].map((name) => join(folder, name)).join(delimiter);
  expect(findProgram("tool", { PATH })).toBe(tool);
  expect(findProgram("other", { PATH })).toBe(null);
});

test("a path is looked for where it says, and no name is no program", () => {
  const tool = put("c/tool", 0o755);
  expect(findProgram(tool, {})).toBe(tool);
  expect(findProgram(join(folder, "c/none"), { PATH: join(folder, "c") })).toBe(null);
  expect(findProgram("", { PATH: join(folder, "c") })).toBe(null);
});

test("an installed program is looked for on the PATH, then in the installer's own folder, then in the user's", () => {
  const find = (name: string) => findInstalledProgram(name, { HOME: folder, PATH: join(folder, "path") });
  expect(find("no-such-agent")).toBeNull();
  const inOwn = put(".local/bin/my-agent", 0o755);
  expect(find("my-agent")).toBe(inOwn);
  const inInstaller = put(".claude/local/my-agent", 0o755);
  expect(find("my-agent")).toBe(inInstaller);
  const onPath = put("path/my-agent", 0o755);
  expect(find("my-agent")).toBe(onPath);
  expect(find("./my-agent")).toBeNull();
});
