// The branch in the status line, from real repositories.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { branchOfHead, watchBranch } from "../../../src/views/inline/git-branch.js";
import { ManualClock } from "../../rigs/simulator/manual-clock.js";

const root = mkdtempSync(join(tmpdir(), "palaver-branch-"));
const folder = join(root, "project");
mkdirSync(folder);
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));

const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], { cwd: folder, stdio: "pipe" });
const branch = (place: string) =>
  new Promise((resolve) => {
    const clock = new ManualClock();
    watchBranch(place, clock, resolve).refresh();
    clock.advance(1_000);
  });

test("is the branch of the repository around a folder, and nothing where there is none", async () => {
  expect(await branch(folder)).toBeNull();
  git("init", "-q", "-b", "feature/parser");
  expect(await branch(folder)).toBe("feature/parser");
  writeFileSync(join(folder, "a.txt"), "one");
  git("add", ".");
  git("commit", "-qm", "one");
  mkdirSync(join(folder, "deep", "down"), { recursive: true });
  expect(await branch(join(folder, "deep", "down"))).toBe("feature/parser");
  git("worktree", "add", "-q", "-b", "side", join(folder, "tree"));
  expect(await branch(join(folder, "tree"))).toBe("side");
  git("checkout", "-q", "--detach");
  expect(await branch(folder)).toBe("detached");
});

test.each([
  ["ref: refs/heads/main", "main"],
  ["ref: refs/heads/.invalid", null],
  ["ref: refs/remotes/origin/main", null],
  ["0123456789abcdef0123456789abcdef01234567", "detached"],
  ["aws_secret_access_key = AKIA", null],
  ["", null],
])("%j in HEAD is %s", (head, expected) => expect(branchOfHead(head)).toBe(expected));

test.each<[string, (gitPath: string) => void]>([
  ["a .git that is a pipe", (path) => execFileSync("mkfifo", [path])],
  ["a .git that leads to itself", (path) => symlinkSync(".git", path)],
  ["a .git that leads to another machine", (path) => writeFileSync(path, "gitdir: //example.test/share\n")],
  ["a .git that leads to what is no repository", (path) => writeFileSync(path, "gitdir: /etc\n")],
  [
    "a HEAD that is a pipe",
    (path) => {
      mkdirSync(path);
      execFileSync("mkfifo", [join(path, "HEAD")]);
    },
  ],
  [
    "a HEAD that is another file",
    (path) => {
      mkdirSync(path);
      writeFileSync(join(path, "key"), "secret = 1");
      symlinkSync("key", join(path, "HEAD"));
    },
  ],
])("%s is no branch and holds nothing up", async (_, make) => {
  const place = mkdtempSync(join(root, "odd-"));
  make(join(place, ".git"));
  expect(await branch(place)).toBeNull();
});
