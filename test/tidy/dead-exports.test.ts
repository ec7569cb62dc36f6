// Shows which exports count as dead and which forms of import keep one alive.
import { describe, expect, test } from "vitest";
import { checkDeadExports } from "./dead-exports.js";
import { sourceFile } from "./source-file.js";

const one = sourceFile("src/session/one.ts", "export const a = 1;\nexport interface B {}\n");
const dead = (...others: [path: string, source: string][]) =>
  checkDeadExports([one, ...others.map(([path, source]) => sourceFile(path, source))])
    .filter(({ path }) => path === one.path)
    .map(({ line, message }) => `${line} ${message.split(":")[0]}`);

const deadB = ["2 nobody imports B"];

describe("dead exports", () => {
  test("what no one imports is dead, and so is what is only mentioned", () => {
    expect(dead()).toEqual(["1 nobody imports a", "2 nobody imports B"]);
    expect(dead(["src/session/two.ts", "const a = 1; // B"])).toHaveLength(2);
    expect(dead(["src/session/two.ts", 'import { a, B } from "./three.js";'])).toHaveLength(2);
  });

  test.each([
    ["an import", "src/session/two.ts", 'import { a } from "./one.js";', deadB],
    ["an import from a test", "test/session/one.test.ts", 'import { a } from "../../src/session/one.js";', deadB],
    ["a renamed import", "src/session/two.ts", 'import { a as c } from "./one.js";', deadB],
    ["a type import", "src/session/two.ts", 'import { a, type B } from "./one.js";', []],
    ["a re-export in a public list", "src/session/exports.ts", 'export { a } from "./one.js";', deadB],
    ["a whole re-export in a public list", "src/session/exports.ts", 'export * from "./one.js";', []],
    ["a namespace that mentions it", "bench/two.ts", 'import * as one from "../src/session/one.js";\none.a;', deadB],
    ["a lazy import", "src/cli/two.ts", 'const { a } = await import("../session/one.js");', deadB],
    ["a lazy member", "src/cli/two.ts", '(await import("../session/one.js")).a();', deadB],
    ["an import type", "src/session/two.ts", 'type C = import("./one.js").B;', ["1 nobody imports a"]],
  ])("%s keeps it alive", (_, path, source, rest) => {
    expect(dead([path, source])).toEqual(rest);
  });

  test("a public list and a file the build starts from are alive by themselves", () => {
    const files = ["src/sdk/exports.ts", "src/cli/main.ts"].map((path) => sourceFile(path, "export const a = 1;"));
    const build = sourceFile("scripts/build.mjs", 'build({ entryPoints: { cli: "src/cli/main.ts" } });');
    expect(checkDeadExports([...files, build])).toEqual([]);
    expect(checkDeadExports(files)).toMatchObject([{ path: "src/cli/main.ts" }]);
  });

  test("lists, functions, classes and defaults are exports too", () => {
    const source = "export { x, y as z };\nexport async function f() {}\nexport abstract class G {}\nexport default 1;";
    const names = checkDeadExports([sourceFile("src/session/a.ts", source)]).map(
      ({ message }) => message.split(/[ :]/)[2],
    );
    expect(names.sort()).toEqual(["G", "default", "f", "x", "z"]);
  });
});
