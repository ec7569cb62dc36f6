// Shows that citations are found, that a wrong one is a finding, and how the proven ones are counted.
import { describe, expect, test } from "vitest";
import { verifies } from "../verifies.js";
import { citationsIn, summaryOf } from "./citations.js";
import { sourceFile } from "./source-file.js";

const known = [{ id: "a.1" }, { id: "a.2" }, { id: "a.3", declined: "nobody needs it" }];
const read = (source: string) => citationsIn(sourceFile("test/a.test.ts", source), known);

describe("citations", () => {
  test.each([
    ["a test", 'test("x", () => {\n  verifies("a.1");\n});'],
    ["an async test with options", 'test("x", { timeout: 1 }, async () => {\n  verifies("a.1");\n});'],
    ["it", 'it("x", function () {\n  verifies("a.1");\n});'],
    ["a table of cases", 'test.each([\n  [1],\n])("x %s", (n) => {\n  verifies("a.1");\n});'],
    [
      "a table with types",
      'test.each<[string, () => void]>([\n  ["a", f],\n])("x %s", (n) => {\n  verifies("a.1");\n});',
    ],
    [
      "a test with a name of its own",
      'const personTest = test.skipIf(a);\npersonTest("x", () => {\n  verifies("a.1");\n});',
    ],
    ["a conditional table", 'test.skipIf(!tmux).each([1])("x", () => {\n  verifies("a.1");\n});'],
    ["a conditional test", 'test.skipIf(!tmux)("x", () => {\n  verifies("a.1");\n});'],
    ["a suite in a function", 'export function suite(ui: Ui) {\n  test("x", () => {\n    verifies("a.1");\n  });\n}'],
  ])("count inside of %s", (_, source) => {
    expect(read(source)).toMatchObject({ citations: [{ ids: ["a.1"] }], findings: [] });
  });

  test("may name several ids over several lines", () => {
    const { citations, findings } = read('test("x", () => {\n  verifies(\n    "a.1",\n    "a.2",\n  );\n});');
    expect(citations).toEqual([{ path: "test/a.test.ts", line: 2, ids: ["a.1", "a.2"] }]);
    expect(findings).toEqual([]);
  });

  test.each([
    ["an unknown id", 'test("x", () => verifies("a.9"));', "cites a.9, which is no requirement"],
    ["a declined id", 'test("x", () => verifies("a.3"));', "decided against: nobody needs it"],
    ["a place at the top", 'verifies("a.1");', "outside of a test body"],
    ["a place in a suite", 'describe("x", () => {\n  verifies("a.1");\n});', "outside of a test body"],
    ["an argument of a test", 'test("x", verifies("a.1"));', "outside of a test body"],
    ["a variable", 'test("x", () => verifies(id));', "other than plain strings"],
    ["a spread", 'test("x", () => verifies(...ids));', "other than plain strings"],
    ["another name", 'import { verifies as v } from "./verifies.js";', "under its own name"],
    ["no id at all", 'test("x", () => verifies());', "other than plain strings"],
  ])("are refused with %s", (_, source, message) => {
    expect(read(source).findings).toMatchObject([{ message: expect.stringContaining(message) }]);
  });

  test("in strings and comments are none", () => {
    expect(read('// verifies("a.1")\nf("verifies(1)");').citations).toEqual([]);
  });

  test("are counted once per requirement, without the declined", () => {
    const citations = [{ path: "test/a.test.ts", line: 1, ids: ["a.1", "a.1"] }];
    expect(summaryOf(known, citations)).toBe("requirements: 1 of 2 proven, 1 declined");
  });

  test("of an unknown id fail when the test runs", () => {
    // Called in a roundabout way, because the compiler and the rule above refuse the plain one.
    expect(() => Reflect.apply(verifies, undefined, ["daemon.999"])).toThrow("No such requirement: daemon.999");
    expect(() => Reflect.apply(verifies, undefined, ["daemon.14", "wires.crlf"])).not.toThrow();
  });
});
