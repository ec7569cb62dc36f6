// The branch in the status line, from real repositories.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ManualClock } from "../../../src/testing/simulator/manual-clock.js";
import { branchOf, watchBranch } from "../../../src/tui/app/git-branch.js";
import { verifies } from "../../verifies.js";

const folder = mkdtempSync(join(tmpdir(), "palaver-branch-"));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], { cwd: folder, stdio: "pipe" });
const branch = (place: string) =>
  new Promise((resolve) => {
    const clock = new ManualClock();
    watchBranch(place, clock, resolve).refresh();
    clock.advance(1_000);
  });

test("is the branch, with a star when something is changed, and nothing where there is no repository", async () => {
  verifies("front.36");
  expect(await branch(folder)).toBeNull();
  git("init", "-q", "-b", "parser");
  expect(await branch(folder)).toBe("parser");
  writeFileSync(join(folder, "a.txt"), "one");
  git("add", ".");
  git("commit", "-qm", "one");
  expect(await branch(folder)).toBe("parser");
  writeFileSync(join(folder, "a.txt"), "two");
  expect(await branch(folder)).toBe("parser*");
});

test.each([
  ["## main...origin/main [ahead 1]\n", "main"],
  ["## main...origin/main\n M a.ts\n", "main*"],
  ["## HEAD (no branch)\n", "detached"],
  ["## feature/x.y\n", "feature/x.y"],
  ["nonsense", null],
])("%j is %s", (status, expected) => expect(branchOf(status)).toBe(expected));
