// What is completed while one writes: commands after a slash, files of the project after an @, however fast one types.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { FileFinder } from "../../../src/terminal/painter/dialogs/file-finder.js";
import { Completions } from "../../../src/views/inline/completions.js";
import { listFiles } from "../../../src/views/inline/file-list.js";
import { Stage } from "./stage.js";

const FILES = ["README.md", "src/parser.ts", "src/text/wrap.ts", "test/parser.test.ts", "docs/a page.md", ".env"];

function finder(files: readonly string[] = FILES): FileFinder {
  return new FileFinder({ list: async () => files, nowMs: () => 0 });
}

async function offered(text: string, files?: readonly string[], roomCells = 70) {
  const commands = [{ name: "help", description: "\x1b[31mhelp" }];
  const completions = new Completions(commands, "/nowhere", finder(files), () => roomCells);
  const { signal } = new AbortController();
  const found = await completions.getSuggestions([text], 0, text.length, { signal });
  const [first] = found?.items ?? [];
  if (found === null || first === undefined) return { labels: [], text };
  const { lines } = completions.applyCompletion([text], 0, text.length, first, found.prefix);
  return { labels: found.items.map(({ label }) => label), text: lines[0] };
}

describe("a file after an @", () => {
  test.each([
    ["see @pars", "see @src/parser.ts "],
    ["@ptest", "@test/parser.test.ts "],
    ["@te", "@test/"],
    ["@src/wr", "@src/text/wrap.ts "],
    ["(@READ", "(@README.md "],
    ["@page", '@"docs/a page.md" '],
    ['@"docs/a p', '@"docs/a page.md" '],
    ["me@pars", "me@pars"],
    ["@nothing-like-it", "@nothing-like-it"],
  ])("%s becomes %s", async (typed, completed) => {
    expect((await offered(typed)).text).toBe(completed);
  });

  test("a bare @ offers what is near, and nothing hidden", async () => {
    expect((await offered("@")).labels).toEqual(["README.md", "docs/", "src/", "test/"]);
  });

  test("a path that is too long for the window keeps its name, and is completed whole", async () => {
    const path = "packages/one-of-many/src/components/dialogs/approval-dialog.test.ts";
    const { labels, text } = await offered("@approval", [path], 33);
    expect(labels).toEqual(["packages…/approval-dialog.test.ts"]);
    expect(text).toBe(`@${path} `);
  });

  test("a name that would act on the terminal is not offered", async () => {
    expect((await offered("@x", ["x\x1b]0;owned\x07.ts", "x\u202etxt.exe", "x.ts"])).labels).toEqual(["x.ts"]);
  });

  test("a list that is old answers while the next one is made, and then the new one does", async () => {
    let nowMs = 0;
    let files = ["one.ts"];
    const found = new FileFinder({ list: async () => files, nowMs: () => nowMs });
    expect(await found.find("ts", 9)).toEqual(["one.ts"]);
    files = ["two.ts"];
    nowMs = 60_000;
    expect(await found.find("ts", 9)).toEqual(["one.ts"]);
    await expect.poll(() => found.find("ts", 9)).toEqual(["two.ts"]);
  });
});

describe("the files of a project", () => {
  function project(): string {
    const folder = mkdtempSync(join(tmpdir(), "palaver-files-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
    mkdirSync(join(folder, "src"));
    mkdirSync(join(folder, "node_modules"));
    for (const path of ["a.ts", "src/b.ts", "node_modules/c.js", "secret.log"]) writeFileSync(join(folder, path), "");
    return folder;
  }

  function repository(): string {
    const folder = project();
    execFileSync("git", ["init", "-q"], { cwd: folder });
    writeFileSync(join(folder, ".gitignore"), "node_modules\n*.log\n/src/made\n");
    return folder;
  }

  test("are all but what a repository ignores", async () => {
    const folder = repository();
    mkdirSync(join(folder, ".github"));
    for (const path of [".github/ci.yml", "src/.gitignore", "src/made", "src/old", "notes"]) {
      writeFileSync(join(folder, path), path === "src/.gitignore" ? "old\n" : "");
    }
    writeFileSync(join(folder, ".git", "info", "exclude"), "notes\n");
    const files = [".github/ci.yml", ".gitignore", "a.ts", "src/.gitignore", "src/b.ts"];
    expect([...(await listFiles(folder))].sort()).toEqual(files);
  });

  test("follow the rules of the folders above", async () => {
    const folder = repository();
    for (const name of ["made", "c.log", "d.ts"]) writeFileSync(join(folder, "src", name), "");
    expect([...(await listFiles(join(folder, "src")))].sort()).toEqual(["b.ts", "d.ts"]);
  });

  test("are listed whatever an ignore file is: a pipe, a link out of the project, or braces without end", async () => {
    const folder = repository();
    execFileSync("mkfifo", [join(folder, "src", ".gitignore")]);
    mkdirSync(join(folder, "lib"));
    symlinkSync("/etc/passwd", join(folder, "lib", ".gitignore"));
    writeFileSync(join(folder, ".gitignore"), `${"{a,b}".repeat(190)}\n`.repeat(25));
    expect(await listFiles(folder)).toEqual(expect.arrayContaining(["a.ts", "src/b.ts"]));
  });

  test("are found by a walk where there is no git; links are not followed", async () => {
    const folder = project();
    symlinkSync("..", join(folder, "src", "up"));
    expect([...(await listFiles(folder))].sort()).toEqual(["a.ts", "secret.log", "src/b.ts", "src/up"]);
    expect(await listFiles(join(folder, "no such folder"))).toEqual([]);
  });
});

describe("in the composer", () => {
  test("the list is there as soon as it is known, without another key", async () => {
    const stage = new Stage(60, 20).ready();
    stage.type("/them");
    await expect
      .poll(() => {
        stage.wait(40);
        return stage.screen();
      })
      .toContain("› /them\n  ❯ theme       choose the colours");
    stage.type("\t");
    expect(await stage.screen()).toContain("› /theme\n");
  });
});
