// glob and grep: what is found, in which order, and what is left out.
import { execFileSync } from "node:child_process";
import { symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { grepTool } from "../../../src/builtin/tools/grep-tool.js";
import { globTool } from "../../../src/builtin/tools/read-tool.js";
import { isIgnored, parseIgnoreFile } from "../../../src/session/ignore-rules.js";
import { makeWorkspace, type Workspace } from "./workspace.js";

let ws: Workspace;
beforeEach(() => {
  ws = makeWorkspace();
});
afterEach(() => ws.remove());

function putAll(...paths: string[]): void {
  for (const path of paths) ws.put(path, `// ${path}\n`);
}

/** A policy with one denial. */
function denying(path: string) {
  return ({ subject }: { subject: string }) => (subject === path ? ("deny" as const) : ("allow" as const));
}

describe("glob", () => {
  const find = async (pattern: string, more: { path?: string; include_ignored?: boolean } = {}) =>
    (await ws.run(globTool, { pattern, ...more })).text.split("\n");

  test("finds files by pattern, in the order of their paths", async () => {
    putAll("b.ts", "src/z.ts", "src/a/x.ts", "src/a/y.css", "a.ts", ".github/ci.yml");
    expect(await find("**/*.ts")).toEqual(["a.ts", "b.ts", "src/z.ts", "src/a/x.ts"]);
    expect(await find("src/**/*.{ts,css}")).toEqual(["src/z.ts", "src/a/x.ts", "src/a/y.css"]);
    expect(await find("*.ts", { path: "src" })).toEqual(["src/z.ts"]);
    expect(await find("./src/*.ts")).toEqual(["src/z.ts"]);
    expect(await find(".github/*")).toEqual([".github/ci.yml"]);
    expect(await find("*.py")).toEqual(["No file matches *.py."]);
  });

  test("leaves out installed packages and what .gitignore says, unless told otherwise", async () => {
    putAll("a.ts", "node_modules/m/i.ts", "dist/a.ts", "src/gen/g.ts", "src/keep.ts", "src/drop.ts", ".git/x.ts");
    ws.put(".gitignore", "# made\n/dist/\n");
    ws.put("src/.gitignore", "gen\n*.ts\n!keep.ts\n");
    expect(await find("**/*.ts")).toEqual(["a.ts", "src/keep.ts"]);
    expect(await find("*.ts", { path: "src" })).toEqual(["src/keep.ts"]);
    expect(await find("*.ts", { path: "dist" })).toEqual(["dist/a.ts"]);
    expect(await find("**/i.ts", { include_ignored: true })).toEqual(["node_modules/m/i.ts"]);
  });

  test("does not go through links, so that it ends and stays inside", async () => {
    putAll("a/x.ts");
    symlinkSync("..", join(ws.folder, "a", "loop"));
    symlinkSync(ws.outside, join(ws.folder, "away"));
    writeFileSync(join(ws.outside, "o.ts"), "");
    expect(await find("**/*.ts")).toEqual(["a/x.ts"]);
    expect(await find("away/*.ts")).toEqual(["No file matches away/*.ts."]);
    expect(await find("away")).toEqual(["away"]);
    await expect(ws.plan(globTool, { pattern: "../*.ts" })).rejects.toThrow(/stays below its folder/);
    await expect(ws.plan(globTool, { pattern: "/etc/*" })).rejects.toThrow(/stays below its folder/);
    expect(await ws.plan(globTool, { pattern: "*", path: "away" })).toMatchObject({
      reach: "outside",
      subject: ws.outside,
    });
  });

  test("is bounded", async () => {
    for (let at = 0; at < 1_005; at++) ws.put(`f${at}.txt`, "");
    const lines = await find("*.txt");
    expect(lines).toHaveLength(1_001);
    expect(lines.at(-1)).toMatch(/the first 1000 files/);
  });

  test("does not name what a rule denies, and says how much that is", async () => {
    putAll("a.ts", "private/b.ts");
    const { text, details } = await ws.run(globTool, { pattern: "**/*.ts" }, { readDecision: denying("private/b.ts") });
    expect(text.split("\n")).toEqual(["a.ts", "[1 file left out: a rule denies reading them]"]);
    expect(details).toEqual({ files: 1, truncated: false });
  });

  test("is not held up by a pipe where an ignore file should be", async () => {
    putAll("a.ts");
    execFileSync("mkfifo", [join(ws.folder, ".gitignore")]);
    expect(await find("*.ts")).toEqual(["a.ts"]);
  });
});

describe("an ignore file", () => {
  test.each([
    ["*.log", "a/b.log", "file", true],
    ["/a", "a", "file", true],
    ["/a", "b/a", "file", false],
    ["a/b", "a/b", "file", true],
    ["a/b", "x/a/b", "file", false],
    ["build/", "x/build", "folder", true],
    ["build/", "x/build", "file", false],
    ["**/gen/*.ts", "x/y/gen/a.ts", "file", true],
    ["*.log\n!keep.log", "keep.log", "file", false],
    ["!keep.log\n*.log", "keep.log", "file", true],
    ["# no\n\n", "# no", "file", false],
    ["\\#yes", "#yes", "file", true],
    ["a ", "a", "file", true],
    ["a\\ ", "a ", "file", true],
    ["", "node_modules", "folder", true],
  ] as const)("%j says of %s (%s): ignored %s", (text, path, kind, ignored) => {
    expect(isIgnored(parseIgnoreFile(text, ""), path, kind)).toBe(ignored);
  });

  test("speaks of its own folder only", () => {
    const rules = parseIgnoreFile("/x\n*.tmp", "sub");
    expect(["sub/x", "sub/a/b.tmp"].map((path) => isIgnored(rules, path, "file"))).toEqual([true, true]);
    expect(["x", "a.tmp", "subx/x"].map((path) => isIgnored(rules, path, "file"))).toEqual([false, false, false]);
  });
});

describe("grep", () => {
  type Options = Partial<Parameters<(typeof grepTool)["run"]>[0]>;
  const search = async (pattern: string, more: Options = {}) =>
    (await ws.run(grepTool, { pattern, ...more })).text.split("\n");

  test("shows path, line and text of each match", async () => {
    ws.put("b.ts", "one\ntwo\nTwo\n");
    ws.put("a/c.ts", "two\r\n");
    expect(await search("two")).toEqual(["b.ts:2:two", "a/c.ts:1:two"]);
    expect(await search("^t.o$", { ignore_case: true, path: "b.ts" })).toEqual(["b.ts:2:two", "b.ts:3:Two"]);
    expect(await search("two", { glob: "c.*" })).toEqual(["a/c.ts:1:two"]);
    expect(await search("two", { path: "a" })).toEqual(["a/c.ts:1:two"]);
    expect(await search("two", { files_only: true })).toEqual(["b.ts", "a/c.ts"]);
    expect(await search("three")).toEqual(["Nothing matches three."]);
  });

  test("shows the lines around a match once", async () => {
    ws.put("a.txt", "1\n2\n3 x\n4\n5 x\n6\n7\n8\n9 x\n");
    expect(await search("x", { context: 1 })).toEqual([
      ...["a.txt-2-2", "a.txt:3:3 x", "a.txt-4-4", "a.txt:5:5 x", "a.txt-6-6"],
      "--",
      ...["a.txt-8-8", "a.txt:9:9 x"],
    ]);
  });

  test("leaves out binary and large files and says so", async () => {
    ws.put("a.bin", Buffer.from("x\0x"));
    truncateSync(ws.put("big.log", "x\n"), 6 * 1024 * 1024);
    ws.put("a.txt", "x\n");
    expect(await search("x")).toEqual([
      "a.txt:1:x",
      "[1 file left out: binary]",
      "[1 file left out: larger than 5 MB]",
    ]);
  });

  test("reads nothing that would have to be asked about", async () => {
    ws.put(".env", "KEY=x\n");
    ws.put("private/a.txt", "KEY\n");
    ws.put("a.txt", "KEY\n");
    symlinkSync("/etc/hosts", join(ws.folder, "hosts"));
    execFileSync("mkfifo", [join(ws.folder, "fifo")]);
    const left = "[1 file left out: each needs an approval; read them one by one]";
    expect(await search("KEY|localhost")).toEqual(["a.txt:1:KEY", "private/a.txt:1:KEY", left]);
    const { text } = await ws.run(grepTool, { pattern: "KEY" }, { readDecision: denying("private/a.txt") });
    const denied = "[1 file left out: a rule denies reading them]";
    expect(text.split("\n")).toEqual([".env:1:KEY=x", "a.txt:1:KEY", denied]);
    expect((await ws.plan(grepTool, { pattern: "x", path: ".env" })).danger).toMatch(/secret/);
  });

  test("outside the workspace searches the folder that was agreed to, but no secret and nothing that is denied", async () => {
    for (const name of ["a.txt", "b.txt", ".env"]) writeFileSync(join(ws.outside, name), "KEY\n");
    const readDecision = ({ subject }: { subject: string }) =>
      subject === join(ws.outside, "b.txt") ? ("deny" as const) : ("ask" as const);
    const { text } = await ws.run(grepTool, { pattern: "KEY", path: ws.outside }, { readDecision });
    expect(text.split("\n")).toEqual([
      `${ws.outside}/a.txt:1:KEY`,
      "[1 file left out: each needs an approval; read them one by one]",
      "[1 file left out: a rule denies reading them]",
    ]);
  });

  test("is bounded in matches, in text and in the length of a line", async () => {
    ws.put("a.txt", "x\n".repeat(500));
    const lines = await search("x");
    expect(lines).toHaveLength(201);
    expect(lines.at(-1)).toMatch(/the first 200 matches/);
    ws.put("b.txt", `${"x".repeat(400_000)}\n`.repeat(150).slice(0, 4_000_000));
    const { text } = await ws.run(grepTool, { pattern: "x", path: "b.txt" });
    expect(text.length).toBeLessThan(60_000);
  });

  test("is not stopped for ever by a pattern that explodes", async () => {
    ws.put("a.txt", `${"a".repeat(60)}c\n`);
    const result = await ws.run(grepTool, { pattern: "(a+)+b" });
    expect(result).toMatchObject({ outcome: "failed", text: expect.stringMatching(/takes too long/) });
  });

  test("explains a pattern that is none, and a path that is none", async () => {
    await expect(ws.plan(grepTool, { pattern: "(" })).rejects.toThrow(/JavaScript regular expression/);
    expect((await ws.run(grepTool, { pattern: "x", path: "nope" })).text).toBe("nope does not exist.");
  });

  test("stops when it is told to", async () => {
    const stop = new AbortController();
    for (let at = 0; at < 50; at++) ws.put(`d${at}/a.txt`, "y\n");
    const readDecision = () => {
      stop.abort("enough");
      return "allow" as const;
    };
    await expect(ws.run(grepTool, { pattern: "x" }, { signal: stop.signal, readDecision })).rejects.toBe("enough");
  });
});
