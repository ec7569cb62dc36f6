// The list of mutants fits the sources of today: each finds what it breaks, exactly where it says, and tests to notice it.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MUTANTS } from "../../scripts/mutants-list.mjs";
import { root } from "../tidy/project-files.js";

test("every mutant has something to break, and tests that are there", () => {
  const stale = MUTANTS.filter(([file, before, after, tests]) => {
    const path = join(root, file);
    const found = existsSync(path) && readFileSync(path, "utf8").includes(before) && before !== after;
    const named = tests.split(" ").filter((word) => word.endsWith(".ts"));
    return !found || named.length === 0 || named.some((name) => !existsSync(join(root, name)));
  });
  expect(stale.map(([file, before]) => `${file}: ${before}`)).toEqual([]);
  expect(MUTANTS.length).toBeGreaterThan(50);
});

test("the mutants are all over the house", () => {
  const rooms = new Set(MUTANTS.map(([file]) => file.split("/")[1]));
  const everywhere = ["contract", "text", "core", "screen", "wire", "ui", "links", "agent", "daemon", "tui"];
  expect([...everywhere, "prompt", "cli", "conform"].filter((room) => !rooms.has(room))).toEqual([]);
});
