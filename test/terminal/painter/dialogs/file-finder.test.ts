// What a question offers of the files of a folder: what can be chosen, in the order of an @, and secrets only by name.
import { describe, expect, test } from "vitest";
import { FileFinder } from "../../../../src/terminal/painter/dialogs/file-finder.js";

const FILES = ["README.md", "src/parser.ts", "test/parser.test.ts", ".env", "keys/id_rsa", "link", ".git-hooks"];

async function listed(problem?: (path: string) => string | null): Promise<FileFinder> {
  const finder = new FileFinder({
    list: async () => FILES,
    nowMs: () => 0,
    ...(problem === undefined ? {} : { problem }),
  });
  await finder.freshened();
  return finder;
}

const onDisk = (path: string) => ([...FILES, "src/", "dist/made.js"].includes(path) ? null : "there is no such file");

describe("what a question about files offers", () => {
  test.each([
    ["", ["README.md", "keys/", "link", "src/", "test/"]],
    ["pars", ["src/parser.ts", "test/parser.test.ts"]],
    // Typed whole: first, also where it is not listed.
    ["src/parser.ts", ["src/parser.ts"]],
    ["dist/made.js", ["dist/made.js"]],
    // A secret by its name, and not by some letters of it.
    ["env", []],
    [".env", [".env"]],
    ["rsa", []],
    ["id_rsa", ["keys/id_rsa"]],
  ])("%j offers %j", async (query, offered) => {
    const finder = await listed((path) => (path.endsWith("/") ? null : onDisk(path)));
    expect(finder.offered(query, 10)).toEqual(offered);
  });

  test("leaves out what cannot be chosen, and stops at the maximum", async () => {
    const finder = await listed((path) => (path === "link" ? "this leads outside the folder" : onDisk(path)));
    expect(finder.offered("lin", 10)).toEqual([]);
    expect(finder.offered("r", 2)).toHaveLength(2);
  });

  test("is the typed path itself where nothing can be listed", () => {
    const finder = new FileFinder({ list: async () => [], nowMs: () => 0 });
    expect(finder.offered("src/a.ts", 10)).toEqual(["src/a.ts"]);
  });
});
