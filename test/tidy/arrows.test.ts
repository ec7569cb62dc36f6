// Shows that forbidden imports and import cycles are found in every form they can take.
import { describe, expect, test } from "vitest";
import { checkArrows } from "./arrows.js";
import { checkCycles } from "./cycles.js";
import { sourceFile } from "./source-file.js";

const objections = (path: string, source: string) =>
  checkArrows(sourceFile(path, source)).map(({ message }) => message);

describe("arrows between rooms", () => {
  test.each([
    ["another room", "src/text/a.ts", 'import { a } from "../session/a.js";', "text/ may not import session/"],
    [
      "a type",
      "src/agents/dialects/a.ts",
      'import type { A } from "../../text/a.js";',
      "agents/dialects/ may not import text/",
    ],
    ["a lazy import", "src/session/a.ts", 'const a = await import("../views/a.js");', "session/ may not import views/"],
    ["an import type", "src/session/a.ts", 'type A = import("../sdk/a.js").A;', "session/ may not import sdk/"],
    ["a re-export", "src/sdk/exports.ts", 'export { a } from "../session/a.js";', "sdk/ may not import session/"],
    ["a file beside the allowed one", "src/builtin/a.ts", 'import { a } from "../sdk/a.js";', "may not import sdk/"],
    ["a bare import", "src/agents/a.ts", 'import "../views/a.js";', "agents/ may not import views/"],
    [
      "several lines",
      "src/session/a.ts",
      'import {\n  a,\n} from "../agents/dialects/a.js";',
      "session/ may not import agents/dialects/",
    ],
    ["a package", "src/session/a.ts", 'import { z } from "zod";', "may not import the package zod"],
    ["a scoped package", "src/sdk/a.ts", 'import { A } from "@ai-sdk/anthropic/x";', "the package @ai-sdk/anthropic"],
    ["Node in a pure room", "src/terminal/painter/a.ts", 'import { a } from "node:fs";', "terminal/painter/ is pure"],
    ["a line reader", "src/agents/a.ts", 'import { a } from "node:readline/promises";', "newline byte"],
    ["the rigs of the tests", "src/cli/a.ts", 'import { a } from "../../test/rigs/a.js";', "leads out of the rooms"],
    ["a way out of src", "src/cli/a.ts", 'import { a } from "../../test/a.js";', "leads out of the rooms"],
    ["a room nobody planned", "src/attic/a.ts", "", "is no room of the house"],
    ["a file in no room", "src/a.ts", "", "is no room of the house"],
  ])("%s is refused", (_, path, source, message) => {
    expect(objections(path, source)).toEqual([expect.stringContaining(message)]);
  });

  test.each([
    ["its own room", "src/text/deep/a.ts", 'import { a } from "../b.js";'],
    ["an allowed room", "src/builtin/a.ts", 'import type { A } from "../contract/a.js";'],
    ["the one allowed file of a room", "src/builtin/a.ts", 'import type { A } from "../sdk/exports.js";'],
    ["an allowed package", "src/text/a.ts", 'import h from "highlight.js/lib/core";'],
    ["Node in an impure room", "src/agents/a.ts", 'import { spawn } from "node:child_process";'],
    ["everything from the command line", "src/cli/a.ts", 'import { a } from "../server/a.js";'],
    ["words in a string", "src/text/a.ts", "const a = 'import x from \"zod\"';"],
    ["a comment", "src/text/a.ts", '// import { z } from "zod";'],
    ["what tests do", "test/session/a.ts", 'import { a } from "../rigs/a.js";'],
  ])("%s is fine", (_, path, source) => {
    expect(objections(path, source)).toEqual([]);
  });

  test("the finding names the line of the import", () => {
    expect(checkArrows(sourceFile("src/text/a.ts", '// a\n\nimport { z } from "zod";'))).toMatchObject([{ line: 3 }]);
  });
});

describe("import cycles", () => {
  const cyclesIn = (sources: Readonly<Record<string, string>>) =>
    checkCycles(Object.entries(sources).map(([name, source]) => sourceFile(`src/cli/${name}.ts`, source)));

  test("are found however long they are, without what only leads to them", () => {
    const found = cyclesIn({
      start: 'import { a } from "./a.js";',
      a: 'import { type B, b } from "./b.js";',
      b: 'export * from "./c.js";',
      c: 'import "./a.js";\nimport { d } from "./d.js";',
      d: "export const d = 1;",
    });
    expect(found.map(({ path }) => path)).toEqual(["src/cli/a.ts", "src/cli/b.ts", "src/cli/c.ts"]);
  });

  test("are none when a part of them is a type or a lazy import", () => {
    expect(cyclesIn({ a: 'import { b } from "./b.js";', b: 'import type { A } from "./a.js";' })).toEqual([]);
    expect(cyclesIn({ a: 'import { b } from "./b.js";', b: 'const a = () => import("./a.js");' })).toEqual([]);
  });
});
