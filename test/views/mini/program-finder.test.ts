// Where an agent's program is found: the PATH first, then the places of installers, and what was found is remembered.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ProgramFinder } from "../../../src/views/mini/program-finder.js";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "palaver-home-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

function install(path: string): string {
  const full = join(home, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, "");
  chmodSync(full, 0o755);
  return full;
}

test("the PATH comes first, then the installer's own folder, then the person's", () => {
  const finder = () => new ProgramFinder({ HOME: home, PATH: join(home, "path") });
  expect(finder().find("no-such-agent")).toBeNull();
  const inOwn = install(".local/bin/my-agent");
  expect(finder().find("my-agent")).toBe(inOwn);
  const inInstaller = install(".claude/local/my-agent");
  expect(finder().find("my-agent")).toBe(inInstaller);
  const onPath = install("path/my-agent");
  expect(finder().find("my-agent")).toBe(onPath);
});

test("what was found is remembered as long as it is there", () => {
  const finder = new ProgramFinder({ HOME: home, PATH: join(home, "path") });
  const first = install(".local/bin/my-agent");
  expect(finder.find("my-agent")).toBe(first);
  const better = install("path/my-agent");
  expect(finder.find("my-agent")).toBe(first);
  rmSync(first);
  expect(finder.find("my-agent")).toBe(better);
});

test("a path is looked for where it says, and nowhere else", () => {
  const finder = new ProgramFinder({ HOME: home, PATH: "" });
  install(".local/bin/my-agent");
  expect(finder.find("./my-agent")).toBeNull();
  expect(new ProgramFinder({}).find("my-agent")).toBeNull();
});
